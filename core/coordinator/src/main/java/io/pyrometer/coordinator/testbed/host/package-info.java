/** Hosts that start workers, and the files and JVMs that they need. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.host;
