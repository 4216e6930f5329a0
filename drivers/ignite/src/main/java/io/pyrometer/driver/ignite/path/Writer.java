package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.ignite.data.Values;
import io.pyrometer.ignite.writer.IgniteWriter;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Lane;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Hands records to Pyrometer's own writer, which sends them in batches and keeps their order. */
final class Writer implements AccessPath {
  static final Kind KIND =
      new Kind(
          Described.write(
              "ignite-writer",
              Described.MANY,
              "Pyrometer's writer: one lane for each primary node, repeated keys merged.",
              Described.batch(1_000),
              Described.inFlight(100)),
          Writer::new);

  private final Values values;
  private final IgniteWriter<Long, Object> writer;
  private final int batch;
  private final int inFlight;

  Writer(Surroundings surroundings, Lane lane) {
    values = surroundings.values();
    writer = IgniteWriter.to(surroundings.cacheFor(values)).open();
    batch = surroundings.settings().integer("batch");
    inFlight = surroundings.settings().integer("in-flight");
  }

  @Override
  public int window() {
    return inFlight;
  }

  @Override
  public int recordsPerCall() {
    return batch;
  }

  @Override
  public List<String> operations() {
    return List.of("write");
  }

  @Override
  public void call(Call call) {
    Countdown countdown = new Countdown(call, call.size());
    for (int i = 0; i < countdown.records; i++) {
      CompletionStage<Void> written = writer.write(call.key(i), values.get(call.record(i)));
      written.whenComplete(countdown::less);
    }
  }

  @Override
  public void flush() {
    writer.flush();
  }

  @Override
  public void close() {
    writer.close();
  }

  private static final class Countdown {
    private final Call call;
    private final int records;
    private final AtomicInteger open;
    private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

    Countdown(Call call, int records) {
      this.call = call;
      this.records = records;
      this.open = new AtomicInteger(records);
    }

    void less(@Nullable Void nothing, @Nullable Throwable cause) {
      if (cause != null) {
        first.compareAndSet(null, cause);
      }
      if (open.decrementAndGet() > 0) {
        return;
      }
      Throwable thrown = first.get();
      if (thrown == null) {
        call.done();
      } else {
        call.failed(thrown);
      }
    }
  }
}
