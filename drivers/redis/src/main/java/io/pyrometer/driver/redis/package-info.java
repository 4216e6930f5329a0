/** The driver {@code redis}, for Redis and Valkey. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.redis;
