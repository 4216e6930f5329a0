package io.pyrometer.load;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;

/**
 * The keys that one load thread draws from: {@code first + i · stride} for the positions {@code i}
 * from 0 to {@code size} − 1.
 *
 * @param first the smallest key
 * @param stride distance of neighbouring keys: 1 where threads share all keys
 * @param size number of keys, at least 1
 */
record KeySpace(long first, long stride, long size) {

  /**
   * The keys that the settings {@code key-sharing} and {@code records} give a thread.
   *
   * @throws IllegalArgumentException if threads have keys of their own and there are fewer records
   *     than threads
   */
  static KeySpace of(Settings settings, LoadThread thread) {
    long records = settings.get(CoreSettings.RECORDS);
    return shared(settings) ? new KeySpace(0, 1, records) : own(thread, records);
  }

  /** Returns whether all load threads draw from the same keys. */
  static boolean shared(Settings settings) {
    return settings.get(CoreSettings.KEY_SHARING).equals("shared");
  }

  /**
   * The keys of 0 … records−1 that no other thread has.
   *
   * @throws IllegalArgumentException if there are fewer records than threads
   */
  static KeySpace own(LoadThread thread, long records) {
    if (records < thread.count()) {
      throw new IllegalArgumentException(
          "%d records are fewer than the %d load threads; set more records."
              .formatted(records, thread.count()));
    }
    KeySpace all = new KeySpace(thread.index(), thread.count(), records);
    return new KeySpace(thread.index(), thread.count(), all.below(records));
  }

  long key(long position) {
    return first + position * stride;
  }

  int position(long key) {
    return (int) ((key - first) / stride);
  }

  boolean contains(long key) {
    return key >= first && (key - first) % stride == 0 && (key - first) / stride < size;
  }

  /** How many of the keys are smaller than this one. */
  long below(long key) {
    return Math.max(0, Math.min(size, (key - first + stride - 1) / stride));
  }
}
