/**
 * Recordings made beside the load of a trial. A new device is a choice of the setting {@code
 * telemetry}, a recorder in {@code worker} and its line in {@code META-INF/services}. Only a device
 * that evaluates its recordings on the coordinator also needs a {@link
 * io.pyrometer.coordinator.telemetry.TelemetryDevice}.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.coordinator.telemetry;
