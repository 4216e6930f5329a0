/** Promises by fault. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.report;
