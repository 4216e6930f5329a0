/** What a cluster would do, from the service demands that a run's trials recorded. */
@org.jspecify.annotations.NullMarked
package io.pyrometer.results.capacity;
