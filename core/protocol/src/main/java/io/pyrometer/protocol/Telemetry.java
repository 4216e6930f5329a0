package io.pyrometer.protocol;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The telemetry devices that an experiment can ask for; the CPU time is always recorded. */
public enum Telemetry {
  /** Garbage collection: pauses, allocation rate, live set, from the JVM's unified logs. */
  GC,
  /** Recordings of Java Flight Recorder. */
  JFR,
  /** CPU and allocation flame graphs of async-profiler. */
  PROFILE,
  /** The product's own metrics. */
  GRID;

  /** All of them, as files name them. */
  public static List<String> words() {
    return Stream.of(values()).map(Telemetry::word).toList();
  }

  /** The name in experiment files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
