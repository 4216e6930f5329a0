/** Findings of a search for the best configuration. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.tuning;
