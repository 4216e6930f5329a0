/** What a search for the best configuration found. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.tuning;
