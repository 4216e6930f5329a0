/** Rankings of a run's treatments by throughput or, in open loops, by p99. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.ranking;
