/** Scenarios on Ignite: services that keep their state in the grid. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.scenario;
