package io.pyrometer.driver.ignite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.processor.MutableEntry;
import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CacheEntryEventSerializableFilter;
import org.apache.ignite.cache.CacheEntryProcessor;
import org.apache.ignite.cache.store.CacheStoreAdapter;
import org.apache.ignite.events.Event;
import org.apache.ignite.lang.IgniteBiPredicate;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.lang.IgnitePredicate;
import org.apache.ignite.lang.IgniteRunnable;
import org.apache.ignite.resources.IgniteInstanceResource;

/** Application code that blocks or floods the servers it runs on. */
final class PlantedCode {
  private PlantedCode() {}

  /** An entry processor that waits for something. */
  static final class Blocking implements CacheEntryProcessor<Object, Object, Void> {
    private static final long serialVersionUID = 1L;
    private final long millis;

    Blocking(long millis) {
      this.millis = millis;
    }

    @Override
    public Void process(MutableEntry<Object, Object> entry, Object... none) {
      pause(millis);
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
      pause(500);
      return true;
    }
  }

  /** A job that waits for another system. */
  static final class Calling implements IgniteCallable<Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer call() {
      callService(1_000);
      return 1;
    }
  }

  /** A store that takes long for each record; its factory needs it to be public. */
  public static final class SlowStore extends CacheStoreAdapter<Object, Object> {
    @Override
    public Object load(Object key) {
      callService(150);
      return "loaded";
    }

    @Override
    public void write(Cache.Entry<?, ?> entry) {
      callService(150);
    }

    @Override
    public void delete(Object key) {
      callService(150);
    }
  }

  /** The filter of a scan query that looks for a value. */
  static final class Equal implements IgniteBiPredicate<Object, Object> {
    private static final long serialVersionUID = 1L;
    private final String wanted;

    Equal(String wanted) {
      this.wanted = wanted;
    }

    @Override
    public boolean apply(Object key, Object value) {
      return wanted.equals(value);
    }
  }

  /** A listener that digests each event, for a log of who changed what. */
  static final class Audit implements IgnitePredicate<Event> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean apply(Event event) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        return digest.digest(event.toString().getBytes(UTF_8)).length > 0;
      } catch (NoSuchAlgorithmException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  /** Waits for a service that does not answer in time. */
  static void callService(int millis) {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket service = new ServerSocket(0, 1, here);
        Socket call = new Socket(here, service.getLocalPort())) {
      call.setSoTimeout(millis);
      if (call.getInputStream().read() >= 0) {
        throw new IllegalStateException("The service answered.");
      }
    } catch (SocketTimeoutException late) {
      // As planted.
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
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
