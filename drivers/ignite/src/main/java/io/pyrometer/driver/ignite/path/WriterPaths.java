package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Pyrometer's own writer, which sends records in batches and keeps their order. A call ends when
 * every record of it, or a later one of the same key, is acknowledged; so many calls are in flight
 * that the writer's own bound is the one that holds.
 */
final class WriterPaths {
  private static final SettingKey<Integer> LANES = GridSettings.DECLARED.integer("writer-lanes");

  static final List<IgnitePath> DEFINITIONS =
      List.of(
          CachePaths.path(
              GridSettings.DECLARED.path("ignite-writer"),
              IgniteTrial::thick,
              WriterPaths::open,
              IgnitePath.Cache.ANY),
          CachePaths.path(
              ThinClients.with(GridSettings.DECLARED.path("thin-ignite-writer")),
              IgniteTrial::thinWithoutRetries,
              WriterPaths::open,
              IgnitePath.Cache.ANY));

  private WriterPaths() {}

  private static FunctionPath open(IgniteTrial trial, CachePort<Object> cache) {
    Settings settings = trial.settings();
    IntFunction<Object> values = trial.values();
    IgniteWriter<Object, Object> writer = cache.writer().get().lanes(settings.get(LANES)).open();
    return FunctionPath.asynchronous(
            trial.operation(),
            settings.get(PathSettings.IN_FLIGHT),
            settings.get(PathSettings.BATCH),
            call -> endAfter(writes(writer, trial, call, values), 0, call))
        .flushing(writer::flush)
        .merging(() -> writer.stats().mergedWrites())
        .dropping(trial.mayDrop())
        .closing(writer);
  }

  /** The writes of a call's records, in their order. */
  private static CompletableFuture<?>[] writes(
      IgniteWriter<Object, Object> writer,
      IgniteTrial trial,
      Call call,
      IntFunction<Object> values) {
    return IntStream.range(0, call.size())
        .mapToObj(i -> writer.write(trial.key(call.key(i)), values.apply(call.record(i))))
        .toArray(CompletableFuture<?>[]::new);
  }

  /**
   * Ends a call when all its writes are done. Writes are acknowledged by the thousand, so a stage
   * for the next one that is not done costs a fraction of {@link CompletableFuture#allOf}, which
   * adds one to each.
   */
  private static void endAfter(CompletableFuture<?>[] writes, int first, Call call) {
    int next = first;
    while (next < writes.length && writes[next].isDone()) {
      next++;
    }
    if (next < writes.length) {
      int waited = next;
      var unused = writes[next].whenComplete((none, failure) -> endAfter(writes, waited, call));
    } else {
      var unused =
          Arrays.stream(writes)
              .filter(CompletableFuture::isCompletedExceptionally)
              .findFirst()
              .orElse(writes[0])
              .whenComplete((none, failure) -> FunctionPath.end(call, failure));
    }
  }
}
