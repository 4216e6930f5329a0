package io.pyrometer.protocol;

import java.util.Locale;

/** Telemetry devices that code refers to; {@link CoreSettings#TELEMETRY} has the names of all. */
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
