/**
 * Linear mixed-effects models: the engine behind every comparison of treatments that were measured
 * in blocks and runs, complete or not.
 */
package io.pyrometer.analysis.mixed;
