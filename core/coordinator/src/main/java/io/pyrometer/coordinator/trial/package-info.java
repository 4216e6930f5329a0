/** Trials: what turns a treatment into a record. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.trial;
