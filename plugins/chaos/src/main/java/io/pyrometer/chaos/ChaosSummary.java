package io.pyrometer.chaos;

import io.pyrometer.chaos.history.Verdict;
import java.util.List;

/**
 * Outcome of the promise of one trial, as its folder keeps it.
 *
 * @param promise such as {@code linearizable}
 * @param operations that were answered or may have taken effect
 * @param unanswered of those
 * @param outageSeconds the longest time without an answered operation
 * @param faults in order
 * @param counterexample empty unless the verdict is invalid
 * @param text the counterexample for the terminal, or why the verdict is not known; empty if valid
 * @param seed that repeats the same faults and operations
 * @param unpromised whether the product does not promise this under these faults; absent from older
 *     runs
 */
public record ChaosSummary(
    String promise,
    Verdict verdict,
    long operations,
    long unanswered,
    double outageSeconds,
    List<Span> faults,
    List<Span> counterexample,
    String text,
    long seed,
    boolean unpromised) {
  /** The kind of the artefact. */
  public static final String KIND = "chaos";

  /**
   * An operation or a fault.
   *
   * @param of the process, or empty for a fault
   * @param fromMillis since the begin of the history
   */
  public record Span(String of, String name, double fromMillis, double millis) {}
}
