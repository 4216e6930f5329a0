/**
 * The charts of a report: each is a pure function from estimates, series and what the analyses left
 * to an {@link io.pyrometer.report.Figure}, the chart and the table of the same figures.
 */
package io.pyrometer.report.chart;
