package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteServices;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.apache.ignite.services.Service;
import org.jspecify.annotations.Nullable;

/**
 * Pyrometer's own writer, which sends records in batches and keeps their order. A call ends when
 * every record of it, or a later one of the same key, is acknowledged; so many calls are in flight
 * that the writer's own bound is the one that holds.
 */
final class WriterPaths {
  private static final SettingKey<Integer> LANES = GridSettings.DECLARED.integer("writer-lanes");

  /** Interface for clients. */
  public interface Writing {
    /** Writes the records in their order and returns how many writes were merged so far. */
    long write(long[] keys, int[] records) throws Exception;
  }

  private WriterPaths() {}

  static FunctionPath open(IgniteTrial trial, CachePort cache) {
    Settings settings = trial.settings();
    IntFunction<Object> values = trial.values();
    IgniteWriter<Object, Object> writer = cache.writer().get().lanes(settings.get(LANES)).open();
    return trial
        .asynchronous(
            settings.get(PathSettings.IN_FLIGHT),
            settings.get(PathSettings.BATCH),
            call -> {
              CompletableFuture<?>[] writes =
                  IntStream.range(0, call.size())
                      .mapToObj(
                          i -> writer.write(trial.key(call.key(i)), values.apply(call.record(i))))
                      .toArray(CompletableFuture<?>[]::new);
              endAfter(writes, 0, call);
            })
        .flushing(writer::flush)
        .merging(() -> writer.stats().mergedWrites())
        .closing(writer);
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

  /** One service for each load thread, to which keys and the numbers of records are sent. */
  static FunctionPath onServer(IgniteTrial trial) {
    Ignite client = trial.ignite();
    IgniteServices services = client.services(client.cluster().forServers());
    String name = "io.pyrometer.writer." + UUID.randomUUID();
    services.deployClusterSingleton(
        name, new OnServer(trial.cacheName, ServerJobs.json(trial.trial)));
    Writing service = services.serviceProxy(name, Writing.class, true);
    AtomicLong merged = new AtomicLong();
    return FunctionPath.writing(
            trial.operation(),
            trial.settings().get(PathSettings.BATCH),
            call -> {
              long[] keys = IntStream.range(0, call.size()).mapToLong(call::key).toArray();
              int[] records = IntStream.range(0, call.size()).map(call::record).toArray();
              merged.accumulateAndGet(service.write(keys, records), Math::max);
            })
        .merging(merged::get)
        .dropping(trial.mayDrop())
        .closing(() -> services.cancel(name));
  }

  /** The service. */
  public static final class OnServer implements Service, Writing {
    private static final long serialVersionUID = 1L;

    private final String cacheName;
    private final String trial;
    @IgniteInstanceResource private transient @Nullable Ignite ignite;
    private transient @Nullable Opened opened;

    /**
     * The open writer.
     *
     * @param thread Ignite's own may not wait until the writer has room
     */
    private record Opened(
        IgniteWriter<Object, Object> writer, IntFunction<Object> values, ExecutorService thread) {
      long write(long[] keys, int[] numbers) throws Exception {
        CompletableFuture<?>[] writes =
            IntStream.range(0, keys.length)
                .mapToObj(i -> writer.write(keys[i], values.apply(numbers[i])))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(writes).get();
        return writer.stats().mergedWrites();
      }
    }

    /**
     * @param trial as it is sent to servers
     */
    OnServer(String cacheName, String trial) {
      this.cacheName = cacheName;
      this.trial = trial;
    }

    @Override
    public void init() {
      Ignite here = Objects.requireNonNull(ignite);
      TrialSpec spec = ServerJobs.trial(trial);
      boolean binary = ValuePool.isBinary(spec.settings());
      opened =
          new Opened(
              CachePort.thick(here, cacheName, binary).writer().get().open(),
              ServerJobs.values(here, cacheName, spec),
              Executors.newSingleThreadExecutor());
    }

    @Override
    public long write(long[] keys, int[] numbers) throws Exception {
      Opened to = Objects.requireNonNull(opened);
      return to.thread.submit(() -> to.write(keys, numbers)).get();
    }

    @Override
    public void cancel() {
      Opened to = opened;
      if (to != null) {
        to.thread.execute(to.writer::close); // Ignite's own thread may not wait
        to.thread.shutdown();
      }
    }
  }
}
