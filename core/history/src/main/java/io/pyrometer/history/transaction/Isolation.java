package io.pyrometer.history.transaction;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Levels of isolation, and the anomalies that they rule out (Adya 1999). */
public enum Isolation {
  READ_UNCOMMITTED(EnumSet.range(AnomalyType.DUPLICATE_ELEMENTS, AnomalyType.G0)),
  READ_COMMITTED(EnumSet.range(AnomalyType.DUPLICATE_ELEMENTS, AnomalyType.G1C)),
  SNAPSHOT(EnumSet.range(AnomalyType.INTERNAL, AnomalyType.G_NONADJACENT)),
  REPEATABLE_READ(EnumSet.allOf(AnomalyType.class)),
  /** The accesses are of single keys, so that phantoms do not occur. */
  SERIALIZABLE(EnumSet.allOf(AnomalyType.class)),
  /** In addition, a transaction that begins after another has ended follows it. */
  STRICT_SERIALIZABLE(EnumSet.allOf(AnomalyType.class));

  private final Set<AnomalyType> excluded;

  Isolation(Set<AnomalyType> excluded) {
    this.excluded = excluded;
  }

  /** Whether a history with such an anomaly is not of this level. */
  public boolean excludes(AnomalyType type) {
    return excluded.contains(type);
  }

  /** What a person reads. */
  public String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
