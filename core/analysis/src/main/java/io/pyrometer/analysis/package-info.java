/**
 * Pure functions from observations to findings: no file, no clock, no global random. What is common
 * to all analyses lives here: {@link io.pyrometer.analysis.Observation} goes in, {@link
 * io.pyrometer.analysis.Estimate} and {@link io.pyrometer.analysis.Finding} come out, and figures
 * that cannot be analysed are refused with a {@link io.pyrometer.analysis.BadDataException}.
 */
package io.pyrometer.analysis;
