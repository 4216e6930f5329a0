/** cache2k, a cache within a JVM. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.cache2k;
