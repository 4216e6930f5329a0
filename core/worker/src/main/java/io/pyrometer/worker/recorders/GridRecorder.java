package io.pyrometer.worker.recorders;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridMetrics;
import io.pyrometer.driver.GridMetrics.GridMetric;
import io.pyrometer.driver.GridMetrics.Kind;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.GridActivity;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The metrics that the product keeps of itself: of counters how much they grew, of gauges the mean
 * and the largest of one reading a second. Its background work since the start goes to a file with
 * times, as JSON.
 */
public final class GridRecorder implements Recorder {
  private static final long EVERY_MILLIS = 1_000;

  /** The product tells of the last work of a kind alone; a WAL segment can be full in less. */
  private static final long ACTIVITIES_EVERY_MILLIS = 100;

  private Setup prepared = Setup.NONE;
  private Optional<Sampling> sampling = Optional.empty();

  @Override
  public String device() {
    return "grid";
  }

  @Override
  public Map<String, String> prepare(Setup setup) {
    GridMetrics kept =
        setup.grid().orElseThrow(() -> new GridException(Messages.format("worker.no-metrics")));
    kept.enable();
    prepared = setup;
    return Map.of("metrics", String.valueOf(kept.read().size()));
  }

  @Override
  public void start() {
    sampling = prepared.grid().map(Sampling::new);
  }

  @Override
  public Result stop() {
    Sampling running = sampling.orElseThrow();
    List<Reading> readings = running.end();
    return new Result(
        readings, running.ended.isEmpty() ? List.of() : List.of(prepared.write(running.ended)));
  }

  /** The readings of one recording. */
  private static final class Sampling {
    private final GridMetrics metrics;
    private final Map<String, Double> counters = new LinkedHashMap<>();
    private final Map<String, Gauge> gauges = new LinkedHashMap<>();
    private final Map<String, List<GridActivity>> ended = new TreeMap<>();
    private final long begunMillis = System.currentTimeMillis();
    private final ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(Daemon.factory("grid-metrics"));
    private final List<ScheduledFuture<?>> samplers;

    private static final class Gauge extends DoubleSummaryStatistics {
      private final String unit;

      Gauge(String unit) {
        this.unit = unit;
      }
    }

    Sampling(GridMetrics metrics) {
      this.metrics = metrics;
      for (GridMetric metric : metrics.read()) {
        if (metric.kind() == Kind.COUNTER) {
          counters.put(metric.name(), metric.value());
        }
      }
      samplers =
          List.of(
              timer.scheduleAtFixedRate(
                  this::sample, EVERY_MILLIS / 2, EVERY_MILLIS, TimeUnit.MILLISECONDS),
              timer.scheduleAtFixedRate(
                  this::noteActivities, 0, ACTIVITIES_EVERY_MILLIS, TimeUnit.MILLISECONDS));
    }

    private synchronized void sample() {
      for (GridMetric metric : metrics.read()) {
        if (metric.kind() == Kind.GAUGE) {
          gauges
              .computeIfAbsent(metric.name(), name -> new Gauge(metric.unit()))
              .accept(metric.value());
        }
      }
    }

    /** Notes what has ended since the last look; kinds of which nothing ended are noted as well. */
    private synchronized void noteActivities() {
      metrics
          .activities()
          .forEach(
              (kind, last) -> {
                List<GridActivity> noted = ended.computeIfAbsent(kind, k -> new ArrayList<>());
                last.filter(it -> it.endMillis() >= begunMillis && !noted.contains(it))
                    .ifPresent(noted::add);
              });
    }

    /** A counter that was not there at the start, such as that of a new cache, began at 0. */
    synchronized List<Reading> end() {
      samplers.forEach(sampler -> sampler.cancel(false));
      timer.shutdown();
      noteActivities();
      List<Reading> readings = new ArrayList<>();
      for (GridMetric metric : metrics.read()) {
        if (metric.kind() == Kind.COUNTER) {
          double grown = metric.value() - counters.getOrDefault(metric.name(), 0.0);
          readings.add(Reading.neutral(metric.name(), grown, metric.unit()));
        }
      }
      gauges.forEach(
          (name, gauge) -> {
            readings.add(Reading.neutral(name + ".mean", gauge.getAverage(), gauge.unit));
            readings.add(Reading.neutral(name + ".max", gauge.getMax(), gauge.unit));
          });
      return readings;
    }
  }
}
