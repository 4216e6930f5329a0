package io.pyrometer.chaos;

import io.pyrometer.protocol.Daemon;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Memory that the rest of a JVM cannot use for a while, so that it collects all the time. Workers
 * end at the first OutOfMemoryError.
 */
final class FilledHeap {
  /** Of the largest heap, which is left to the rest. */
  private static final double LEFT = 0.04;

  /** Smaller than half of the smallest region of G1, so that a chunk needs none of its own. */
  private static final int CHUNK = 128 << 10;

  private static final long LOOK_MILLIS = 20;

  private final List<byte[]> held = new ArrayList<>();

  private FilledHeap() {}

  /** Returns at once. */
  static void hold(double seconds) {
    Daemon.start(
        "filled-heap", () -> new FilledHeap().fill(System.nanoTime() + (long) (1e9 * seconds)));
  }

  private void fill(long until) {
    while (System.nanoTime() < until) {
      while (free() > LEFT * Runtime.getRuntime().maxMemory()) {
        held.add(new byte[CHUNK]);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException ends) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** What can be allocated without a collection. */
  private static long free() {
    Runtime here = Runtime.getRuntime();
    return here.maxMemory() - here.totalMemory() + here.freeMemory();
  }
}
