/**
 * Experiment files: reading and validating them, and what is generated from the same declarations.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.experiment.yaml;
