/** The machine that the trials run on: what it is, whether it suffices, and what disturbs it. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.machine;
