package io.pyrometer.ignite.writer;

/**
 * A key as Ignite compares it: by its class and encoded form. In Java a {@code Date} equals a
 * {@code Timestamp} of the same instant.
 *
 * @param hash the hash code of the object
 */
record EncodedKey(Object object, int hash, int partition) {
  @Override
  public boolean equals(Object other) {
    return other instanceof EncodedKey key
        && key.hash == hash
        && key.object.getClass() == object.getClass()
        && key.object.equals(object);
  }

  /** Mixed, because the hash codes of the keys of a partition have bits in common. */
  @Override
  public int hashCode() {
    return hash * 0x9E3779B9;
  }
}
