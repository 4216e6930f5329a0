/** Checks of hosts and of the grid that a run attaches to, before its first trial. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.check;
