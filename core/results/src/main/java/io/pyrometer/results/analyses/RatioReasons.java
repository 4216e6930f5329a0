package io.pyrometer.results.analyses;

import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.StackedBarChart;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.ranking.Ranking;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why treatments differ in throughput: the calls and socket writes of a record, the number of busy
 * CPUs, and the CPU time of a record by role and category of work. By the utilisation law (Denning
 * and Buzen 1978) throughput is the number of busy CPUs divided by the CPU time of a record.
 * Disturbed trials count where a treatment has no others.
 */
public final class RatioReasons {
  private static final int MAX_NAMED = 2;
  private static final double MIN_SHARE = 0.03;

  private final RunRecord run;
  private final Map<String, CpuProfile> profiles;

  /** Reads the profiles of a run. */
  public RatioReasons(RunRecord run) {
    this.run = run;
    this.profiles =
        CpuProfile.of(run).stream().collect(Collectors.toMap(CpuProfile::label, each -> each));
  }

  /**
   * One treatment's cost of a record.
   *
   * @param row its undisturbed trials, or all where every one was disturbed
   */
  private record Cost(TreatmentRow row, Optional<CpuProfile> profile) {
    String label() {
      return row.label();
    }

    Optional<Double> of(String role, String counter) {
      return row.average(CpuProfile.demandOf(role) + counter);
    }

    Optional<Double> both(String counter) {
      return of(CpuProfile.SERVERS, counter)
          .flatMap(servers -> of(CpuProfile.CLIENTS, counter).map(clients -> servers + clients));
    }

    Optional<Double> calls() {
      return row.average(
          trial ->
              Optional.of(trial.counts())
                  .filter(counts -> counts.records() > 0)
                  .map(counts -> counts.calls() / (double) counts.records()));
    }

    Optional<Double> busyCpus() {
      return row.average(
          trial ->
              trial
                  .value(Metric.CPU)
                  .flatMap(micros -> trial.throughput().map(rate -> rate * micros / 1e6)));
    }

    /** The CPU time of a role for one record by category, µs; its sum is all of it. */
    Map<String, Double> parts(String role) {
      return CpuProfile.parts(row, role, profile.map(of -> of.shares(role)).orElse(Map.of()));
    }

    Stream<StackedBarChart.Bar> bars() {
      return CpuProfile.ROLES.stream()
          .filter(role -> !parts(role).isEmpty())
          .map(role -> new StackedBarChart.Bar(label(), role, parts(role)));
    }

    Map<String, Double> parts() {
      Map<String, Double> parts = new TreeMap<>();
      CpuProfile.ROLES.forEach(
          role -> parts(role).forEach((part, us) -> parts.merge(part, us, Double::sum)));
      return parts;
    }

    /** The categories whose shares of the CPU time of a record exceed another's most. */
    String categories(Optional<Cost> other) {
      Map<String, Double> own = parts();
      if (own.isEmpty() || profile.isEmpty()) {
        return Table.ABSENT;
      }
      Map<String, Double> others = other.map(Cost::parts).orElse(Map.of());
      double whole = CpuProfile.sum(own);
      double wholeOfOther = Math.max(Double.MIN_NORMAL, CpuProfile.sum(others));
      return CpuProfile.words(
          own,
          own.keySet().stream()
              .filter(category -> !category.equals(StackCategories.OTHER))
              .filter(category -> own.getOrDefault(category, 0.0) >= MIN_SHARE * whole)
              .sorted(
                  Comparator.comparingDouble(
                      c ->
                          others.getOrDefault(c, 0.0) / wholeOfOther
                              - own.getOrDefault(c, 0.0) / whole))
              .limit(MAX_NAMED));
    }
  }

  private Cost cost(Ranking.Row row) {
    List<TrialRecord> valid = run.valid(row.levels());
    List<TrialRecord> calm = valid.stream().filter(trial -> !trial.disturbed()).toList();
    return new Cost(
        new TreatmentRow(row.label(), calm.isEmpty() ? valid : calm, Optional.of(row)),
        Optional.ofNullable(profiles.get(row.label())));
  }

  private record Row(Cost of, Optional<Cost> base) {}

  /**
   * Empty where CPU time was not recorded, as of benchmarks of caches. Without profiles a single
   * treatment and an offered rate have nothing to explain.
   */
  private List<Row> rows(Ranking ranking) {
    List<Row> rows =
        ranking.rows().stream()
            .map(row -> new Row(cost(row), ranking.baselineOf(row).map(this::cost)))
            .toList();
    boolean recorded = rows.stream().anyMatch(row -> !row.of().parts().isEmpty());
    boolean profiled = rows.stream().anyMatch(row -> row.of().profile().isPresent());
    boolean ratios = rows.size() > 1 && !ranking.openLoop();
    return recorded && (ratios || profiled) ? rows : List.of();
  }

  /** The cost of a record with each treatment, and a chart of its CPU time. */
  public Optional<Figure> figure(Ranking ranking) {
    List<Row> rows = rows(ranking);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    List<StackedBarChart.Bar> bars = rows.stream().flatMap(row -> row.of().bars()).toList();
    return Optional.of(
        Figure.of(
            Texts.of("ranking.why"),
            StackedBarChart.of(bars, ranking.baseline()),
            table("treatment", rows)));
  }

  /** The cost of a record with some treatments of all rankings, in one table. */
  public Table table(List<Ranking> rankings, Set<String> treatments) {
    return table(
        "why",
        rankings.stream()
            .flatMap(ranking -> rows(ranking).stream())
            .filter(row -> treatments.contains(row.of().label()))
            .toList());
  }

  private static Table table(String title, List<Row> rows) {
    return Texts.<Row>table("ranking.why")
        .text(title, row -> row.of().label())
        .number("calls", row -> row.of().calls())
        .number("socket writes", row -> row.of().both(Metric.DEMAND_MESSAGES_OUT))
        .number("CPUs busy", row -> row.of().busyCpus())
        .number("servers µs", row -> row.of().of(CpuProfile.SERVERS, Metric.DEMAND_CPU))
        .number("clients µs", row -> row.of().of(CpuProfile.CLIENTS, Metric.DEMAND_CPU))
        .text("more CPU time in", row -> row.of().categories(row.base()))
        .of(rows);
  }
}
