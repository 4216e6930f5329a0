/** Experiments as files: reading them, judging them, and expanding them to plans. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.experiment;
