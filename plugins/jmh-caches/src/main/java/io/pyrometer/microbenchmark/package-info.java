/** Benchmarks of caches under JMH, and the process that starts a JVM for each of them. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.microbenchmark;
