package io.pyrometer.scenario;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.Percentiles;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeChart.TimeLine;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.Analysis;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Outcomes of a scenario's requests, their latency breakdown, and all timers. */
final class RunScenario {
  /** The declaration of this analysis, and how reports present scenarios. */
  public static final class Declaration implements Analysis, KindReport {

    @Override
    public Job job() {
      return ScenarioMessages.JOB;
    }

    @Override
    public String title() {
      return "Scenario";
    }

    @Override
    public boolean recordsLatencyOverTime() {
      return false;
    }

    @Override
    public String id() {
      return "scenario";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return run.counting().stream().noneMatch(trial -> trial.job() == ScenarioMessages.JOB)
          ? List.of()
          : List.of(
              new RunAnalysis(id(), "", "requests", "ms", true, new RunScenario(run).analyze()));
    }
  }

  private static final int MOST_DRAWN = 36;

  /** Percent of the requests below which a treatment did not keep up. */
  private static final double FEW_COMPLETED = 99;

  /** A timer of this name counts answers instead of time. */
  private static final String COUNTS = "ExpectedResponses";

  private final RunRecord run;
  private final List<Row> rows;

  /** A trial and the summary of its logs. */
  private record Observed(TrialRecord trial, ScenarioSummary summary) {}

  /** The trials of a treatment. */
  private record Row(String treatment, List<Observed> trials) {
    Estimate mean(String unit, ToDoubleFunction<ScenarioSummary> value) {
      double[] values = trials.stream().mapToDouble(t -> value.applyAsDouble(t.summary)).toArray();
      return Means.arithmetic(values, unit);
    }

    Estimate percent(String outcome) {
      return mean("%", s -> 100.0 * s.outcome(outcome) / Math.max(1, s.requests()));
    }

    long sum(ToLongFunction<ScenarioSummary> value) {
      return trials.stream().mapToLong(each -> value.applyAsLong(each.summary)).sum();
    }

    long count(String name) {
      return sum(summary -> summary.counts().getOrDefault(name, 0L));
    }

    String millis(ToDoubleFunction<ScenarioSummary> value) {
      return Numbers.fixed(mean("ms", value).value(), 2);
    }
  }

  private RunScenario(RunRecord run) {
    this.run = run;
    Map<String, List<Observed>> byTreatment = new LinkedHashMap<>();
    for (TrialRecord trial : run.counting()) {
      file(trial, ScenarioSummary.SUMMARY)
          .map(file -> run.folder().read(file, ScenarioSummary.class))
          .ifPresent(
              summary -> ListsByKey.add(byTreatment, trial.label(), new Observed(trial, summary)));
    }
    rows =
        byTreatment.entrySet().stream()
            .map(e -> new Row(e.getKey(), e.getValue()))
            .sorted(run.inOrder(row -> row.trials.get(0).trial.levels()))
            .toList();
  }

  private static Optional<String> file(TrialRecord trial, String kind) {
    return trial.artefacts().stream()
        .filter(artefact -> artefact.kind().equals(kind))
        .map(TrialRecord.Artefact::file)
        .findFirst();
  }

  private StudyResult analyze() {
    if (rows.isEmpty()) {
      return StudyResult.of(List.of());
    }
    return StudyResult.of(findings(), outcomes(), split(), timers(), inFlight());
  }

  /** All names that any summary has, in the order of the first one. */
  private List<String> names(Function<ScenarioSummary, Map<String, ?>> of) {
    return rows.stream()
        .flatMap(row -> row.trials.stream())
        .flatMap(each -> of.apply(each.summary).keySet().stream())
        .distinct()
        .toList();
  }

  private static ScenarioSummary.Times part(ScenarioSummary summary, String part) {
    return summary.split().parts().getOrDefault(part, ScenarioSummary.Times.NONE);
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    rows.forEach(row -> add(row, findings));
    verified().ifPresent(findings::add);
    return findings;
  }

  private static void add(Row row, List<Finding> findings) {
    Value treatment = Value.name(row.treatment);
    Estimate completed = row.percent(Outcome.COMPLETED.words());
    Finding finding =
        (completed.value() < FEW_COMPLETED
                ? Finding.notice("scenario.completed")
                : Finding.info("scenario.completed"))
            .with("treatment", treatment)
            .with("completed", Value.share(completed.value() / 100))
            .with("share completed", completed);
    if (row.trials.stream().allMatch(each -> each.summary.split().requests() > 0)) {
      Estimate elapsed = row.mean("ms", s -> s.split().withoutMock());
      finding =
          finding
              .with("elapsed", Value.micros(1e3 * elapsed.value()))
              .with("elapsed without the mock", elapsed);
    }
    findings.add(finding);
    double raced = row.percent(Outcome.LOST_RACE.words()).value();
    if (raced > 0) {
      findings.add(
          Finding.notice("scenario.lost-races")
              .with("treatment", treatment)
              .with("raced", Value.share(raced / 100)));
    }
    long stale = row.count(OutcomeCheck.STALE_READS);
    if (stale > 0) {
      findings.add(
          Finding.notice("scenario.stale-reads").with("treatment", treatment).with("stale", stale));
    }
  }

