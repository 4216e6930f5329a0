/** The report of a run: its answer, its page, and the files for other tools. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.page;
