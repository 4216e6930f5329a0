/**
 * Guarantee probes: they write versions through an access path, disturb it where they can, and
 * count the keys that do not hold what was acknowledged. Nothing here is timed.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.load.probe;
