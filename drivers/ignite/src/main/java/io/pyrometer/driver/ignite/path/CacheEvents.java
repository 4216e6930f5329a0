package io.pyrometer.driver.ignite.path;

import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.cache.configuration.FactoryBuilder;
import javax.cache.event.CacheEntryEvent;
import org.apache.ignite.cache.query.AbstractContinuousQuery;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.cache.query.ContinuousQueryWithTransformer;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.lang.IgniteClosure;

/**
 * The continuous queries of a trial in one agent. Its load threads share them: each query is told
 * of every write to the cache.
 */
final class CacheEvents {
  private static final long SWEEP_MILLIS = 50;

  private final List<QueryCursor<?>> queries = new ArrayList<>();
  private EventMatcher matcher = new EventMatcher(0, 0);
  private Optional<ScheduledExecutorService> sweeper = Optional.empty();
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
    matcher =
        new EventMatcher(settings.get(PathSettings.LISTENERS), ContinuousQueryPath.TIMEOUT_NANOS);
    try {
      for (int listener = 0; listener < settings.get(PathSettings.LISTENERS); listener++) {
        queries.add(trial.binaryCache().query(query(settings, listener)));
      }
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
    ScheduledExecutorService begun =
        Executors.newSingleThreadScheduledExecutor(Daemon.factory("event-sweeper"));
    Future<?> unused =
        begun.scheduleWithFixedDelay(
            () -> matcher.expire(System.nanoTime()),
            SWEEP_MILLIS,
            SWEEP_MILLIS,
            TimeUnit.MILLISECONDS);
    sweeper = Optional.of(begun);
    return true;
  }

  EventMatcher matcher() {
    return matcher;
  }

  /** Ends the queries with the last load thread that uses them. */
  synchronized void close() {
    users--;
    if (users <= 0) {
      sweeper.ifPresent(ScheduledExecutorService::shutdownNow);
      queries.forEach(QueryCursor::close);
      queries.clear();
    }
  }

  private AbstractContinuousQuery<Long, Object> query(Settings settings, int listener) {
    AbstractContinuousQuery<Long, Object> query;
    if (settings.get(ContinuousQueryPath.CONTENT).equals("key")) {
      ContinuousQueryWithTransformer<Long, Object, Long> keys =
          new ContinuousQueryWithTransformer<>();
      keys.setRemoteTransformerFactory(FactoryBuilder.factoryOf(new KeyOf()));
      keys.setLocalListener(told -> told.forEach(key -> matcher.event(listener, key, null)));
      query = keys;
    } else {
      ContinuousQuery<Long, Object> records = new ContinuousQuery<>();
      records.setLocalListener(
          told -> told.forEach(event -> matcher.event(listener, event.getKey(), event.getValue())));
      query = records;
    }
    query.setPageSize(settings.get(ContinuousQueryPath.PAGE));
    query.setTimeInterval(Math.round(1e3 * settings.get(ContinuousQueryPath.INTERVAL)));
    return query;
  }

  /** Runs on servers: sends the key of a record instead of the whole. */
  static final class KeyOf
      implements IgniteClosure<CacheEntryEvent<? extends Long, ? extends Object>, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long apply(CacheEntryEvent<? extends Long, ? extends Object> event) {
      return event.getKey();
    }
  }
}
