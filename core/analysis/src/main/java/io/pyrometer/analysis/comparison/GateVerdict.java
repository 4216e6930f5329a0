package io.pyrometer.analysis.comparison;

/** What a gate concludes of one comparison; of several it is the last in this order. */
public enum GateVerdict {
  /** The interval excludes a loss of the smallest relevant difference. */
  PASS(0),
  /** The interval excludes a loss of 3⅓ times that difference, and not of the difference itself. */
  LARGER_LOSS_EXCLUDED(4),
  /** Neither is excluded, or the data give no interval. */
  NOT_ENOUGH_RUNS(3),
  /** A significant loss whose estimate exceeds that difference, or a treatment that was lost. */
  REGRESSION(1);

  private final int exitCode;

  GateVerdict(int exitCode) {
    this.exitCode = exitCode;
  }

  /** Of the command that applies the gate; 2 is that of invalid input, as of every command. */
  public int exitCode() {
    return exitCode;
  }
}
