package io.pyrometer.driver.ignite.path;

import static io.pyrometer.protocol.PathDescription.mix;
import static io.pyrometer.protocol.PathDescription.read;
import static io.pyrometer.protocol.PathDescription.write;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.client.CachePort;
import io.pyrometer.driver.ignite.data.Maxima;
import io.pyrometer.driver.ignite.data.RecordValues;
import io.pyrometer.driver.ignite.path.PathDefinition.Cache;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingDescription;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Single records and batches by the calls of a cache, through a thick and through a thin client.
 */
final class CachePaths {
  /** Either of two writes to a key may remain. */
  static final Guarantee UNORDERED = new Guarantee(true, false, true, false);

  private static final SettingDescription LARGE_BATCH = PathSettings.batch(10_000);

  static final List<PathDefinition> THICK_WRITES =
      List.of(
          writing(
              write("put", Guarantee.OF_ONE, "cache.put, one record after the other.").asPlainest(),
              PathContext::thick,
              CachePaths::put),
          writing(
              write(
                  "put-async",
                  Guarantee.OF_ONE,
                  "cache.putAsync, a window of single records in flight.",
                  PathSettings.inFlight(400)),
              PathContext::thick,
              CachePaths::putAsync),
          writing(
              write(
                  "put-all",
                  Guarantee.OF_MANY,
                  "cache.putAll, one batch after the other.",
                  LARGE_BATCH,
                  PathContext.MAP.description()),
              PathContext::thick,
              CachePaths::putAll),
          writing(
              write(
                  "put-all-async",
                  UNORDERED,
                  "cache.putAllAsync, several batches in flight.",
                  LARGE_BATCH,
                  PathSettings.inFlight(4),
                  PathContext.MAP.description()),
              PathContext::thick,
              CachePaths::putAllAsync));

  static final List<PathDefinition> THIN_WRITES =
      List.of(
          writing(
              ThinClients.path(
                  write(
                      "thin-put",
                      Guarantee.OF_ONE,
                      "A thin client's put, one record after the other.")),
              PathContext::thin,
              CachePaths::put),
          writing(
              ThinClients.path(
                  write(
                      "thin-put-async",
                      UNORDERED,
                      "A thin client's putAsync, a window of single records in flight.",
                      PathSettings.inFlight(400))),
              PathContext::thin,
              CachePaths::putAsync),
          writing(
              ThinClients.path(
                  write(
                      "thin-put-all",
                      Guarantee.OF_MANY,
                      "A thin client's putAll, one batch after the other.",
                      LARGE_BATCH,
                      PathContext.MAP.description())),
              PathContext::thin,
              CachePaths::putAll),
          writing(
              ThinClients.path(
                  write(
                      "thin-put-all-async",
                      UNORDERED,
                      "A thin client's putAllAsync, several batches in flight.",
                      LARGE_BATCH,
                      PathSettings.inFlight(4),
                      PathContext.MAP.description())),
              PathContext::thin,
              CachePaths::putAllAsync));

  static final List<PathDefinition> READS =
      List.of(
          get(
              read("get", "cache.get of every key, one after the other.").asPlainest(),
              PathContext::thick,
              Cache.ANY),
          get(
              read("near-get", "cache.get of every key through a near cache in the client."),
              PathContext::thick,
              Cache.NEAR),
          getAll(
              read("get-all", "cache.getAll of the keys in batches.", PathSettings.batch(1_000)),
              PathContext::thick),
          get(
              ThinClients.path(
                  read("thin-get", "A thin client's get of every key, one after the other.")),
              PathContext::thin,
              Cache.ANY),
          getAll(
              ThinClients.path(
                  read(
                      "thin-get-all",
                      "A thin client's getAll of the keys in batches.",
                      PathSettings.batch(1_000))),
              PathContext::thin));

  static final List<PathDefinition> MIXES =
      List.of(
          writing(
              mix("mixed", Guarantee.OF_ONE, "cache.get and cache.put, one record after the other.")
                  .asPlainest(),
              PathContext::thick,
              CachePaths::mixed),
          writing(
              ThinClients.path(
                  mix(
                      "thin-mixed",
                      Guarantee.OF_ONE,
                      "A thin client's get and put, one record after the other.")),
              PathContext::thin,
              CachePaths::mixed));

