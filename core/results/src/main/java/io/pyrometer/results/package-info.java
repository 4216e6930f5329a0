/** Results in the journals of runs. Everything here reads run folders alone. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results;
