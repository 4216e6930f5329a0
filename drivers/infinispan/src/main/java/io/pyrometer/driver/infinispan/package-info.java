/** The driver {@code infinispan}. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.infinispan;
