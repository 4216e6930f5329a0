package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import java.util.List;
import java.util.Map;
import org.apache.ignite.IgniteCache;

/**
 * Writes one record a call, which ends when every continuous query has told of it: its time is the
 * delay from the write to the event, its rate that of events.
 */
final class ContinuousQueryPath implements AccessPath {
  static final SettingKey<String> CONTENT =
      SettingKey.text(
          SettingDescription.choice(
              "event-content",
              Scope.LOAD,
              List.of("record", "key"),
              "What servers send of a write: the record, or only its key by a transformer."));
  static final SettingKey<Integer> PAGE =
      SettingKey.integer(
          SettingDescription.integer(
              "event-page",
              Scope.LOAD,
              1,
              1,
              100_000,
              "Events that a server collects before it sends them (ContinuousQuery.setPageSize)."));
  static final SettingKey<Double> INTERVAL =
      SettingKey.decimal(
          SettingDescription.numeric(
              "event-interval",
              SettingDescription.Type.SECONDS,
              Scope.LOAD,
              0.0,
              0,
              60,
              "After which a server sends what it collected (setTimeInterval); 0 for not before"
                  + " the page is full."));
  static final SettingKey<Double> TIMEOUT =
      SettingKey.decimal(
          SettingDescription.numeric(
              "event-timeout",
              SettingDescription.Type.SECONDS,
              Scope.LOAD,
              10.0,
              0.1,
              3600,
              "After which a write whose event did not come fails, and counts as a lost event."));

  /** How long events that come twice are waited for at the end. */
  private static final long REST_MILLIS = 300;

  static final PathDefinition DEFINITION =
      new PathDefinition(
          PathDescription.write(
              "put-continuous-query",
              Guarantee.OF_ONE,
              "cache.putAsync; a call ends when its event has reached every continuous query.",
              PathSettings.inFlight(100),
              PathSettings.LISTENERS.description(),
              CONTENT.description(),
              PAGE.description(),
              INTERVAL.description(),
              TIMEOUT.description()),
          (context, lane) -> new ContinuousQueryPath(context));

  private final CacheEvents events;
  private final EventMatcher matcher;
  private final boolean counts;
  private final IgniteCache<Long, Object> cache;
  private final RecordValues values;
  private final int window;

  private ContinuousQueryPath(PathContext context) {
    CacheEvents.mustFit(context.settings());
    if (context.settings().get(CONTENT).equals("key") && !context.client().serversKnowUs()) {
      throw new GridException(
          "A transformer needs Pyrometer's classes on the servers, which a grid that is attached to lacks: leave 'event-content' out.");
    }
    values = context.values();
    if (!values.binary()) {
      throw new GridException(
          "Events are compared with binary objects: take another 'value-form' than 'object'.");
    }
    cache = context.binaryCache();
    window = context.settings().get(PathSettings.IN_FLIGHT);
    events = context.events();
    counts = events.open(context);
    matcher = events.matcher();
  }

  @Override
  public int window() {
    return window;
  }

  @Override
  public int recordsPerCall() {
    return 1;
  }

  @Override
  public List<String> operations() {
    return List.of("event");
  }

  /** Those of all load threads, told by one of them. */
  @Override
  public Map<String, Long> events() {
    return Map.of(
        "events-lost",
        counts ? matcher.lost() : 0,
        "events-doubled",
        counts ? matcher.doubled() : 0);
  }

  @Override
  public void call(Call call) {
    Object value = values.get(call.record(0));
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

  @Override
  public void flush() throws InterruptedException {
    if (counts) {
      Thread.sleep(REST_MILLIS);
    }
  }

  @Override
  public void close() {
    events.close();
  }
}
