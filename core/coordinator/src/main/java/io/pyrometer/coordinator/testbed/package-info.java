/** What all parts of a testbed share: its exception, short commands on hosts, logs of processes. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed;
