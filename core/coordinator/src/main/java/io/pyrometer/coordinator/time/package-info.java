/** The passage of time as the coordinator sees it, so that tests can run on a virtual clock. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.time;
