package io.pyrometer.protocol;

/**
 * One piece of background work that a product or its JVM did, such as a checkpoint, or a stall.
 *
 * @param startMillis since 1970
 * @param millis how long it took
 */
public record GridActivity(long startMillis, long millis) {
  /** The kind of times in which a process did not run; see {@link TelemetryKind#STALLS}. */
  public static final String STALL = "stalls";

  /** The kind of times in which the JVM compiled, recorded with the stalls. */
  public static final String COMPILATION = "JIT";

  /** The file in which recorders keep them: by kind a list of them, as JSON. */
  public static final String FILE = "activities.json";

  /** Since 1970. */
  public long endMillis() {
    return startMillis + millis;
  }
}
