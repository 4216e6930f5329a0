/** Runs against each other: comparison, what a machine can tell at all, and the history of one. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.compare;
