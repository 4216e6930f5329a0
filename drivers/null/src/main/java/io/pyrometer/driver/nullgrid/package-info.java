/**
 * A grid that does next to nothing, in the agent's own process: what is measured against it is the
 * harness itself, and that is the ceiling of what the harness can measure.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.driver.nullgrid;
