/** Trials that are to be measured next. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.plan;
