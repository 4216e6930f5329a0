/**
 * A driver for tests, and the example of how a driver is written: a key-value store whose servers
 * are native processes. It is no part of the distribution.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.nativetest;
