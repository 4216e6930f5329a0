/** Benchmarks of caches under JMH: their settings, and what a benchmark's JVM reports. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.jmh;
