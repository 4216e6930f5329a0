package io.pyrometer.chaos.history;

/** Conclusion of a checker about a history. */
public enum Verdict {
  VALID,
  INVALID,
  /** The bound of the search was reached first. */
  UNKNOWN;

  /** The verdict on two histories together. */
  public Verdict and(Verdict other) {
    if (this == INVALID || other == INVALID) {
      return INVALID;
    }
    return this == UNKNOWN || other == UNKNOWN ? UNKNOWN : VALID;
  }
}
