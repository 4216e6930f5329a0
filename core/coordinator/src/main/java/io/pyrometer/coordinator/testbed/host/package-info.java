/**
 * Hosts that start workers: the files and JVMs they need, and the processes as the coordinator sees
 * them.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.host;
