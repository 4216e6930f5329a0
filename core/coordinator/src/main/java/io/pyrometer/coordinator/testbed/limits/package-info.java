/** Limits to what processes may use of a machine: affinity, CPU quotas, memory. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.limits;
