/** The settings of the driver's grids and caches. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.settings;
