/** Latency: merged distributions, and percentiles with enough samples. */
package io.pyrometer.analysis.latency;
