/** The processes that call the grid, and what they record. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.chaos.worker;
