/** Runs what is measured of Pyrometer itself. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.benchmarks;
