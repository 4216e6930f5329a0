/**
 * The charts of a report: each is a pure function from estimates, series and what the analyses left
 * to an {@link io.pyrometer.report.Exhibit}, the chart and the table of the same figures. {@link
 * io.pyrometer.report.chart.Charts} names them all.
 */
package io.pyrometer.report.chart;
