package io.pyrometer.driver.ignite;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.cache.event.CacheEntryEvent;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CacheEntryEventSerializableFilter;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.resources.IgniteInstanceResource;

/** Application code that blocks or floods the servers it runs on. */
final class PlantedCode {
  private PlantedCode() {}

  /** An entry processor that waits for something. */
  static final class Blocking implements CacheEntryProcessor<Object, Object, Void> {
    private static final long serialVersionUID = 1L;

    @Override
    public Void process(MutableEntry<Object, Object> entry, Object... none) {
      pause(150);
      entry.setValue("done");
      return null;
    }
  }

  /** An entry processor that computes for a fraction of a millisecond. */
  static final class Computing implements CacheEntryProcessor<Object, Object, Void> {
    private static final long serialVersionUID = 1L;

    @Override
    public Void process(MutableEntry<Object, Object> entry, Object... none) {
      entry.setValue(LongStream.range(0, 50_000).map(i -> i * i % 7).sum());
      return null;
    }
  }

  /** A task that waits for another of the same pool. */
  static final class Nested implements IgniteCallable<Integer> {
    private static final long serialVersionUID = 1L;

    @IgniteInstanceResource private transient Ignite ignite;

    @Override
    public Integer call() {
      return ignite.compute(ignite.cluster().forServers()).call(() -> 1);
    }
  }

  /** A task that computes for about a millisecond. */
  static final class Counting implements IgniteCallable<Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long call() {
      return LongStream.range(0, 200_000).map(i -> i * i % 7).sum();
    }
  }

  /** Takes two locks in one of two orders. */
  static final class Locking implements IgniteRunnable {
    private static final long serialVersionUID = 1L;
    private static final Object ONE = new Object();
    private static final Object OTHER = new Object();
    private final boolean ascending;

    Locking(boolean ascending) {
      this.ascending = ascending;
    }

    @Override
    public void run() {
      synchronized (ascending ? ONE : OTHER) {
        pause(100);
        synchronized (ascending ? OTHER : ONE) {
          pause(1);
        }
      }
    }
  }

  /** Does all its work under one lock. */
  static final class Synchronized implements IgniteRunnable {
    private static final long serialVersionUID = 1L;

    @Override
    public void run() {
      synchronized (Synchronized.class) {
        pause(200);
      }
    }
  }

  /** Calls the collector. */
  static final class Collecting implements IgniteRunnable {
    private static final long serialVersionUID = 1L;

    @Override
    public void run() {
      System.gc();
      pause(200);
    }
  }

  /** A filter of a continuous query that waits for something. */
  static final class Waiting implements CacheEntryEventSerializableFilter<Object, Object> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean evaluate(CacheEntryEvent<?, ?> event) {
      pause(60_000);
      return true;
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
