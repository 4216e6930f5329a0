/**
 * The tests that every driver must pass. A driver's module extends {@link
 * io.pyrometer.driver.testkit.DriverContract} in its tests.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.testkit;
