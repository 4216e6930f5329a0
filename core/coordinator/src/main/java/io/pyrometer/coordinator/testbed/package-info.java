/** Shared parts of a testbed: its exception, short commands on hosts, logs of processes. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed;
