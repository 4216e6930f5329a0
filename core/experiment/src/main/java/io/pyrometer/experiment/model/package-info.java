/** Experiments as values, and what their settings may say. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.experiment.model;
