/** Verdicts and gates on the difference of treatments. */
package io.pyrometer.analysis.comparison;
