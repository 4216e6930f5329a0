package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ranking as tables. Levels of factors that vary are columns, constant ones go to the title. */
public final class RankingTable {
  private static final String TOO_FEW_CALLS =
      "too few calls for this percentile: ten must lie beyond it";

  private static final String ABSENT =
      TOO_FEW_CALLS
          + "; no CPU time: processes of other hosts or users; no ratio: the baseline has no such"
          + " operation";

  private static final String BASELINE = "1";
  private static final int LONGEST_BASELINE = 20;

  private RankingTable() {}

  /** Returns whether the head of a column has room for the name of the baseline. */
  private static boolean named(Ranking ranking) {
    return !ranking.baseline().isEmpty() && ranking.baseline().length() <= LONGEST_BASELINE;
  }

  private static String caption(Ranking ranking) {
    return ranking.rows().size() < 2 || ranking.baseline().isEmpty() || named(ranking)
        ? "All figures"
        : "Ratios are to " + ranking.baseline() + ".";
  }

  /** A treatment and one of its operations; its own figures stand in its first line. */
  private record Line(Ranking.Row row, Optional<OperationLatency> latency, boolean first) {
    String of(Function<Ranking.Row, String> cell) {
      return first ? cell.apply(row) : "";
    }

    String operation() {
      return latency.map(OperationLatency::operation).orElse(Table.ABSENT);
    }

    String figure(LatencyStatistic statistic, Function<Estimate, String> form) {
      return latency.flatMap(l -> l.of(statistic)).map(form).orElse(Table.ABSENT);
    }
  }

  /**
   * One row a treatment, condition by condition; where some treatment has several operations, one
   * row an operation, with the figures of the whole treatment on the first.
   */
  public static Figure of(Ranking ranking) {
    Table table = table(ranking, false);
    for (String mark : explanations(List.of(ranking))) {
      table = table.withNote(mark);
    }
    return Figure.of(caption(ranking), table);
  }

  /** The table for the terminal, with its job as the title of the first column, without notes. */
  public static Table brief(Ranking ranking) {
    return table(ranking, true);
  }

  private static Table table(Ranking ranking, boolean brief) {
    boolean open = ranking.openLoop();
    String baseline = named(ranking) ? "× " + ranking.baseline() : "ratio";
    String job = ranking.part().isEmpty() ? ranking.job().id() : ranking.part();
    MetricTable<Line> table = new MetricTable<>(ABSENT);
    treatment(table, job, ranking);
    table.text("stale or lost", line -> line.of(row -> row.probes().staleOrLost(ProbeKind.ORDER)));
    table.formatted(
        "of " + Numbers.shorten(ranking.rate()) + " calls/s",
        line -> line.of(row -> row.offered().map(RankingTable::share).orElse("")));
    if (!open) {
      table
          .formatted("records/s", line -> line.of(row -> Numbers.estimate(row.throughput())))
          .formatted(
              baseline,
              line -> line.of(row -> row.ratio().map(r -> ratio(r, brief)).orElse(BASELINE)));
    }
    table.formatted(
        "published",
        line -> line.of(row -> row.published().map(p -> Numbers.shorten(p.value())).orElse("")));
    table.formatted(
        "CPU µs",
        line ->
            line.of(
                row -> row.cpuMicros().map(e -> Numbers.shorten(e.value())).orElse(Table.ABSENT)));
    if (ranking.severalOperations()) {
      table.text("operation", Line::operation);
    }
    if (ranking.rows().stream().anyMatch(row -> !row.latencies().isEmpty())) {
      table
          .formatted("p50", line -> line.figure(LatencyStatistic.P50, RankingTable::value))
          .formatted("p99", line -> line.figure(LatencyStatistic.P99, RankingTable::value));
    }
    if (open) {
      table.formatted("p99 " + baseline, line -> p99Ratio(line, brief));
    }
    return table
        .text(
            "marks",
            line ->
                line.of(
                    row ->
                        row.marks().stream().map(Mark::symbol).collect(Collectors.joining(", "))))
        .of(lines(ranking))
        .withoutEmptyColumns();
  }

