package io.pyrometer.protocol;

/**
 * A value that a telemetry device read in one process.
 *
 * @param name what it is of, lower case with hyphens and points, such as {@code sent-bytes}
 * @param value finite
 * @param unit as it is printed, such as {@code ms} or {@code MiB/s}
 */
public record Reading(String name, double value, String unit, Better better) {

  /** Which way the value should go. */
  public enum Better {
    HIGHER,
    LOWER,
    /** It explains other values and is itself neither good nor bad. */
    NEITHER
  }

  /** A value of which less is better. */
  public static Reading lower(String name, double value, String unit) {
    return new Reading(name, value, unit, Better.LOWER);
  }

  /** A value that is neither good nor bad. */
  public static Reading neutral(String name, double value, String unit) {
    return new Reading(name, value, unit, Better.NEITHER);
  }
}
