package io.pyrometer.ignite.writer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A writer's figures as Micrometer's meters, all named {@code ignite.writer.*}. The times have a
 * timer (count and mean) and a gauge of their 99th percentile in the last one to two minutes. Needs
 * {@code io.micrometer:micrometer-core}, which the writer itself does not.
 *
 * <pre>{@code
 * new WriterMetrics(writer, Tags.of("cache", "orders")).bindTo(registry);
 * }</pre>
 */
public final class WriterMetrics implements MeterBinder {
  private final IgniteWriter<?, ?> writer;
  private final Tags tags;

  /** Prepares the meters of one writer; the tags must tell it from others. */
  public WriterMetrics(IgniteWriter<?, ?> writer, Iterable<Tag> tags) {
    this.writer = writer;
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "entries", "acknowledged or failed", WriterStats::finishedEntries);
    counter(registry, "merged", "writes that a later one replaced", WriterStats::mergedWrites);
    counter(registry, "failed", "entries that failed", WriterStats::failedEntries);
    counter(registry, "batches", "batches sent", WriterStats::batches);
    counter(registry, "retries", "calls repeated", WriterStats::retries);
    counter(registry, "moves", "changes of the topology", WriterStats::topologyChanges);
    gauge(registry, "pending.entries", "entries that wait", WriterStats::pendingEntries);
    gauge(registry, "pending.bytes", "their estimated bytes", WriterStats::pendingBytes);
    gauge(registry, "doubt.keys", "keys in doubt", WriterStats::keysInDoubt);
    gauge(registry, "batch.entries.p99", "entries of a batch", s -> s.batchEntries().p99());
    timer(registry, "queue.age", "wait until sent", WriterStats::queueAgeNanos);
    timer(registry, "acknowledgement", "successful calls", WriterStats::acknowledgementNanos);
    timer(registry, "blocked", "callers' waits for room", WriterStats::blockedNanos);
  }

  private void counter(
      MeterRegistry registry, String name, String text, ToDoubleFunction<WriterStats> figure) {
    FunctionCounter.builder(
            "ignite.writer." + name, writer, from -> figure.applyAsDouble(from.stats()))
        .description(text)
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String text, ToDoubleFunction<WriterStats> figure) {
    Gauge.builder("ignite.writer." + name, writer, from -> figure.applyAsDouble(from.stats()))
        .description(text)
        .tags(tags)
        .register(registry);
  }

  private void timer(
      MeterRegistry registry,
      String name,
      String text,
      Function<WriterStats, WriterStats.Distribution> times) {
    FunctionTimer.builder(
            "ignite.writer." + name,
            writer,
            from -> times.apply(from.stats()).count(),
            from -> times.apply(from.stats()).sum(),
            TimeUnit.NANOSECONDS)
        .description(text)
        .tags(tags)
        .register(registry);
    TimeGauge.builder(
            "ignite.writer." + name + ".p99",
            writer,
            TimeUnit.NANOSECONDS,
            from -> times.apply(from.stats()).p99())
        .description(text + ", 99th percentile of the last one to two minutes")
        .tags(tags)
        .register(registry);
  }
}
