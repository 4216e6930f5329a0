/** Values with their intervals: means of replicates, ratios, two levels of variance, stopping. */
package io.pyrometer.analysis.estimate;
