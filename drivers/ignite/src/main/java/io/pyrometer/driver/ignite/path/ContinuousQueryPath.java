package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.ignite.IgniteCache;

/**
 * Writes one record a call, which ends when every continuous query has told of it: its time is the
 * delay from the write to the event, its rate that of events.
 */
final class ContinuousQueryPath {
  static final SettingKey<String> CONTENT = GridSettings.DECLARED.text("event-content");
  static final SettingKey<Integer> PAGE = GridSettings.DECLARED.integer("event-page");
  static final SettingKey<Double> INTERVAL = GridSettings.DECLARED.seconds("event-interval");

  /** After it, a write whose event did not come fails, and counts as a lost event. */
  static final long TIMEOUT_NANOS = 10_000_000_000L;

  /** How long the last flush waits for duplicate events. */
  private static final long REST_MILLIS = 300;

  static final IgnitePath DEFINITION =
      new IgnitePath("put-continuous-query", ContinuousQueryPath::open);

  private ContinuousQueryPath() {}

  private static FunctionPath open(IgniteTrial trial) {
    requireSupported(trial);
    IntFunction<Object> values = trial.values();
    if (!trial.writesBinary()) {
      throw new GridException(
          "Events are compared with binary objects: take another 'value-form' than 'object'.");
    }
    IgniteCache<Long, Object> cache = trial.binaryCache();
    CacheEvents events = trial.events();
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
    EventMatcher.Write write = matcher.begin(call, value, System.nanoTime());
    try {
      cache
          .putAsync(call.key(0), value)
          .listen(
              put -> {
                try {
                  put.get();
                } catch (RuntimeException failure) {
                  matcher.failed(write, failure);
                }
              });
    } catch (RuntimeException failure) {
      matcher.failed(write, failure);
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
}
