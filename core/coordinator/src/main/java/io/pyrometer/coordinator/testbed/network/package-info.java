/** The network between processes: namespaces of this machine and the shape of their links. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.network;
