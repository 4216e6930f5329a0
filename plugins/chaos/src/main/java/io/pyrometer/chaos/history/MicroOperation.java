package io.pyrometer.chaos.history;

import java.util.List;

/**
 * One access of a transaction: {@code ["r", k, v]}, {@code ["w", k, v]} or {@code ["append", k,
 * v]}.
 *
 * @param value written, appended or read; of a read of a list the whole list
 */
public record MicroOperation(Kind kind, Object key, Object value) {

  /** What is done to the key. */
  public enum Kind {
    READ("r"),
    WRITE("w"),
    APPEND("append");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The name of the kind in a history file. */
    public String word() {
      return word;
    }
  }

  /**
   * @throws IllegalArgumentException with one sentence if the value is none
   */
  static MicroOperation of(Object value) {
    if (value instanceof List<?> triple && triple.size() == 3) {
      for (Kind kind : Kind.values()) {
        if (kind.word().equals(triple.get(0))) {
          return new MicroOperation(kind, triple.get(1), triple.get(2));
        }
      }
    }
    throw new IllegalArgumentException(
        "A transaction has the operation %s; use [r, k, v], [w, k, v] or [append, k, v]."
            .formatted(value));
  }

  boolean reads() {
    return kind == Kind.READ;
  }

  boolean isListRead() {
    return reads() && value instanceof List<?>;
  }

  /** The elements that a read of a list found. */
  List<?> list() {
    return value instanceof List<?> list ? list : List.of();
  }
}
