package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.AnomalyType;
import java.util.Locale;

/** Levels of isolation, and the anomalies that they rule out (Adya 1999). */
public enum Isolation {
  READ_UNCOMMITTED(AnomalyType.OWN_WRITES, AnomalyType.G0),
  READ_COMMITTED(AnomalyType.OWN_WRITES, AnomalyType.G1C),
  SNAPSHOT(AnomalyType.INTERNAL, AnomalyType.G_NONADJACENT),
  /** The accesses are of single keys, so that phantoms do not occur. */
  SERIALIZABLE(AnomalyType.INTERNAL, AnomalyType.G2),
  /** In addition, a transaction that begins after another has ended follows it. */
  STRICT_SERIALIZABLE(AnomalyType.INTERNAL, AnomalyType.G2);

  private final AnomalyType first;
  private final AnomalyType last;

  /** All types from the first to the last are ruled out. */
  Isolation(AnomalyType first, AnomalyType last) {
    this.first = first;
    this.last = last;
  }

  /** Returns whether a history with such an anomaly is not of this level. */
  public boolean excludes(AnomalyType type) {
    return type.compareTo(first) >= 0 && type.compareTo(last) <= 0;
  }

  /** Words for a person to read. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
