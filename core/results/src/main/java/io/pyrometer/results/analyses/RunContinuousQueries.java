package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What continuous queries deliver: events a second, the delay from a write to its event, and events
 * that were lost or came twice.
 */
final class RunContinuousQueries {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "continuous-queries";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunContinuousQueries.of(run);
    }
  }

  private static final String LISTENERS = "listeners";
  private static final String LOST = Metric.EVENTS + "events-lost";
  private static final String DOUBLED = Metric.EVENTS + "events-doubled";

  private final RunRecord run;
  private final Map<String, List<TrialRecord>> treatments = new LinkedHashMap<>();
  private final Map<String, Ranking.Row> ranked = new LinkedHashMap<>();

  private RunContinuousQueries(RunRecord run) {
    this.run = run;
    for (TrialRecord trial : run.counting()) {
      treatments.computeIfAbsent(Rankings.label(trial), label -> new ArrayList<>()).add(trial);
    }
    Rankings.of(run).stream()
        .flatMap(ranking -> ranking.rows().stream())
        .forEach(row -> ranked.put(row.label(), row));
  }

  static List<RunAnalysis> of(RunRecord run) {
    RunRecord listening = run.of(trial -> trial.settings().has(LISTENERS));
    return List.of(
        new RunAnalysis(
            "continuous-queries",
            "",
            "continuous queries",
            "events/s",
            true,
            RunAnalyses.analyze(() -> new RunContinuousQueries(listening).analyze())));
  }

  private StudyResult analyze() {
    if (treatments.isEmpty()) {
      throw new BadDataException(
          "No trial listened to events, so there is nothing to judge: take a path that has the setting 'listeners'.");
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(harmed());
    shortest().ifPresent(findings::add);
    Section section =
        new Section(
            "events",
            "Rate, delay and completeness of events",
            "Every write is awaited until all continuous queries of its agent have told of it; the"
                + " delay counts from the write, in an open loop from when it was due. Lost: no"
                + " event came within the time-out. Twice: more events than writes. Both for 1,000"
                + " writes, in the worst trial.",
            List.of(Exhibit.of("One row a treatment", table())));
    return new StudyResult("", findings, List.of(section), List.of());
  }

  private Table table() {
    List<List<String>> rows = new ArrayList<>();
    treatments.forEach(
        (label, trials) -> {
          Optional<Ranking.Row> row = Optional.ofNullable(ranked.get(label));
          int listeners = trials.get(0).settings().integer(LISTENERS);
          rows.add(
              List.of(
                  label,
                  row.map(r -> Numbers.estimate(r.throughput().times(listeners, "")))
                      .orElse(Table.ABSENT),
                  millis(row, LatencyStatistic.P50),
                  millis(row, LatencyStatistic.P99),
                  worst(trials, LOST),
                  worst(trials, DOUBLED)));
        });
    return Table.of(
            List.of(
                "treatment", "events/s", "delay p50 [ms]", "delay p99 [ms]", "lost", "came twice"),
            0,
            rows)
        .withAbsent("no valid trial; or too few events for a p99 (ten must lie beyond it)");
  }

  private static String millis(Optional<Ranking.Row> row, LatencyStatistic statistic) {
    return delay(row, statistic).map(Numbers::estimate).orElse(Table.ABSENT);
  }

  private static Optional<Estimate> delay(Optional<Ranking.Row> row, LatencyStatistic statistic) {
    return row.stream()
        .flatMap(r -> r.latencies().stream())
        .flatMap(latency -> latency.of(statistic).stream())
        .findFirst()
        .map(micros -> micros.times(1e-3, "ms"));
  }

  private static String worst(List<TrialRecord> trials, String metric) {
    OptionalDouble most = most(trials, metric);
    return most.isEmpty() ? Table.ABSENT : Numbers.shorten(most.getAsDouble());
  }

  private static OptionalDouble most(List<TrialRecord> trials, String metric) {
    return trials.stream()
        .flatMap(trial -> trial.value(metric).stream())
        .mapToDouble(Double::doubleValue)
        .max();
  }

  private static boolean harmed(List<TrialRecord> trials) {
    return most(trials, LOST).orElse(0) > 0 || most(trials, DOUBLED).orElse(0) > 0;
  }

  private Finding harmed() {
    List<String> named = new ArrayList<>();
    treatments.forEach(
        (label, trials) -> {
          if (harmed(trials)) {
            named.add(
                "%s (lost %s, twice %s)"
                    .formatted(label, worst(trials, LOST), worst(trials, DOUBLED)));
          }
        });
    if (!named.isEmpty()) {
      return new Finding(
          Finding.Kind.COMPARISON,
          Finding.Severity.WARNING,
          "Events were lost or came twice, for 1,000 writes in the worst trial: %s. Who listens must be able to do without an event and to take one twice."
              .formatted(Phrases.and(named)),
          Map.of(),
          "Nothing: one such event is proof.");
    }
    double writes = run.counting().stream().mapToDouble(trial -> trial.counts().calls()).sum();
    return new Finding(
        Finding.Kind.COMPARISON,
        Finding.Severity.INFO,
        "No event was lost and none came twice in %s writes of %d trials."
            .formatted(Numbers.whole(writes), run.counting().size()),
        Map.of(),
        "A longer run, or a failure of another kind: none seen is no proof.");
  }

  /** Among treatments without a failure of a server, which lengthens delays by itself. */
  private Optional<Finding> shortest() {
    String best = "";
    Optional<Estimate> least = Optional.empty();
    for (Map.Entry<String, List<TrialRecord>> each : treatments.entrySet()) {
      Optional<Estimate> delay =
          delay(Optional.ofNullable(ranked.get(each.getKey())), LatencyStatistic.P99);
      boolean fits = delay.isPresent() && !harmed(each.getValue()) && calm(each.getValue());
      if (fits && least.map(l -> delay.get().value() < l.value()).orElse(true)) {
        best = each.getKey();
        least = delay;
      }
    }
    String named = best;
    return least.map(
        delay ->
            new Finding(
                Finding.Kind.ESTIMATE,
                Finding.Severity.INFO,
                "Events came soonest with %s: p99 of the delay %s ms."
                    .formatted(named, Numbers.estimate(delay)),
                Map.of(named, delay),
                "More blocks, another rate or other machines."));
  }

  private static boolean calm(List<TrialRecord> trials) {
    return trials.stream()
        .allMatch(
            trial ->
                !trial.settings().has("server-event")
                    || trial.settings().text("server-event").equals("none"));
  }
}
