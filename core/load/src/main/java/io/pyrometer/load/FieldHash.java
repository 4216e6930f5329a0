package io.pyrometer.load;

import java.util.Arrays;
import java.util.Date;

/** 64-bit hashes of field values that do not depend on how a product stores them. */
final class FieldHash {

  private FieldHash() {}

  /** The hash of field values in order; null is a distinct value. */
  static long of(Object[] fields) {
    long hash = 0x9E3779B97F4A7C15L;
    for (Object field : fields) {
      hash = mix(hash, of(field));
    }
    return hash;
  }

  static long keyed(long key, long fieldsHash) {
    return mix(fieldsHash, key);
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014) over the two words. */
  static long mix(long a, long b) {
    long z = a * 0xD1342543DE82EF95L + b + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private static long of(@org.jspecify.annotations.Nullable Object field) {
    if (field == null) {
      return 0;
    }
    if (field instanceof byte[] bytes) {
      return Arrays.hashCode(bytes);
    }
    if (field instanceof Date date) {
      return date.getTime();
    }
    if (field instanceof Double number) {
      return Double.doubleToLongBits(number);
    }
    if (field instanceof Number number && !(field instanceof Float)) {
      return number.longValue();
    }
    return field.hashCode();
  }
}
