/** Whether and from when a trial ran steadily, from its samples of throughput over time. */
package io.pyrometer.analysis.steady;
