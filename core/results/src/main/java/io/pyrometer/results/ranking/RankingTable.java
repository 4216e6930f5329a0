package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.message.Value;
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
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A ranking as tables. Levels of factors that vary are columns, constant ones go to the title. */
public final class RankingTable {
  private static final String TOO_FEW_CALLS =
      "too few calls for this percentile: ten must lie beyond it";

  private static final String ABSENT =
      TOO_FEW_CALLS
          + "; no CPU time: processes of other hosts or users; no ratio: the baseline has no such operation";

  private static final String BASELINE = "1";
  private static final int LONGEST_BASELINE = 20;

  private static final String COPIES =
      "all copies: a write returns when all requested copies hold it.";

  /** Columns that go to the caption where all treatments agree. */
  private static final Map<String, Function<Ranking.Row, String>> PROMISES = promises();

  private RankingTable() {}

  private static Map<String, Function<Ranking.Row, String>> promises() {
    Map<String, Function<Ranking.Row, String>> columns = new LinkedHashMap<>();
    columns.put("guarantees", RankingTable::guarantees);
    columns.put("stale or lost keys", row -> row.probes().staleOrLost(ProbeKind.ORDER));
    columns.put("stale reads", row -> row.probes().staleOrLost(ProbeKind.READ));
    columns.put("stale or lost after a kill", row -> row.probes().staleOrLost(ProbeKind.KILL));
    columns.put("stale or lost after a stop", row -> row.probes().staleOrLost(ProbeKind.STOP));
    return columns;
  }

  /** Guarantees of the path, as far as the probes left them. */
  private static String guarantees(Ranking.Row row) {
    return row.claimed()
        .map(Requirement::of)
        .map(
            claimed -> {
              claimed.retainAll(row.guarantees());
              return claimed.isEmpty()
                  ? "none"
                  : claimed.stream().map(Requirement::brief).collect(Collectors.joining(", "));
            })
        .orElse("");
  }

  /** Cell that several treatments all have in a column; empty where they differ or it is empty. */
  private static Optional<String> constant(Ranking ranking, Function<Ranking.Row, String> column) {
    List<String> cells = ranking.rows().stream().map(column).distinct().toList();
    return ranking.rows().size() > 1 && cells.size() == 1 && !cells.get(0).isEmpty()
        ? Optional.of(cells.get(0))
        : Optional.empty();
  }

  /** Returns whether the head of a column has room for the name of the baseline. */
  private static boolean named(Ranking ranking) {
    return !ranking.baseline().isEmpty() && ranking.baseline().length() <= LONGEST_BASELINE;
  }

  /** Caption of what all treatments have in common; empty for nothing. */
  public static String common(Ranking ranking) {
    List<String> common = new ArrayList<>();
    PROMISES.forEach(
        (title, cell) -> constant(ranking, cell).ifPresent(of -> common.add(title + ": " + of)));
    String ratios =
        ranking.rows().size() < 2 || ranking.baseline().isEmpty() || named(ranking)
            ? ""
            : "Ratios are to " + ranking.baseline() + ".";
    String all = common.isEmpty() ? "" : "All treatments: " + String.join("; ", common);
    return ratios.isEmpty() || all.isEmpty() ? ratios + all : ratios + " " + all;
  }

  /** A treatment and one of its operations; its own figures stand in its first line. */
  private record Line(
      Map<String, String> levels,
      String label,
      Optional<Ranking.Row> row,
      Optional<OperationLatency> latency,
      boolean first) {

    String of(Function<Ranking.Row, String> cell) {
      return first ? row.map(cell).orElse("") : "";
    }

    String of(LatencyStatistic statistic) {
      return row.isEmpty()
          ? ""
          : latency
              .flatMap(l -> l.of(statistic))
              .map(estimate -> Numbers.micros(estimate.value()))
              .orElse(Table.ABSENT);
    }
  }

  /**
   * One row a treatment, condition by condition; where some treatment has several operations, one
   * row an operation, with the figures of the whole treatment on the first.
   */
  public static Table of(Ranking ranking) {
    Table table = table(ranking, false);
    for (String mark : explanations(List.of(ranking))) {
      table = table.withNote(mark);
    }
    boolean copies =
        ranking.rows().stream()
            .anyMatch(row -> guarantees(row).contains(Requirement.DURABLE.brief()));
    return copies ? table.withNote(COPIES) : table;
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
    treatment(table, brief ? job : "path", levels(ranking), Line::levels, Line::label);
    if (brief) {
      table.text(
          "stale or lost", line -> line.of(row -> row.probes().staleOrLost(ProbeKind.ORDER)));
    } else {
      PROMISES.forEach(
          (title, cell) -> {
            if (constant(ranking, cell).isEmpty()) {
              table.text(title, line -> line.of(cell));
            }
          });
    }
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
    if (!brief) {
      table.formatted(
          "published ratio",
          line -> line.of(row -> row.published().map(p -> Numbers.shorten(p.value())).orElse("")));
    }
    table.formatted(
        brief ? "CPU µs" : "CPU µs/record",
        line ->
            line.of(
                row -> row.cpuMicros().map(e -> Numbers.shorten(e.value())).orElse(Table.ABSENT)));
    if (ranking.severalOperations()) {
      table.text(
          "operation",
          line -> line.latency().map(OperationLatency::operation).orElse(Table.ABSENT));
    }
    if (ranking.rows().stream().anyMatch(row -> !row.latencies().isEmpty())) {
      table
          .formatted("p50", line -> line.of(LatencyStatistic.P50))
          .formatted("p99", line -> line.of(LatencyStatistic.P99));
    }
    if (open) {
      table.formatted("p99 " + baseline, line -> p99Ratio(line, brief));
    }
    return table
        .text(
            "marks",
            line -> line.row().isEmpty() ? "no valid trial" : line.of(row -> symbols(row.marks())))
        .of(lines(ranking))
        .withoutEmptyColumns();
  }