  private static String ratio(Estimate ratio, boolean brief) {
    return brief ? Numbers.ratio(ratio.value()) : Numbers.ratio(ratio);
  }

  private static List<Line> lines(Ranking ranking) {
    return ranking.conditions().stream()
        .flatMap(of -> ranking.rows().stream().filter(row -> row.condition().equals(of)))
        .flatMap(
            row ->
                IntStream.range(0, Math.max(1, row.latencies().size()))
                    .mapToObj(
                        i -> new Line(row, row.latencies().stream().skip(i).findFirst(), i == 0)))
        .toList();
  }

  private static Map<String, Set<String>> levels(Ranking ranking) {
    Map<String, Set<String>> levels = new LinkedHashMap<>();
    for (Ranking.Row row : ranking.rows()) {
      row.levels()
          .forEach(
              (factor, level) ->
                  levels.computeIfAbsent(factor, f -> new LinkedHashSet<>()).add(level));
    }
    return levels;
  }

  /** A column for each factor that varies; one of labels where no more than one does. */
  private static void treatment(MetricTable<Line> table, String title, Ranking ranking) {
    Map<String, Set<String>> levels = levels(ranking);
    List<String> varied =
        levels.keySet().stream().filter(f -> levels.getOrDefault(f, Set.of()).size() > 1).toList();
    if (varied.size() < 2) {
      table.text(title, line -> line.row().label());
    } else {
      varied.forEach(
          factor -> table.text(factor, line -> line.row().levels().getOrDefault(factor, "")));
    }
  }

  private static String share(OfferedRate offered) {
    return offered.share() + (offered.held() ? "" : " (missed)");
  }

  /** One line for each kind of mark that occurs. */
  public static List<String> explanations(List<Ranking> rankings) {
    return rankings.stream()
        .flatMap(ranking -> ranking.rows().stream())
        .flatMap(row -> row.marks().stream())
        .map(Mark::kind)
        .distinct()
        .sorted()
        .map(Mark.Kind::explanation)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private static String p99Ratio(Line line, boolean brief) {
    return line.latency()
        .flatMap(OperationLatency::ratio)
        .map(ratio -> ratio(ratio, brief))
        .orElse(line.row().isBaseline() ? BASELINE : Table.ABSENT);
  }

  /** The percentiles of every operation with their intervals over blocks. */
  public static Table latencies(Ranking ranking) {
    MetricTable<Line> table = new MetricTable<>(TOO_FEW_CALLS);
    treatment(table, "treatment", ranking);
    table.text("operation", Line::operation);
    for (LatencyStatistic statistic : LatencyStatistic.PERCENTILES) {
      table.formatted(
          statistic.label(),
          line -> line.figure(statistic, micros -> Numbers.withInterval(micros, Numbers::micros)));
    }
    return table
        .formatted(
            "blocks",
            line -> line.figure(LatencyStatistic.P50, e -> String.valueOf(e.replicates())))
        .of(lines(ranking).stream().filter(line -> line.latency().isPresent()).toList());
  }

  private static String value(Estimate micros) {
    return Numbers.micros(micros.value());
  }

  /** The job's title with the offered rate and, of several factors, the constant levels. */
  public static String title(Ranking ranking) {
    List<String> of = new ArrayList<>();
    Map<String, Set<String>> levels = levels(ranking);
    levels.forEach(
        (factor, seen) -> {
          if (levels.size() > 1
              && seen.size() == 1
              && !ranking.part().equals(seen.iterator().next())) {
            of.add(factor + " " + seen.iterator().next());
          }
        });
    String title =
        Phrases.title(ranking.job())
            + (ranking.part().isEmpty() ? "" : ": " + ranking.part())
            + (ranking.openLoop()
                ? " at %s calls/s".formatted(Numbers.shorten(ranking.rate()))
                : "");
    return of.isEmpty() ? title : title + " (" + String.join(", ", of) + ")";
  }
}
