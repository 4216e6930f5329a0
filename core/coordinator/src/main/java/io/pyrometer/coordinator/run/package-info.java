/** The coordinator: carries a plan out, group by group, trial by trial, into the journal. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.run;
