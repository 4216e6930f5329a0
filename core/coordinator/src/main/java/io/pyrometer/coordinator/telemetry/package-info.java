/**
 * What is recorded beside the load of a trial. A new device is one class that implements {@link
 * io.pyrometer.coordinator.telemetry.TelemetryDevice}, its line in {@code META-INF/services}, and,
 * where it needs something inside a worker's JVM, one recorder in {@code worker}.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.telemetry;
