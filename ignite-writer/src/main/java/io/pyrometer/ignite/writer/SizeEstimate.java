package io.pyrometer.ignite.writer;

import java.util.function.ToLongBiFunction;
import org.apache.ignite.binary.BinaryObject;

/** What an entry takes in memory, in bytes: near for strings, arrays and binary objects. */
final class SizeEstimate {
  /** Table, slot and future of one entry. */
  static final long PER_ENTRY = 72;

  /** A stage that a caller derives from the future of a write that was merged with others. */
  static final long PER_MERGED_WRITE = 96;

  private static final long UNKNOWN = 256;

  private SizeEstimate() {}

  static <K, V> ToLongBiFunction<K, V> standard() {
    return (key, value) -> of(key) + of(value);
  }

  private static long of(Object object) {
    if (object instanceof Number || object instanceof Boolean || object instanceof Character) {
      return 24;
    }
    if (object instanceof CharSequence text) {
      return 48 + 2L * text.length();
    }
    if (object instanceof byte[] array) {
      return 16L + array.length;
    }
    if (object instanceof BinaryObject binary) {
      return 64L + binary.size();
    }
    return object.getClass().isArray() ? arrayBytes(object) : UNKNOWN;
  }

  private static long arrayBytes(Object array) {
    return 16 + 8L * java.lang.reflect.Array.getLength(array);
  }
}
