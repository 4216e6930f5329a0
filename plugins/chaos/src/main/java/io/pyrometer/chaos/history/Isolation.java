package io.pyrometer.chaos.history;

import io.pyrometer.chaos.history.Anomaly.Type;
import java.util.Locale;

/** Levels of isolation, and the anomalies that they rule out (Adya 1999). */
public enum Isolation {
  READ_UNCOMMITTED(Type.OWN_WRITES, Type.G0),
  READ_COMMITTED(Type.OWN_WRITES, Type.G1C),
  SNAPSHOT(Type.INTERNAL, Type.G_NONADJACENT),
  REPEATABLE_READ(Type.INTERNAL, Type.G2),
  /** The accesses are of single keys, so that phantoms do not occur. */
  SERIALIZABLE(Type.INTERNAL, Type.G2),
  /** In addition, a transaction that begins after another has ended follows it. */
  STRICT_SERIALIZABLE(Type.INTERNAL, Type.G2);

  private final Type first;
  private final Type last;

  /** All types from the first to the last are ruled out. */
  Isolation(Type first, Type last) {
    this.first = first;
    this.last = last;
  }

  /** Whether a history with such an anomaly is not of this level. */
  public boolean excludes(Type type) {
    return type.compareTo(first) >= 0 && type.compareTo(last) <= 0;
  }

  /** What a person reads. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
