/**
 * Pure functions from observations to numbers: no file, no clock, no global random, no sentences
 * but those of a {@link io.pyrometer.analysis.BadDataException}. Common to all analyses are {@link
 * io.pyrometer.analysis.Observation} and {@link io.pyrometer.analysis.Estimate}.
 */
package io.pyrometer.analysis;
