/** The processes of one group of trials: servers that form a grid, and agents that use it. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.testbed.cluster;
