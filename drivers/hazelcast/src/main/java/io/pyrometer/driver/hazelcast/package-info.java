/** The driver {@code hazelcast}. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.hazelcast;
