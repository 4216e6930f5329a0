package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import javax.cache.event.CacheEntryEvent;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.AbstractContinuousQuery;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.ContinuousQueryWithTransformer;
import org.apache.ignite.cache.query.QueryCursor;
import org.jspecify.annotations.Nullable;

/**
 * Writes one record a call, which ends when every continuous query has told of it: its time is the
 * delay from the write to the event, its rate that of events.
 */
final class ContinuousQueryPath {
  static final SettingKey<String> CONTENT = GridSettings.DECLARED.text("event-content");
  static final SettingKey<Integer> PAGE = GridSettings.DECLARED.integer("event-page");
  static final SettingKey<Double> INTERVAL = GridSettings.DECLARED.seconds("event-interval");

  /** After it, a write whose event did not come fails, and counts as a lost event. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** How long the last flush waits for duplicate events. */
  private static final long REST_MILLIS = 300;

  private ContinuousQueryPath() {}

  static FunctionPath open(IgniteTrial trial) {
    requireSupported(trial);
    IntFunction<Object> values = trial.values();
    if (!trial.writesBinary()) {
      throw new GridException(
          "Events are compared with binary objects: take another 'value-form' than 'object'.");
    }
    IgniteCache<Long, Object> cache = trial.binaryCache();
    CacheEvents events = trial.events;
    boolean counts = events.open(trial);
    EventMatcher matcher = events.matcher();
    return FunctionPath.asynchronous(
            trial.operation(),
            trial.settings().get(PathSettings.IN_FLIGHT),
            1,
            call -> put(cache, matcher, call, values.apply(call.record(0))))
        // Those of all load threads, told by one of them.
        .counting(
            () ->
                Map.of(
                    "events-lost", counts ? matcher.lost() : 0,
                    "events-doubled", counts ? matcher.doubled() : 0))
        .flushing(
            () -> {
              if (counts) {
                Thread.sleep(REST_MILLIS);
              }
            })
        .closing(events::close);
  }

  private static void put(
      IgniteCache<Long, Object> cache, EventMatcher matcher, Call call, Object value) {
    EventMatcher.Write write = matcher.begin(call, value);
    try {
      var unused =
          CachePort.stage(cache.putAsync(call.key(0), value))
              .whenComplete(
                  (none, failure) -> {
                    if (failure != null) {
                      write.failed(failure);
                    }
                  });
    } catch (RuntimeException failure) {
      write.failed(failure);
    }
  }

  /**
   * Refuses settings with which events stay in the servers' buffers, or have no known write.
   *
   * @throws GridException in one sentence
   */
  private static void requireSupported(IgniteTrial trial) {
    Settings settings = trial.settings();
    if (settings.get(PAGE) > 1 && settings.get(INTERVAL) == 0) {
      throw new GridException(
          "With 'event-page' above 1 and 'event-interval' 0 the last events never leave the"
              + " servers: set 'event-interval'.");
    }
    boolean shared = settings.find(CoreSettings.KEY_SHARING).filter("shared"::equals).isPresent();
    if (shared && settings.find(CoreSettings.AGENTS).orElse(1) > 1) {
      throw new GridException(
          "Several agents that share keys cannot tell the events of their own writes from others':"
              + " set 'key-sharing: own'.");
    }
    if (settings.get(CONTENT).equals("key") && !trial.client.serversKnowUs()) {
      throw new GridException(
          "A transformer needs Pyrometer's classes on the servers, which a grid that is attached to"
              + " lacks: leave 'event-content' out.");
    }
  }

  /**
   * The continuous queries of a trial in one agent. Its load threads share them: each query is told
   * of every write to the cache.
   */
  static final class CacheEvents {
    private final List<QueryCursor<?>> queries = new ArrayList<>();
    private EventMatcher matcher = new EventMatcher(0, Duration.ZERO);
    private int users;

    /**
     * Starts the queries where no load thread has yet.
     *
     * @return whether this load thread was the first
     */
    synchronized boolean open(IgniteTrial trial) {
      users++;
      if (users > 1) {
        return false;
      }
      Settings settings = trial.settings();
      matcher = new EventMatcher(settings.get(PathSettings.LISTENERS), TIMEOUT);
      try {
        for (int listener = 0; listener < settings.get(PathSettings.LISTENERS); listener++) {
          queries.add(trial.binaryCache().query(query(settings, listener)));
        }
      } catch (RuntimeException failure) {
        close();
        throw failure;
      }
      return true;
    }

