package io.pyrometer.load;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Daemon;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reports the growth of counters ten times a second, and runs a further action then. */
public final class Sampler {

  private final Supplier<Totals> counters;
  private final Consumer<Answer.Sample> samples;
  private final Runnable also;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemon.factory("sampler"));
  private Totals last = new Totals(0, 0, 0, false);
  private int index;

  /**
   * Counters since the load began.
   *
   * @param ended whether they will not change any more
   */
  record Totals(long records, long calls, long latencyNanos, boolean ended) {}

  Sampler(Supplier<Totals> counters, Consumer<Answer.Sample> samples, Runnable also) {
    this.counters = counters;
    this.samples = samples;
    this.also = also;
  }

  /** Variant for work without latencies, by the number of records so far. */
  public static Sampler ofRecords(
      LongSupplier records, Consumer<Answer.Sample> samples, Runnable also) {
    return new Sampler(() -> new Totals(records.getAsLong(), 0, 0, false), samples, also);
  }

  public void begin() {
    var unused = executor.scheduleAtFixedRate(this::sample, 100, 100, TimeUnit.MILLISECONDS);
  }

  private void sample() {
    Totals now = counters.get();
    samples.accept(
        new Answer.Sample(
            index++,
            now.records - last.records,
            now.calls - last.calls,
            now.latencyNanos - last.latencyNanos,
            now.ended && !last.ended));
    last = now;
    also.run();
  }

  /** Returns when the last sample was taken; gives one up that takes longer than a second. */
  public void stop() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(1, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
