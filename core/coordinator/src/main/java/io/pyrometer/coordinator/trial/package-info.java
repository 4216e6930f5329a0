/** Trials: what turns a treatment into a record, and the faults that are caused meanwhile. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.trial;
