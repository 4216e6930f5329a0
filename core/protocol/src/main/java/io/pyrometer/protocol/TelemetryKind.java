package io.pyrometer.protocol;

import java.util.Locale;

/**
 * The telemetry devices. Each has a recorder of the same id in the worker; one whose recordings the
 * coordinator evaluates has a class there as well.
 */
public enum TelemetryKind {
  /** Garbage collection: pauses, allocation rate, live set, from the JVM's unified logs. */
  GC,
  /** CPU and allocation flame graphs of async-profiler. */
  PROFILE,
  /** Times in which a process did not run: suspended, throttled, or for want of a CPU. */
  STALLS,
  /** The product's own metrics. */
  GRID;

  /** The name in experiment files, and the prefix of metrics and artefacts. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
