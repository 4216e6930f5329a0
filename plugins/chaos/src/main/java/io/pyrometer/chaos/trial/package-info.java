/** The faults, and the check of the history. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.trial;
