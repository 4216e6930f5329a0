package io.pyrometer.ignite.writer;

import java.util.Comparator;

/**
 * A key as Ignite tells keys apart, by class and encoded form: in Java a {@code Date} equals a
 * {@code Timestamp} of the same instant.
 *
 * @param hash the hash code of the encoded form
 */
record Key(Object encoded, int hash, int partition) {
  /** Of encoded keys: natural within a comparable class, otherwise by class name and hash. */
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

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key
        && hash == key.hash
        && encoded.getClass() == key.encoded.getClass()
        && encoded.equals(key.encoded);
  }

  /** Mixed, because the hash codes of the keys of a partition have bits in common. */
  @Override
  public int hashCode() {
    return hash * 0x9E3779B9;
  }
}
