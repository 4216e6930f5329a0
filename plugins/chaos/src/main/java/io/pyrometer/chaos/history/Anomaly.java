package io.pyrometer.chaos.history;

import java.util.List;

/**
 * One anomaly.
 *
 * @param explanation one sentence, or for a cycle one of each dependency
 */
public record Anomaly(AnomalyType type, List<Transaction> transactions, String explanation) {

  /** Kinds of anomalies, after Adya (1999) and Kingsbury and Alvaro (2020). */
  public enum AnomalyType {
    /** A read contradicts what the same transaction read or wrote before. */
    INTERNAL("internal"),
    /** A transaction read its own writes in another order, or before it wrote them. */
    OWN_WRITES("internal, own writes"),
    /** A read of a value that nobody wrote. */
    UNWRITTEN_READ("unwritten-read"),
    /** A list holds an element twice: an append took effect twice. */
    DUPLICATE_ELEMENTS("duplicate elements"),
    /** Two reads of a list are not prefixes of one another. */
    INCOMPATIBLE_ORDER("incompatible order"),
    /** A cycle of overwritten versions. */
    G0("G0, dirty write"),
    /** A read of what a failed transaction wrote. */
    G1A("G1a, aborted read"),
    /** A read of what a transaction overwrote itself. */
    G1B("G1b, intermediate read"),
    /** A committed version follows that of a failed transaction. */
    DIRTY_UPDATE("dirty update"),
    /** A cycle of overwritten and read versions. */
    G1C("G1c, circular information flow"),
    /** Two transactions read one version and both replaced it. */
    LOST_UPDATE("lost update"),
    /** A cycle with exactly one version that was read and replaced. */
    G_SINGLE("G-single, read skew"),
    /** A cycle with several versions that were read and replaced, no two of them in a row. */
    G_NONADJACENT("G-nonadjacent"),
    /** A cycle with versions that were read and replaced. */
    G2("G2, write skew");

    private final String title;

    AnomalyType(String title) {
      this.title = title;
    }

    /** Title for a person to read. */
    public String title() {
      return title;
    }
  }
}
