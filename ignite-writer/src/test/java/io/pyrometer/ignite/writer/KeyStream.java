package io.pyrometer.ignite.writer;

import java.util.Random;

/** Keys in the order they are written. */
final class KeyStream {
  private static final int HOT = 2_000;

  private KeyStream() {}

  static Long[] of(String workload, int writes, Random random) {
    Long[] keys = new Long[writes];
    for (int i = 0; i < writes; i++) {
      keys[i] = key(workload, i, writes, random);
    }
    return keys;
  }

  private static long key(String workload, int i, int writes, Random random) {
    return switch (workload) {
      case "unique" -> i;
      case "unique-shuffled" -> Integer.reverse(i) & 0xFFFFFFFFL;
      case "hot80" -> random.nextInt(5) == 0 ? 1_000_000_000L + i : random.nextInt(HOT);
      case "hot80-of-20k" -> random.nextInt(5) == 0 ? 1_000_000_000L + i : random.nextInt(20_000);
      case "repeat30" -> random.nextInt(10) < 3 && i > 0 ? random.nextInt(i) : i;
      case "hot100" -> random.nextInt(HOT);
      default -> throw new IllegalArgumentException("no such workload: " + workload);
    };
  }
}