  private static String ratio(Estimate ratio, boolean brief) {
    return brief ? Numbers.ratio(ratio.value()) : Numbers.ratio(ratio);
  }

  private static List<Line> lines(Ranking ranking) {
    List<Line> lines = new ArrayList<>();
    for (Map<String, String> condition : ranking.conditions()) {
      for (Ranking.Row row : ranking.rows()) {
        if (row.condition().equals(condition)) {
          List<OperationLatency> latencies = row.latencies();
          for (int i = 0; i < Math.max(1, latencies.size()); i++) {
            lines.add(
                new Line(
                    row.replicates().levels(),
                    row.label(),
                    Optional.of(row),
                    latencies.isEmpty() ? Optional.empty() : Optional.of(latencies.get(i)),
                    i == 0));
          }
        }
      }
    }
    for (Ranking.Unranked row : ranking.unranked()) {
      lines.add(new Line(row.levels(), row.label(), Optional.empty(), Optional.empty(), true));
    }
    return lines;
  }

  private static Map<String, Set<String>> levels(Ranking ranking) {
    Map<String, Set<String>> levels = new LinkedHashMap<>();
    lines(ranking)
        .forEach(
            line ->
                line.levels()
                    .forEach(
                        (factor, level) ->
                            levels.computeIfAbsent(factor, f -> new LinkedHashSet<>()).add(level)));
    return levels;
  }

  /** A column for each factor that varies; one of labels where no more than one does. */
  private static <R> void treatment(
      MetricTable<R> table,
      String title,
      Map<String, Set<String>> levels,
      Function<R, Map<String, String>> levelsOf,
      Function<R, String> label) {
    List<String> varied =
        levels.keySet().stream().filter(f -> levels.getOrDefault(f, Set.of()).size() > 1).toList();
    if (varied.size() < 2) {
      table.text(title, label);
    } else {
      varied.forEach(
          factor -> table.text(factor, row -> levelsOf.apply(row).getOrDefault(factor, "")));
    }
  }

  private static String share(OfferedRate offered) {
    return offered.share() + (offered.held() ? "" : " (missed)");
  }

  private static String symbols(List<Mark> marks) {
    return marks.stream().map(Mark::symbol).collect(Collectors.joining(", "));
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

  /** The requirements of each treatment on its clients. */
  public static Table prices(Ranking ranking) {
    return new MetricTable<Ranking.Row>("not measured")
        .text("treatment", Ranking.Row::label)
        .count("clients", row -> row.price().clients())
        .count("threads", row -> row.price().threads())
        .formatted("memory of a client", row -> shown(row.price().clientBytes(), Value::bytes))
        .formatted("messages a record", row -> shown(row.price().messagesSent(), Value::number))
        .formatted("near-cache hits", row -> shown(row.price().nearCacheHits(), Value::share))
        .text("settings", row -> row.price().writtenSettings())
        .of(ranking.rows())
        .withoutEmptyColumns();
  }

  private static String shown(OptionalDouble value, DoubleFunction<Value> type) {
    return value.isPresent() ? type.apply(value.getAsDouble()).text() : "";
  }

  private static String p99Ratio(Line line, boolean brief) {
    return line.row().isEmpty()
        ? ""
        : line.latency()
            .flatMap(OperationLatency::ratio)
            .map(ratio -> ratio(ratio, brief))
            .orElse(
                line.row().filter(Ranking.Row::isBaseline).isPresent() ? BASELINE : Table.ABSENT);
  }

  /** The percentiles of every operation with their intervals over blocks. */
  public static Table latencies(Ranking ranking) {
    record Measured(Ranking.Row row, OperationLatency latency) {
      String of(LatencyStatistic statistic) {
        return latency.of(statistic).map(RankingTable::interval).orElse(Table.ABSENT);
      }
    }
    MetricTable<Measured> table = new MetricTable<>(TOO_FEW_CALLS);
    treatment(
        table,
        "path",
        levels(ranking),
        each -> each.row().replicates().levels(),
        each -> each.row().label());
    return table
        .text("operation", each -> each.latency().operation())
        .formatted("p50", each -> each.of(LatencyStatistic.P50))
        .formatted("p90", each -> each.of(LatencyStatistic.P90))
        .formatted("p99", each -> each.of(LatencyStatistic.P99))
        .formatted("p99.9", each -> each.of(LatencyStatistic.P999))
        .formatted(
            "blocks",
            each ->
                each.latency()
                    .of(LatencyStatistic.P50)
                    .map(e -> String.valueOf(e.replicates()))
                    .orElse(Table.ABSENT))
        .of(
            ranking.rows().stream()
                .flatMap(row -> row.latencies().stream().map(l -> new Measured(row, l)))
                .toList());
  }

  private static String interval(Estimate micros) {
    String value = Numbers.micros(micros.value());
    if (!micros.hasInterval()) {
      return value;
    }
    return micros.tooWide()
        ? value + " [too few blocks]"
        : "%s [%s, %s]"
            .formatted(value, Numbers.micros(micros.low()), Numbers.micros(micros.high()));
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
