package io.pyrometer.analysis.comparison;

/** Position of an interval against the smallest relevant difference. */
public enum Verdict {
  /** The interval lies wholly beyond it, on the good side. */
  BETTER,
  /** The interval lies wholly beyond it, on the bad side. */
  WORSE,
  /** The interval lies wholly inside it. */
  NO_RELEVANT_DIFFERENCE,
  /** The interval reaches over a margin: more runs would tell. */
  NOT_ENOUGH_RUNS
}
