/** Comparison of runs, and the history of one experiment's runs. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.compare;
