package io.pyrometer.analysis.validity;

import io.pyrometer.analysis.Figures;
import java.util.Locale;

/** A sign that a trial was disturbed, with the limit that it may not pass by default. */
public enum Sign {
  /** The share of the host's CPU time that its hypervisor gave to others. */
  STEAL("CPU time stolen by the host", 0.01, Bound.AT_MOST, Form.SHARE),
  /** How often the cgroup was throttled. */
  THROTTLED("times the cgroup was throttled", 0, Bound.AT_MOST, Form.COUNT),
  /** CPU pressure, some, over ten seconds. */
  CPU_PRESSURE("CPU pressure (some avg10)", 0.10, Bound.AT_MOST, Form.SHARE),
  /** Steps of the wall clock against the monotonic one. */
  CLOCK_STEPS("steps of the clock", 0, Bound.AT_MOST, Form.COUNT),
  /** The share of its cores that the load generator used. */
  CLIENT_CPU("CPU use of the load generator", 0.70, Bound.AT_MOST, Form.SHARE),
  /** The share of the time that the load generator's JVM collected garbage. */
  CLIENT_GC("garbage collection in the load generator", 0.01, Bound.AT_MOST, Form.SHARE),
  /** p99 of how late operations were sent, over the measured p99. */
  SEND_LATENESS("p99 of send lateness over the measured p99", 0.10, Bound.AT_MOST, Form.SHARE),
  /** Achieved over offered rate. */
  ACHIEVED("achieved over offered rate", 0.98, Bound.AT_LEAST, Form.SHARE),
  /** The share of operations that failed. */
  ERRORS("failed operations", 0.001, Bound.AT_MOST, Form.SHARE),
  /** The distance of the hit ratio from the one asked for. */
  HIT_RATIO_OFF(
      "distance of the hit ratio from the one asked for", 0.01, Bound.AT_MOST, Form.SHARE),
  /** Partitions still moving while measured. */
  REBALANCING("partitions moving while measured", 0, Bound.AT_MOST, Form.COUNT),
  /** Settings read back from the grid that differ from the plan's. */
  CONFIGURATION_MISMATCHES("settings that differ from the plan's", 0, Bound.AT_MOST, Form.COUNT),
  /** The generator's own ceiling on the null grid over the result. */
  GENERATOR_HEADROOM("the generator's own ceiling over the result", 3, Bound.AT_LEAST, Form.FACTOR);

  enum Bound {
    AT_MOST,
    AT_LEAST
  }

  enum Form {
    SHARE,
    COUNT,
    FACTOR
  }

  private final String label;
  private final double defaultLimit;
  private final Bound bound;
  private final Form form;

  Sign(String label, double defaultLimit, Bound bound, Form form) {
    this.label = label;
    this.defaultLimit = defaultLimit;
    this.bound = bound;
    this.form = form;
  }

  /** What is measured, for people. */
  public String label() {
    return label;
  }

  /** The limit unless the experiment sets another. */
  public double defaultLimit() {
    return defaultLimit;
  }

  boolean disturbed(double measured, double limit) {
    return bound == Bound.AT_MOST ? measured > limit : measured < limit;
  }

  String limitInWords(double limit) {
    return (bound == Bound.AT_MOST ? "at most " : "at least ") + inWords(limit);
  }

  String inWords(double figure) {
    return switch (form) {
      case SHARE -> Figures.plain(figure * 100) + " %";
      case COUNT -> String.format(Locale.ROOT, "%,.0f", figure);
      case FACTOR -> Figures.plain(figure) + "×";
    };
  }
}
