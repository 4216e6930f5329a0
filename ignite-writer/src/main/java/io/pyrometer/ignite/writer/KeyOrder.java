package io.pyrometer.ignite.writer;

import java.util.Comparator;

/** Natural order within a comparable class, otherwise by class name and hash. */
enum KeyOrder implements Comparator<Object> {
  INSTANCE;

  @Override
  @SuppressWarnings("unchecked")
  public int compare(Object a, Object b) {
    if (a.getClass() != b.getClass()) {
      return a.getClass().getName().compareTo(b.getClass().getName());
    }
    return a instanceof Comparable<?>
        ? ((Comparable<Object>) a).compareTo(b)
        : Integer.compare(a.hashCode(), b.hashCode());
  }
}
