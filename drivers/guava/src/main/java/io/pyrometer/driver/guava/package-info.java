/** Guava's cache, a cache within a JVM. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.guava;
