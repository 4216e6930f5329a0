/** Faults that are caused on purpose: partitions of the network, killed servers. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.fault;
