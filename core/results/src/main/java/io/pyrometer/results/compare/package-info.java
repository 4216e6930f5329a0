/** Comparison of runs, A/A calibration, and the history of one experiment's runs. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.compare;
