package io.pyrometer.ignite.writer;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A key as Ignite tells keys apart, by class and encoded form: in Java a {@code Date} equals a
 * {@code Timestamp} of the same instant.
 */
final class Key {
  /** Order of encoded keys: natural within a comparable class, otherwise by class name and hash. */
  @SuppressWarnings("unchecked")
  static final Comparator<Object> LOCK_ORDER =
      (a, b) -> {
        if (a.getClass() != b.getClass()) {
          return a.getClass().getName().compareTo(b.getClass().getName());
        }
        return a instanceof Comparable<?>
            ? ((Comparable<Object>) a).compareTo(b)
            : Integer.compare(a.hashCode(), b.hashCode());
      };

  final Object encoded;
  final int hash; // of the encoded form
  final int partition;

  Key(Object encoded, int partition) {
    this.encoded = encoded;
    this.hash = encoded.hashCode();
    this.partition = partition;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof Key)) {
      return false;
    }
    Key key = (Key) other;
    return hash == key.hash
        && encoded.getClass() == key.encoded.getClass()
        && encoded.equals(key.encoded);
  }

  /** Returns whether the encoded forms are equal in one direction, whatever their classes. */
  boolean isEqualInJava(Key key) {
    return encoded.equals(key.encoded) || key.encoded.equals(encoded);
  }

  /** Mixed, because the hash codes of the keys of a partition have bits in common. */
  @Override
  public int hashCode() {
    return hash * 0x9E3779B9;
  }
}
