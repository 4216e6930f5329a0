/** The driver {@code ignite3}. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ignite3;
