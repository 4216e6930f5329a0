/** The trial kind that breaks a grid and checks the history of what it answered. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos;
