package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.data.ValuePool;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.load.Call;
import io.pyrometer.protocol.PathSettings;
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
 * Pyrometer's writer in a service of a server node, one service for each load thread. Clients send
 * keys and the numbers of records; a call ends when all its records are acknowledged to the
 * service.
 */
final class WriterService {
  static final IgnitePath DEFINITION = new IgnitePath("service-ignite-writer", WriterService::open);

  /** Interface for clients. */
  public interface Writing {
    /** Writes the records in their order and returns how many writes were merged so far. */
    long write(long[] keys, int[] records) throws Exception;
  }

  private WriterService() {}

  private static FunctionPath open(IgniteTrial trial) {
    Ignite client = trial.ignite();
    IgniteServices services = client.services(client.cluster().forServers());
    String name = "io.pyrometer.writer." + UUID.randomUUID();
    services.deployClusterSingleton(
        name, new OnServer(trial.cacheName, new ServerRecords(trial.trial)));
    Writing service = services.serviceProxy(name, Writing.class, true);
    AtomicLong merged = new AtomicLong();
    return FunctionPath.writing(
            trial.operation(),
            trial.settings().get(PathSettings.BATCH),
            call -> merged.accumulateAndGet(service.write(keys(call), records(call)), Math::max))
        .merging(merged::get)
        .dropping(trial.mayDrop())
        .closing(() -> services.cancel(name));
  }

  private static long[] keys(Call call) {
    return IntStream.range(0, call.size()).mapToLong(call::key).toArray();
  }

  private static int[] records(Call call) {
    return IntStream.range(0, call.size()).map(call::record).toArray();
  }

  /** The service. */
  public static final class OnServer implements Service, Writing {
    private static final long serialVersionUID = 1L;

    private final String cacheName;
    private final ServerRecords records;
    @IgniteInstanceResource private transient @Nullable Ignite ignite;
    private transient @Nullable IgniteWriter<Long, Object> writer;
    private transient @Nullable IntFunction<Object> values;

    /** Ignite's threads may not wait until the writer has room. */
    private transient @Nullable ExecutorService thread;

    OnServer(String cacheName, ServerRecords records) {
      this.cacheName = cacheName;
      this.records = records;
    }

    @Override
    public void init() {
      Ignite here = Objects.requireNonNull(ignite);
      boolean binary = ValuePool.isBinary(records.trial().settings());
      values =
          records.of(here, cacheName).in(records.trial().settings().get(GridSettings.VALUE_FORM));
      writer = CachePort.<Long>thick(here, cacheName, binary).writer().get().open();
      thread = Executors.newSingleThreadExecutor();
    }

    @Override
    public long write(long[] keys, int[] numbers) throws Exception {
      return Objects.requireNonNull(thread).submit(() -> written(keys, numbers)).get();
    }

    private long written(long[] keys, int[] numbers) throws Exception {
      IgniteWriter<Long, Object> to = Objects.requireNonNull(writer);
      IntFunction<Object> value = Objects.requireNonNull(values);
      CompletableFuture<?>[] writes =
          IntStream.range(0, keys.length)
              .mapToObj(i -> to.write(keys[i], value.apply(numbers[i])))
              .toArray(CompletableFuture<?>[]::new);
      CompletableFuture.allOf(writes).get();
      return to.stats().mergedWrites();
    }

    @Override
    public void cancel() {
      IgniteWriter<Long, Object> opened = writer;
      if (opened != null) {
        opened.close();
      }
      ExecutorService own = thread;
      if (own != null) {
        own.shutdown();
      }
    }
  }
}
