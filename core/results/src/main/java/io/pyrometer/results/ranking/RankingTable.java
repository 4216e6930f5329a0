package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A ranking as tables. */
public final class RankingTable {
  private static final int OPERATION = 10;

  private static final String TOO_FEW_CALLS =
      "too few calls for this percentile: ten must lie beyond it";

  private static final String ABSENT =
      TOO_FEW_CALLS
          + "; no CPU time: processes of other hosts or users; no ratio: the baseline has no such"
          + " operation";

  private RankingTable() {}

  /**
   * One row a treatment; where some treatment has several operations, one row an operation, with
   * the figures of the whole treatment on the first.
   */
  public static Table of(Ranking ranking) {
    List<List<String>> rows = new ArrayList<>();
    for (Ranking.Row row : ranking.rows()) {
      List<OperationLatency> latencies = row.latencies();
      rows.add(cells(ranking, row, latencies.stream().findFirst()));
      latencies.stream().skip(1).forEach(latency -> rows.add(further(row, latency)));
    }
    List<String> header = header(ranking);
    for (Ranking.Unranked row : ranking.unranked()) {
      List<String> cells = new ArrayList<>(Collections.nCopies(header.size(), ""));
      cells.set(0, row.label());
      cells.set(header.size() - 1, row.why());
      rows.add(cells);
    }
    List<Table.Align> alignment =
        new ArrayList<>(Collections.nCopies(header.size(), Table.Align.RIGHT));
    for (int left : new int[] {0, 1, OPERATION, header.size() - 1}) {
      alignment.set(left, Table.Align.LEFT);
    }
    return narrowed(new Table(header, rows, alignment, ABSENT));
  }

  private static List<String> header(Ranking ranking) {
    String baseline = ranking.baseline().isEmpty() ? "ratio" : "× " + ranking.baseline();
    return List.of(
        "path",
        "guarantees",
        "stale or lost keys",
        "stale reads",
        "stale or lost after a kill",
        "of " + Numbers.shorten(ranking.rate()) + " calls/s",
        "records/s",
        ranking.openLoop() ? "" : baseline,
        "published ratio",
        "CPU µs/record",
        "operation",
        "p50",
        "p99",
        ranking.openLoop() ? "p99 " + baseline : "",
        "marks");
  }

  private static List<String> cells(
      Ranking ranking, Ranking.Row row, Optional<OperationLatency> latency) {
    boolean open = ranking.openLoop();
    return List.of(
        row.label(),
        Phrases.promises(row.guarantee()),
        row.probes().staleOrLost(ProbeKind.ORDER),
        row.probes().staleOrLost(ProbeKind.READ),
        row.probes().staleOrLost(ProbeKind.KILL),
        row.offered().map(o -> o.share() + (o.held() ? "" : " (missed)")).orElse(""),
        open ? "" : Numbers.shorten(row.throughput().value()),
        open ? "" : row.ratio().map(Numbers::ratio).orElse("1"),
        row.published().map(p -> Numbers.shorten(p.value())).orElse(""),
        row.cpuMicros().map(e -> Numbers.shorten(e.value())).orElse(Table.ABSENT),
        ranking.severalOperations()
            ? latency.map(OperationLatency::operation).orElse(Table.ABSENT)
            : "",
        anyLatency(ranking) ? micros(latency, LatencyStatistic.P50) : "",
        anyLatency(ranking) ? micros(latency, LatencyStatistic.P99) : "",
        open ? p99Ratio(row, latency) : "",
        String.join("; ", row.marks()));
  }

  /** Not every kind of trial has some. */
  private static boolean anyLatency(Ranking ranking) {
    return ranking.rows().stream().anyMatch(row -> !row.latencies().isEmpty());
  }

  private static List<String> further(Ranking.Row row, OperationLatency latency) {
    List<String> cells = new ArrayList<>(Collections.nCopies(OPERATION, ""));
    cells.set(0, row.label());
    Optional<OperationLatency> one = Optional.of(latency);
    cells.addAll(
        List.of(
            latency.operation(),
            micros(one, LatencyStatistic.P50),
            micros(one, LatencyStatistic.P99),
            row.offered().isPresent() ? p99Ratio(row, one) : "",
            ""));
    return cells;
  }

  private static String p99Ratio(Ranking.Row row, Optional<OperationLatency> latency) {
    return latency
        .flatMap(OperationLatency::ratio)
        .map(Numbers::ratio)
        .orElse(row.isBaseline() ? "1" : Table.ABSENT);
  }

  private static String micros(Optional<OperationLatency> latency, LatencyStatistic statistic) {
    return latency
        .flatMap(l -> l.of(statistic))
        .map(estimate -> Numbers.micros(estimate.value()))
        .orElse(Table.ABSENT);
  }

  /** Without the columns that are empty throughout. */
  private static Table narrowed(Table table) {
    List<Integer> kept = new ArrayList<>();
    for (int c = 0; c < table.header().size(); c++) {
      int column = c;
      if (table.rows().stream().anyMatch(row -> !row.get(column).isEmpty())) {
        kept.add(c);
      }
    }
    return new Table(
        kept.stream().map(table.header()::get).toList(),
        table.rows().stream().map(row -> kept.stream().map(row::get).toList()).toList(),
        kept.stream().map(table.alignment()::get).toList(),
        table.absent());
  }

  /** The percentiles of every operation with their intervals over blocks. */
  public static Table latencies(Ranking ranking) {
    List<List<String>> rows = new ArrayList<>();
    for (Ranking.Row row : ranking.rows()) {
      for (OperationLatency latency : row.latencies()) {
        rows.add(
            List.of(
                row.label(),
                latency.operation(),
                interval(latency, LatencyStatistic.P50),
                interval(latency, LatencyStatistic.P90),
                interval(latency, LatencyStatistic.P99),
                interval(latency, LatencyStatistic.P999),
                latency
                    .of(LatencyStatistic.P50)
                    .map(e -> String.valueOf(e.replicates()))
                    .orElse(Table.ABSENT)));
      }
    }
    return Table.of(List.of("path", "operation", "p50", "p90", "p99", "p99.9", "blocks"), 2, rows)
        .withAbsent(TOO_FEW_CALLS);
  }

  private static String interval(OperationLatency latency, LatencyStatistic statistic) {
    return latency.of(statistic).map(RankingTable::interval).orElse(Table.ABSENT);
  }

  private static String interval(Estimate micros) {
    String value = Numbers.micros(micros.value());
    return micros.hasInterval()
        ? "%s [%s, %s]"
            .formatted(value, Numbers.micros(micros.low()), Numbers.micros(micros.high()))
        : value;
  }

  /** The job's title with the offered rate, for a heading. */
  public static String title(Ranking ranking) {
    String title =
        Phrases.title(ranking.job()) + (ranking.part().isEmpty() ? "" : ": " + ranking.part());
    return ranking.openLoop()
        ? "%s at %s calls/s".formatted(title, Numbers.shorten(ranking.rate()))
        : title;
  }
}
