package io.pyrometer.analysis.comparison;

/** Outcome of a gate for one row; of several rows it is the last in this order. */
public enum GateVerdict {
  /** The interval excludes a loss of the smallest relevant difference. */
  PASS(0),
  /** Neither a pass nor a regression. */
  NOT_DECIDED(3),
  /** A significant loss whose estimate exceeds the smallest relevant difference. */
  REGRESSION(1);

  private final int exitCode;

  GateVerdict(int exitCode) {
    this.exitCode = exitCode;
  }

  /**
   * Exit code of the command that applies the gate; 2 is that of invalid input, as of every
   * command.
   */
  public int exitCode() {
    return exitCode;
  }
}
