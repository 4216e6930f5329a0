/** The ways of writing to, reading from and computing over an Ignite cache, one class each. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite.path;
