/** Ehcache 3, a cache within a JVM. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.ehcache;
