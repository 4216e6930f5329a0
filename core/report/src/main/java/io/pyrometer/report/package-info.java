/**
 * Results for people and for other tools: a {@link io.pyrometer.report.Page} is written as one HTML
 * file that needs no network, its tables also for the terminal, as CSV and as Markdown, and
 * verdicts as JUnit XML. Everything here is a function of records; nothing is measured or judged.
 */
package io.pyrometer.report;