    EventMatcher matcher() {
      return matcher;
    }

    /** Ends the queries with the last load thread that uses them. */
    synchronized void close() {
      users--;
      if (users <= 0) {
        queries.forEach(QueryCursor::close);
        queries.clear();
      }
    }

    private AbstractContinuousQuery<Long, Object> query(Settings settings, int listener) {
      AbstractContinuousQuery<Long, Object> query;
      if (settings.get(CONTENT).equals("key")) {
        ContinuousQueryWithTransformer<Long, Object, Long> keys =
            new ContinuousQueryWithTransformer<>();
        // Runs on servers: sends the key of a record instead of the whole.
        keys.setRemoteTransformerFactory(() -> CacheEntryEvent::getKey);
        keys.setLocalListener(told -> told.forEach(key -> matcher.event(listener, key, null)));
        query = keys;
      } else {
        ContinuousQuery<Long, Object> records = new ContinuousQuery<>();
        records.setLocalListener(
            told ->
                told.forEach(event -> matcher.event(listener, event.getKey(), event.getValue())));
        query = records;
      }
      query.setPageSize(settings.get(PAGE));
      query.setTimeInterval(Math.round(1e3 * settings.get(INTERVAL)));
      return query;
    }
  }

  /**
   * Finds for each event of a cache the write that caused it. A write is done once every listener
   * was told of it; it fails where a listener was not told in time. An event is a duplicate if
   * every write of its key has had one. Keys that this agent never wrote are others'.
   */
  static final class EventMatcher {
    private final int listeners;
    private final Duration timeout;
    private final Map<Long, Deque<Write>> writes = new ConcurrentHashMap<>();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong doubled = new AtomicLong();

    /**
     * @param listeners that are told of each write, from 0
     * @param timeout after which a write whose event did not come fails
     */
    EventMatcher(int listeners, Duration timeout) {
      this.listeners = listeners;
      this.timeout = timeout;
    }

    /** A write whose events are awaited. */
    record Write(Object value, BitSet told, CompletableFuture<Void> end) {

      /** It failed; it may have been carried out, so that its events may come all the same. */
      void failed(Throwable cause) {
        boolean unused = end.completeExceptionally(cause);
      }
    }

    /** Writes of which some listener was not told in time. */
    long lost() {
      return lost.get();
    }

    /** Events that came once more than there were writes. */
    long doubled() {
      return doubled.get();
    }

    /**
     * Begins to await the events of a write; called before the write is handed to the cache, in the
     * order of the writes to a key. An event after the timeout still counts as that of its write.
     */
    Write begin(Call call, Object value) {
      Write write = new Write(value, new BitSet(), new CompletableFuture<>());
      Deque<Write> ofKey = writes.computeIfAbsent(call.key(0), key -> new ArrayDeque<>(2));
      synchronized (ofKey) {
        ofKey.add(write);
      }
      var unused =
          write
              .end
              .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
              .whenComplete((none, failure) -> end(call, failure));
      return write;
    }

    private void end(Call call, @Nullable Throwable failure) {
      if (failure instanceof TimeoutException) {
        lost.incrementAndGet();
        call.failed(
            new IllegalStateException(
                "No event of a write came within %d s.".formatted(timeout.toSeconds())));
      } else {
        FunctionPath.end(call, failure);
      }
    }

    /**
     * A listener is told of a write.
     *
     * @param value as it was written; null where events do not carry it
     */
    void event(int listener, long key, @Nullable Object value) {
      Deque<Write> ofKey = writes.get(key);
      if (ofKey == null) {
        return;
      }
      Write write;
      synchronized (ofKey) {
        write = awaiting(ofKey, listener, value);
        if (write == null) {
          doubled.incrementAndGet();
          return;
        }
        write.told.set(listener);
        if (write.told.cardinality() < listeners) {
          return;
        }
        ofKey.remove(write);
      }
      write.end.complete(null);
    }

    private static @Nullable Write awaiting(
        Deque<Write> ofKey, int listener, @Nullable Object value) {
      for (Write write : ofKey) {
        if (!write.told.get(listener) && (value == null || value.equals(write.value))) {
          return write;
        }
      }
      return null;
    }
  }
}