  /** The verification of all attempts together; attempts that failed are named elsewhere. */
  private Optional<Finding> verified() {
    List<TrialRecord> verified =
        run.finished().stream().filter(trial -> trial.result().verification().isPresent()).toList();
    boolean passed =
        verified.stream().allMatch(t -> t.result().verification().orElseThrow().passed());
    return verified.isEmpty() || !passed
        ? Optional.empty()
        : Optional.of(Finding.info("scenario.verified").with("trials", verified.size()));
  }

  private static String share(double percent) {
    return percent > 99.99 && percent < 100 ? "99.99" : Numbers.fixed(percent, 2);
  }

  private static MetricTable<Row> table() {
    return new MetricTable<Row>("").text("treatment", Row::treatment);
  }

  private static String count(Row row, String event) {
    return Numbers.whole((double) row.count(event));
  }

  private Section outcomes() {
    MetricTable<Row> outcomes =
        table()
            .formatted("blocks", row -> String.valueOf(row.trials.size()))
            .formatted(
                "requests", row -> Numbers.whole((double) row.sum(ScenarioSummary::requests)))
            .formatted("stale reads", row -> count(row, OutcomeCheck.STALE_READS));
    names(ScenarioSummary::outcomes)
        .forEach(name -> outcomes.formatted(name + " %", row -> share(row.percent(name).value())));
    MetricTable<Row> events = table();
    names(ScenarioSummary::counts).forEach(name -> events.formatted(name, row -> count(row, name)));
    return Section.of(
        "outcomes",
        "Outcomes",
        Messages.format("scenario.outcomes-note"),
        outcomes.figure(Messages.format("scenario.outcomes-caption"), rows),
        events.figure(Messages.format("scenario.events-caption"), rows));
  }

  private Section split() {
    MetricTable<Row> means =
        table()
            .formatted("whole", row -> row.millis(s -> s.split().whole().mean()))
            .formatted(
                "− mock", row -> Numbers.estimate(row.mean("ms", s -> s.split().withoutMock())))
            .formatted("sum %", row -> row.millis(s -> 100 + s.split().differencePercent()));
    MetricTable<Row> tails = table();
    for (String part : names(summary -> summary.split().parts())) {
      means.formatted(part, row -> row.millis(s -> part(s, part).mean()));
      tails.formatted(part, row -> row.millis(s -> part(s, part).p99()));
    }
    tails.formatted("whole", row -> row.millis(s -> s.split().whole().p99()));
    return Section.of(
        "split",
        "Where the time goes",
        Messages.format("scenario.parts-note"),
        means.figure(Messages.format("scenario.means-caption"), rows),
        tails.figure(Messages.format("scenario.percentiles-caption"), rows));
  }

  /** A timer of a treatment, over all its trials. */
  private record Timer(String name, LatencyCounts counts) {
    double unit() {
      return name.endsWith(COUNTS) ? 1 : 1e6;
    }

    String percentile(double percent) {
      return counts.count() >= Percentiles.samplesNeeded(percent)
          ? Numbers.shorten(counts.percentile(percent) / unit())
          : Table.ABSENT;
    }
  }

  private static final MetricTable<Timer> TIMERS =
      new MetricTable<Timer>(Messages.format("scenario.few-durations"))
          .text("timer", Timer::name)
          .formatted("count", t -> Numbers.whole((double) t.counts.count()))
          .formatted("max", t -> Numbers.shorten(t.counts.percentile(100) / t.unit()))
          .formatted("p50", t -> t.percentile(50))
          .formatted("p99", t -> t.percentile(99))
          .formatted("p99.9", t -> t.percentile(99.9));

  private Section timers() {
    List<Figure> figures = new ArrayList<>();
    for (Row row : rows) {
      Map<String, List<LatencyCounts>> timers = new TreeMap<>();
      row.trials.stream()
          .flatMap(each -> file(each.trial, ScenarioSummary.TIMERS).stream())
          .forEach(
              log ->
                  Latencies.totals(run.folder().file(log))
                      .forEach((name, more) -> ListsByKey.add(timers, name, more)));
      figures.add(
          TIMERS.figure(
              row.treatment + ": milliseconds, all blocks added up",
              timers.entrySet().stream()
                  .map(timer -> new Timer(timer.getKey(), LatencyCounts.merged(timer.getValue())))
                  .toList()));
    }
    return new Section("timers", "Timers", Messages.format("scenario.percentiles-note"), figures);
  }

  private Section inFlight() {
    List<TimeLine> lines =
        rows.stream()
            .flatMap(
                row ->
                    row.trials.stream()
                        .map(
                            each ->
                                new TimeLine(
                                    row.treatment + ", block " + (each.trial.block() + 1),
                                    each.summary.inFlight().stream()
                                        .map(Long::doubleValue)
                                        .toList(),
                                    10,
                                    each.summary.measuredFrom(),
                                    true)))
            .limit(MOST_DRAWN)
            .toList();
    return Section.of(
        "in-flight",
        "Requests without an outcome",
        Messages.format("scenario.in-flight-note"),
        TimeChart.throughput(Messages.format("scenario.in-flight-caption"), "requests", lines));
  }
}
