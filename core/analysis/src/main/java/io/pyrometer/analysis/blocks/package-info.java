/** Least squares in randomised blocks: contrasts of treatments, outliers, dependent blocks. */
package io.pyrometer.analysis.blocks;
