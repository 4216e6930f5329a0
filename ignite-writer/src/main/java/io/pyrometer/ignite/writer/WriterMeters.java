package io.pyrometer.ignite.writer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Micrometer meters of an {@link IgniteWriter}, one for each figure of its {@link WriterStats}.
 * Requires {@code micrometer-core} on the class path; no other class of this library does.
 *
 * <pre>{@code
 * new WriterMeters(writer, Tags.of("cache", "orders")).bindTo(registry);
 * }</pre>
 *
 * <p>Counters are {@code ignite.writer.finished}, {@code .failed}, {@code .merged}, {@code
 * .retries} and {@code .topology.changes}; gauges are {@code ignite.writer.pending}, {@code
 * .pending.bytes} and {@code .in.doubt}. The registry refers to the writer weakly: gauges of a
 * writer that is not reachable any more are NaN.
 */
public final class WriterMeters implements MeterBinder {
  private final IgniteWriter<?, ?> writer;
  private final Tags tags;

  /**
   * Creates the meters of one writer.
   *
   * @param tags the tags of each meter; writers of one registry need different ones
   */
  public WriterMeters(IgniteWriter<?, ?> writer, Iterable<Tag> tags) {
    this.writer = Objects.requireNonNull(writer, "writer");
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, "finished", "entries acknowledged or failed", WriterStats::finishedEntries);
    count(registry, "failed", "entries that failed", WriterStats::failedEntries);
    count(registry, "merged", "writes replaced before sending", WriterStats::mergedWrites);
    count(registry, "retries", "calls repeated after a transient fault", WriterStats::retries);
    count(registry, "topology.changes", "moves of keys", WriterStats::topologyChanges);
    gauge(registry, "pending", "entries", "entries pending", WriterStats::pendingEntries);
    gauge(registry, "pending.bytes", "bytes", "bytes pending", WriterStats::pendingBytes);
    gauge(registry, "in.doubt", "keys", "keys with a write in doubt", WriterStats::keysInDoubt);
  }

  private void count(
      MeterRegistry registry, String name, String description, ToLongFunction<WriterStats> figure) {
    FunctionCounter.builder(
            "ignite.writer." + name, writer, source -> figure.applyAsLong(source.stats()))
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String unit,
      String description,
      ToLongFunction<WriterStats> figure) {
    Gauge.builder("ignite.writer." + name, writer, source -> figure.applyAsLong(source.stats()))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }
}
