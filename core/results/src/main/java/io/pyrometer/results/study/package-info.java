/**
 * Analyses of anybody's figures: a table with a column for the response and columns for what was
 * varied becomes a page of findings, charts and tables.
 */
package io.pyrometer.results.study;
