/** What a product implements so that benchmarks of caches can run it under JMH. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.benchmark;
