/** The trials of an experiment, in order. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.experiment.plan;
