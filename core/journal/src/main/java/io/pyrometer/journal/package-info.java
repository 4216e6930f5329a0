/** The folder of a run: what was to be done, where, and what every finished trial left. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.journal;
