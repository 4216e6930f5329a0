package io.pyrometer.protocol;

/**
 * One piece of background work that a product did, such as a checkpoint.
 *
 * @param startMillis since 1970
 * @param millis how long it took
 */
public record GridActivity(long startMillis, long millis) {
  /** The file in which the recorder of grid metrics keeps them: by kind a list of them, as JSON. */
  public static final String FILE = "activities.json";

  /** Since 1970. */
  public long endMillis() {
    return startMillis + millis;
  }
}
