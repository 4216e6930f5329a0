/** The search for the best of many configurations in few trials, as pure functions. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.analysis.tuning;
