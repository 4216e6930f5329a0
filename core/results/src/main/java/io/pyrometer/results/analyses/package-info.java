/** The analyses of a run besides the ranking: scalability, factors, highest rate, demands. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.analyses;
