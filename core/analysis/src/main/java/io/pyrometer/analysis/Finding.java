package io.pyrometer.analysis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One sentence that an analysis concluded, the estimates behind it, and what would change it.
 *
 * @param kind what the sentence is about
 * @param severity how much it should worry the reader
 * @param sentence what an engineer can act on, ending in a full stop
 * @param estimates label to estimate, in the order to be shown; may be empty
 * @param wouldChange what would overturn or settle the sentence, itself a sentence
 */
public record Finding(
    Kind kind,
    Severity severity,
    String sentence,
    Map<String, Estimate> estimates,
    String wouldChange) {
  /** What a finding is about. */
  public enum Kind {
    /** An estimate of one treatment. */
    ESTIMATE,
    /** A difference between treatments that is relevant, or is shown not to be. */
    COMPARISON,
    /** More runs are needed before anything can be said. */
    NOT_ENOUGH_RUNS,
    /** How throughput goes with the number of nodes or clients. */
    SCALABILITY,
    /** The effect of a factor, or of several together, on the response. */
    EFFECT,
    /** Effects that this design cannot tell apart. */
    ALIASED,
    /** A run that does not belong with the others. */
    OUTLYING_RUN,
    /** Blocks that resemble their predecessors, so that intervals may be too narrow. */
    DEPENDENT_BLOCKS,
    /** What to run next. */
    FOLLOW_UP,
    /** Whether a trial settled. */
    STEADY_STATE,
    /** What may be said about latency. */
    LATENCY,
    /** Something outside the experiment disturbed a trial. */
    DISTURBED,
    /** A fault in the configuration or the use of a grid. */
    DIAGNOSIS
  }

  /** How much a finding should worry its reader. */
  public enum Severity {
    /** Good or neutral. */
    INFO,
    /** To be known before the figures are used. */
    NOTICE,
    /** The figures cannot be used as they are, or a regression was found. */
    WARNING
  }

  /** Copies the estimates, keeping their order. */
  public Finding {
    if (sentence.isBlank() || wouldChange.isBlank()) {
      throw new BadDataException("A finding needs its sentence and what would change it.");
    }
    estimates = Collections.unmodifiableMap(new LinkedHashMap<>(estimates));
  }

  /** Two estimates in this order, and room for more; Map.of has another order in each process. */
  public static Map<String, Estimate> estimates(
      String name, Estimate estimate, String another, Estimate other) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    estimates.put(name, estimate);
    estimates.put(another, other);
    return estimates;
  }

  /** Good or neutral, without estimates. */
  public static Finding info(Kind kind, String sentence, String wouldChange) {
    return info(kind, sentence, Map.of(), wouldChange);
  }

  /** The same with the estimates behind it. */
  public static Finding info(
      Kind kind, String sentence, Map<String, Estimate> estimates, String wouldChange) {
    return new Finding(kind, Severity.INFO, sentence, estimates, wouldChange);
  }

  /** To be known before the figures are used, without estimates. */
  public static Finding notice(Kind kind, String sentence, String wouldChange) {
    return notice(kind, sentence, Map.of(), wouldChange);
  }

  /** The same with the estimates behind it. */
  public static Finding notice(
      Kind kind, String sentence, Map<String, Estimate> estimates, String wouldChange) {
    return new Finding(kind, Severity.NOTICE, sentence, estimates, wouldChange);
  }

  /** Of figures that cannot be used as they are, without estimates. */
  public static Finding warning(Kind kind, String sentence, String wouldChange) {
    return warning(kind, sentence, Map.of(), wouldChange);
  }

  /** The same with the estimates behind it. */
  public static Finding warning(
      Kind kind, String sentence, Map<String, Estimate> estimates, String wouldChange) {
    return new Finding(kind, Severity.WARNING, sentence, estimates, wouldChange);
  }

  /** The same finding, whose sentence starts with a title and a colon. */
  public Finding under(String title) {
    return new Finding(kind, severity, title + ": " + afterColon(sentence), estimates, wouldChange);
  }

  /** A sentence or title as it continues after a colon; a first word in capitals stays. */
  public static String afterColon(String text) {
    boolean word = text.length() > 1 && !Character.isUpperCase(text.charAt(1));
    return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
  }
}
