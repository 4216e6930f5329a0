/**
 * Recorders of telemetry devices inside a worker's JVM. A new recorder is one class that implements
 * {@link io.pyrometer.worker.recorders.Recorder} and one line in {@code META-INF/services}.
 */
@org.jspecify.annotations.NullMarked
package io.pyrometer.worker.recorders;
