/** Worker processes: where they are started, what is said to them, and that none is left behind. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed;
