package io.pyrometer.chaos.history;

/** Conclusion of a checker about a history. */
public enum Verdict {
  VALID,
  /** The bound of the search was reached first. */
  UNKNOWN,
  INVALID;

  /** The verdict on two histories together: the later one in this order. */
  public Verdict and(Verdict other) {
    return compareTo(other) < 0 ? other : this;
  }
}
