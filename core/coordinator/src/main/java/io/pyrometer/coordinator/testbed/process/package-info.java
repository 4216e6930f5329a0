/** Worker processes: their start and limits, their commands and their end. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.process;
