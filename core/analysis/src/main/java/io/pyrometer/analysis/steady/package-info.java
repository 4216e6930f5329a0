/** Steady state of a trial, from its samples of throughput over time. */
package io.pyrometer.analysis.steady;
