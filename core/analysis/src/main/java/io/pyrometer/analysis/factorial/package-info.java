/**
 * Experiments that vary several factors at once: designs, what they cannot tell apart, and the
 * effects that they show (Box, Hunter and Hunter, Statistics for Experimenters; Jain, The Art of
 * Computer Systems Performance Analysis, chapters 16–19).
 */
package io.pyrometer.analysis.factorial;
