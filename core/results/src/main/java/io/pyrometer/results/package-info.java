/** What the journals of runs say. Everything here reads run folders alone. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results;
