package io.pyrometer.scenario.report;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.TimeChart;
import io.pyrometer.report.chart.TimeLine;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.Analysis;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import io.pyrometer.scenario.protocol.ScenarioMessages;
import io.pyrometer.scenario.protocol.ScenarioSettings;
import io.pyrometer.scenario.protocol.ScenarioSummary;
import io.pyrometer.scenario.report.PublishedTimers.Published;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What became of a scenario's requests: outcomes, where their time went, all timers beside those
 * that were published, the clocks of the processes, and the slowest requests.
 */
final class RunScenario {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "scenario";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunScenario.of(run);
    }
  }

  private static final double CONFIDENCE = 0.95;
  private static final String COMPLETED = "completed";
  private static final String MOCK = "mock";

  private static final int MOST_DRAWN = 36;

  private final RunRecord run;
  private final Map<String, List<Observed>> byTreatment = new LinkedHashMap<>();

  /** A trial and the summary of its logs. */
  private record Observed(TrialRecord trial, ScenarioSummary summary) {}

  private RunScenario(RunRecord run) {
    this.run = run;
    for (TrialRecord trial : run.counting()) {
      file(trial, ScenarioSummary.SUMMARY)
          .ifPresent(
              file ->
                  byTreatment
                      .computeIfAbsent(Rankings.label(trial), label -> new ArrayList<>())
                      .add(new Observed(trial, run.folder().read(file, ScenarioSummary.class))));
    }
  }

  static List<RunAnalysis> of(RunRecord run) {
    if (run.counting().stream().noneMatch(trial -> trial.job() == ScenarioMessages.JOB)) {
      return List.of();
    }
    return List.of(
        new RunAnalysis("scenario", "", "requests", "ms", true, new RunScenario(run).analyze()));
  }

  private static Optional<String> file(TrialRecord trial, String kind) {
    return trial.artefacts().stream()
        .filter(artefact -> artefact.kind().equals(kind))
        .map(TrialRecord.Artefact::file)
        .findFirst();
  }

  private StudyResult analyze() {
    List<Section> sections = new ArrayList<>();
    if (byTreatment.isEmpty()) {
      return new StudyResult("", List.of(), sections, List.of());
    }
    sections.add(outcomes());
    sections.add(split());
    sections.add(timers());
    sections.add(inFlight());
    sections.add(clocks());
    slowest().ifPresent(sections::add);
    return new StudyResult("", findings(), sections, List.of());
  }

  private String scenario() {
    return run.counting().get(0).settings().get(CoreSettings.PATH);
  }

  private boolean published() {
    return !PublishedTimers.of(scenario()).isEmpty();
  }

  private static Estimate estimate(
      List<Observed> trials, String unit, ToDoubleFunction<ScenarioSummary> value) {
    return Means.arithmetic(
        trials.stream().mapToDouble(each -> value.applyAsDouble(each.summary())).toArray(),
        unit,
        CONFIDENCE);
  }

  private static double percent(ScenarioSummary summary, String outcome) {
    return 100.0 * summary.outcome(outcome) / Math.max(1, summary.requests());
  }

  private static double withoutMock(ScenarioSummary summary) {
    ScenarioSummary.Times mock = summary.split().parts().get(MOCK);
    return summary.split().whole().mean() - (mock == null ? 0 : mock.mean());
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    byTreatment.forEach(
        (treatment, trials) -> {
          Estimate completed = estimate(trials, "%", summary -> percent(summary, COMPLETED));
          Map<String, Estimate> estimates = new LinkedHashMap<>();
          estimates.put("completed", completed);
          String sentence =
              "%s: %s %% of the requests completed".formatted(treatment, share(completed.value()));
          if (trials.stream().allMatch(each -> each.summary().split().requests() > 0)) {
            Estimate elapsed = estimate(trials, "ms", RunScenario::withoutMock);
            estimates.put("elapsed without the mock", elapsed);
            sentence +=
                ", in %s ms on average without the mock's own delay"
                    .formatted(Numbers.shorten(elapsed.value()));
            if (published()) {
              sentence += " (published: %s ms)".formatted(PublishedTimers.ELAPSED_WITHOUT_MOCK);
            }
          }
          double raced = estimate(trials, "%", summary -> percent(summary, "lost race")).value();
          if (raced > 0) {
            sentence += "; %s %% lost a race".formatted(share(raced));
            if (published()) {
              sentence +=
                  " (published: %s %% timed out)".formatted(PublishedTimers.TIMED_OUT_PERCENT);
            }
          }
          long stale =
              trials.stream()
                  .mapToLong(each -> each.summary().counts().getOrDefault("stale reads", 0L))
                  .sum();
          if (stale > 0) {
            sentence += "; %s stale reads".formatted(Numbers.whole((double) stale));
          }
          findings.add(
              new Finding(
                  Finding.Kind.LATENCY,
                  completed.value() < 99 ? Finding.Severity.NOTICE : Finding.Severity.INFO,
                  sentence + ".",
                  estimates,
                  "More blocks, another rate, or another number of processes."));
        });
    checked().ifPresent(findings::add);
    return findings;
  }

  /** What the logs of all attempts say together; attempts that failed are named elsewhere. */
  private Optional<Finding> checked() {
    List<TrialRecord> verified =
        run.finished().stream().filter(trial -> trial.result().verification().isPresent()).toList();
    if (verified.isEmpty()
        || !verified.stream().allMatch(t -> t.result().verification().orElseThrow().passed())) {
      return Optional.empty();
    }
    int planted = verified.stream().mapToInt(RunScenario::dropped).sum();
    return Optional.of(
        new Finding(
            Finding.Kind.ESTIMATE,
            Finding.Severity.INFO,
            "The logs of %s show one outcome for every request, and no lost message%s."
                .formatted(
                    verified.size() == 1 ? "the trial" : "all %d trials".formatted(verified.size()),
                    planted == 0
                        ? ""
                        : " but the %d dropped on purpose, which the check found"
                            .formatted(planted)),
            Map.of("trials", Estimate.unreplicated(verified.size(), "trials")),
            "A message that one process logged as sent and no other as taken up."));
  }

  /** How many messages a trial lost on purpose; a trial that passed has found them. */
  private static int dropped(TrialRecord trial) {
    boolean drops = trial.settings().find(ScenarioSettings.DROP_MESSAGE).orElse(0) > 0;
    return drops ? trial.settings().get(ScenarioSettings.MOCK_PROCESSES) : 0;
  }

  private static String share(double percent) {
    return percent > 99.99 && percent < 100 ? "99.99" : Numbers.fixed(percent, 2);
  }

  private Section outcomes() {
    Set<String> names = new LinkedHashSet<>();
    Set<String> counts = new LinkedHashSet<>();
    byTreatment
        .values()
        .forEach(
            trials ->
                trials.forEach(
                    each -> {
                      names.addAll(each.summary().outcomes().keySet());
                      counts.addAll(each.summary().counts().keySet());
                    }));
    List<String> header = new ArrayList<>(List.of("treatment", "blocks", "requests"));
    names.forEach(name -> header.add(name + " %"));
    List<String> eventHeader = new ArrayList<>(List.of("treatment"));
    eventHeader.addAll(counts);
    List<List<String>> rows = new ArrayList<>();
    List<List<String>> events = new ArrayList<>();
    byTreatment.forEach(
        (treatment, trials) -> {
          List<String> row =
              new ArrayList<>(
                  List.of(
                      treatment,
                      String.valueOf(trials.size()),
                      Numbers.whole(
                          (double)
                              trials.stream().mapToLong(each -> each.summary().requests()).sum())));
          names.forEach(
              name ->
                  row.add(share(estimate(trials, "%", summary -> percent(summary, name)).value())));
          List<String> happened = new ArrayList<>(List.of(treatment));
          counts.forEach(
              name ->
                  happened.add(
                      Numbers.whole(
                          (double)
                              trials.stream()
                                  .mapToLong(each -> each.summary().counts().getOrDefault(name, 0L))
                                  .sum())));
          rows.add(row);
          events.add(happened);
        });
    String publishedWords = published() ? " Published: 0.16 % timed out, all by the race." : "";
    return new Section(
        "outcomes",
        "Outcomes",
        "Every request ends in exactly one outcome. The logs of all processes are compared: each"
            + " message that was sent was taken up once, and each request was answered once."
            + publishedWords,
        List.of(
            Figure.of(
                "Requests whose intended start was in the measured part; shares are means over"
                    + " the blocks",
                Table.of(header, 1, rows)),
            Figure.of(
                "What happened beside to these requests, all blocks added up",
                Table.of(eventHeader, 1, events))));
  }

  private Section split() {
    Set<String> parts = new LinkedHashSet<>();
    byTreatment
        .values()
        .forEach(
            trials ->
                trials.forEach(each -> parts.addAll(each.summary().split().parts().keySet())));
    List<String> header = new ArrayList<>(List.of("treatment"));
    header.addAll(List.of("whole", "− mock", "sum %"));
    header.addAll(parts);
    List<List<String>> means = new ArrayList<>();
    List<List<String>> tails = new ArrayList<>();
    byTreatment.forEach(
        (treatment, trials) -> {
          List<String> row = new ArrayList<>(List.of(treatment));
          List<String> tail = new ArrayList<>(List.of(treatment));
          row.add(milliseconds(trials, s -> s.split().whole().mean()));
          row.add(Numbers.estimate(estimate(trials, "ms", RunScenario::withoutMock)));
          row.add(
              Numbers.fixed(
                  100 + estimate(trials, "%", s -> s.split().differencePercent()).value(), 2));
          for (String part : parts) {
            row.add(milliseconds(trials, s -> of(s, part).mean()));
            tail.add(milliseconds(trials, s -> of(s, part).p99()));
          }
          tail.add(milliseconds(trials, s -> s.split().whole().p99()));
          means.add(row);
          tails.add(tail);
        });
    List<String> tailHeader = new ArrayList<>(List.of("treatment"));
    tailHeader.addAll(parts);
    tailHeader.add("whole");
    return new Section(
        "split",
        "Where the time goes",
        "The way of each completed request through all processes. Each part is measured within one"
            + " process or between two; the whole is measured by the client's clock alone, from"
            + " the intended start to the reply. The sum of the parts, in percent of the whole,"
            + " leaves the service's own code out, which is what its steps leave of its time.",
        List.of(
            Figure.of(
                "Mean milliseconds of completed requests, mean over the blocks",
                Table.of(header, 1, means)),
            Figure.of(
                "p99 of each part by itself in milliseconds, mean over the blocks; percentiles do"
                    + " not add up",
                Table.of(tailHeader, 1, tails))));
  }

  private static ScenarioSummary.Times of(ScenarioSummary summary, String part) {
    return summary.split().parts().getOrDefault(part, new ScenarioSummary.Times(0, 0, 0, 0));
  }

  private static String milliseconds(
      List<Observed> trials, ToDoubleFunction<ScenarioSummary> value) {
    return Numbers.fixed(estimate(trials, "ms", value).value(), 2);
  }

  private Section timers() {
    Map<String, Published> published = PublishedTimers.of(scenario());
    List<Figure> figures = new ArrayList<>();
    byTreatment.forEach(
        (treatment, trials) -> {
          List<Path> logs =
              trials.stream()
                  .flatMap(each -> file(each.trial(), ScenarioSummary.TIMERS).stream())
                  .map(run.folder()::file)
                  .toList();
          Map<String, Histogram> timers = ScenarioTimers.addedUp(logs);
          double seconds =
              trials.stream().mapToDouble(each -> each.trial().counts().seconds()).sum();
          figures.add(
              Figure.of(
                  "%s: milliseconds, all blocks added up%s"
                      .formatted(
                          treatment, published.isEmpty() ? "" : "; published figures in brackets"),
                  ScenarioTimers.table(timers, published, seconds)));
        });
    return new Section(
        "timers",
        "Timers",
        "A percentile is shown where at least ten durations lie beyond it."
            + (published.isEmpty()
                ? ""
                : " Published: "
                    + PublishedTimers.SOURCE
                    + ", whole milliseconds; its counts are those since the timer was last reset."
                    + " Timers named ExpectedResponses count answers."),
        figures);
  }

  private Section inFlight() {
    List<TimeLine> lines = new ArrayList<>();
    byTreatment.forEach(
        (treatment, trials) ->
            trials.forEach(
                each ->
                    lines.add(
                        new TimeLine(
                            treatment + ", block " + (each.trial().block() + 1),
                            each.summary().inFlight().stream().map(Long::doubleValue).toList(),
                            10,
                            each.summary().measuredFrom(),
                            true))));
    return new Section(
        "in-flight",
        "Requests without an outcome",
        "How many requests were being handled or waited, ten times a second. Above capacity the"
            + " number grows for as long as requests are offered.",
        List.of(
            TimeChart.throughput(
                "Requests in flight over the seconds of each trial",
                "requests",
                lines.subList(0, Math.min(MOST_DRAWN, lines.size())))));
  }

  private Section clocks() {
    List<List<String>> rows = new ArrayList<>();
    byTreatment.forEach(
        (treatment, trials) ->
            trials.forEach(
                each ->
                    each.summary()
                        .clocks()
                        .forEach(
                            clock ->
                                rows.add(
                                    List.of(
                                        treatment,
                                        String.valueOf(each.trial().block() + 1),
                                        clock.before().process(),
                                        micros(clock.before().offsetNanos()),
                                        micros(clock.before().errorNanos()),
                                        micros(clock.after().offsetNanos()),
                                        micros(clock.after().errorNanos()))))));
    return new Section(
        "clocks",
        "Clocks of the processes",
        "Each process's steady clock against the client's, before and after the load, from the"
            + " quickest of 200 questions over the connection between them; half the time of that"
            + " question bounds the error. Times between two processes are corrected by the mean"
            + " of both offsets.",
        List.of(
            Figure.of(
                "Microseconds",
                Table.of(
                    List.of(
                        "treatment",
                        "block",
                        "process",
                        "offset before",
                        "± before",
                        "offset after",
                        "± after"),
                    3,
                    rows))));
  }

  private static String micros(long nanos) {
    return Numbers.fixed(nanos / 1e3, 1);
  }

  /** The slowest requests of the first treatment's first block; the files hold those of all. */
  private Optional<Section> slowest() {
    Observed first = byTreatment.values().iterator().next().get(0);
    return file(first.trial(), ScenarioSummary.SLOWEST)
        .map(
            file -> {
              List<Figure> figures = RequestWaterfalls.of(run.folder().tree(file));
              return new Section(
                  "slowest",
                  "Slowest requests",
                  "%s, block %d: each span on the client's clock. The same spans are in %s (OpenTelemetry OTLP/JSON, which Jaeger opens); other trials have such a file too."
                      .formatted(Rankings.label(first.trial()), first.trial().block() + 1, file),
                  figures);
            });
  }
}
