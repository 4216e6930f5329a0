/** The analyses of a run besides the ranking: scalability, factors, capacity. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.analyses;