  private CachePaths() {}

  /** Opens the cache through one kind of client. */
  @FunctionalInterface
  interface Client {

    /**
     * @param binary whether values are taken and given as binary objects
     */
    CachePort<Long> open(PathContext context, boolean binary);
  }

  /** Opens a path that hands values to a cache. */
  @FunctionalInterface
  interface Writing {
    FunctionPath open(PathContext context, CachePort<Long> cache, RecordValues values);
  }

  static PathDefinition writing(PathDescription description, Client client, Writing path) {
    return new PathDefinition(
        description,
        context -> {
          RecordValues values = context.values();
          CachePort<Long> cache = client.open(context, values.binary());
          return path.open(context, cache, values).dropping(context.mayDrop());
        });
  }

  private static FunctionPath put(PathContext context, CachePort<Long> cache, RecordValues values) {
    return FunctionPath.writing(
            "put", 1, call -> cache.put(call.key(0), values.get(call.record(0))))
        .closing(cache);
  }

  /** A server's threads may carry those of a thin client out in another order. */
  private static FunctionPath putAsync(
      PathContext context, CachePort<Long> cache, RecordValues values) {
    return FunctionPath.asynchronous(
            "put",
            context.settings().get(PathSettings.IN_FLIGHT),
            1,
            call -> cache.putAsync(call.key(0), values.get(call.record(0)), call))
        .closing(cache);
  }

  private static FunctionPath putAll(
      PathContext context, CachePort<Long> cache, RecordValues values) {
    IntFunction<Map<Long, Object>> batches = context.batches();
    return FunctionPath.writing(
            "put-all",
            context.settings().get(PathSettings.BATCH),
            call -> cache.putAll(batch(call, values, batches)))
        .closing(cache);
  }

  private static FunctionPath putAllAsync(
      PathContext context, CachePort<Long> cache, RecordValues values) {
    IntFunction<Map<Long, Object>> batches = context.batches();
    return FunctionPath.asynchronous(
            "put-all",
            context.settings().get(PathSettings.IN_FLIGHT),
            context.settings().get(PathSettings.BATCH),
            call -> cache.putAllAsync(batch(call, values, batches), call))
        .closing(cache);
  }

  /** In a map, as users do, so that of a repeated key the last write remains. */
  private static Map<Long, Object> batch(
      Call call, RecordValues values, IntFunction<Map<Long, Object>> batches) {
    Map<Long, Object> batch = batches.apply(call.size());
    for (int i = 0; i < call.size(); i++) {
      batch.put(call.key(i), values.get(call.record(i)));
    }
    return batch;
  }

  private static FunctionPath mixed(
      PathContext context, CachePort<Long> cache, RecordValues values) {
    return FunctionPath.mixed(
            "put",
            context.mayDrop(),
            key -> cache.get(key) != null,
            call -> cache.put(call.key(0), values.get(call.record(0))))
        .closing(cache);
  }

  private static PathDefinition get(PathDescription description, Client client, Cache wanted) {
    return new PathDefinition(
        description,
        context -> {
          CachePort<Long> cache = client.open(context, true);
          Maxima highest = new Maxima(context.aggregated());
          return FunctionPath.reading(
                  "get",
                  1,
                  highest::take,
                  call -> {
                    Object record = cache.get(call.key(0));
                    if (record != null) {
                      highest.see(record);
                    }
                  })
              .closing(cache);
        },
        wanted);
  }

  private static PathDefinition getAll(PathDescription description, Client client) {
    return new PathDefinition(
        description,
        context -> {
          CachePort<Long> cache = client.open(context, true);
          Maxima highest = new Maxima(context.aggregated());
          boolean sorted = context.transactional();
          return FunctionPath.reading(
                  "get-all",
                  context.settings().get(PathSettings.BATCH),
                  highest::take,
                  call -> {
                    Set<Long> keys =
                        sorted ? new TreeSet<>() : new HashSet<>(call.size() * 4 / 3 + 1);
                    for (int i = 0; i < call.size(); i++) {
                      keys.add(call.key(i));
                    }
                    cache.getAll(keys).values().forEach(highest::see);
                  })
              .closing(cache);
        });
  }
}
