package io.pyrometer.chaos;

import io.pyrometer.chaos.history.Verdict;
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
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Promises by fault, with the counterexamples of those that were broken, and the presentation of
 * trials under faults.
 */
public final class PromiseAnalysis implements Analysis, KindReport {
  @Override
  public Job job() {
    return ChaosMessages.JOB;
  }

  @Override
  public String title() {
    return "Operations under faults";
  }

  /** The rate is the same for all; what counts is whether promises are kept. */
  @Override
  public boolean rankedByThroughput(TrialRecord trial) {
    return false;
  }

  @Override
  public boolean recordsLatencyOverTime() {
    return false;
  }

  @Override
  public Optional<Finding> steadinessNotJudged() {
    return Optional.of(Finding.info("validity.disturbed-on-purpose"));
  }

  @Override
  public String id() {
    return "promises";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    List<Row> rows = rows(run);
    List<RunAnalysis> all = new ArrayList<>();
    if (!rows.isEmpty()) {
      all.add(new RunAnalysis(id(), "", "", "", true, analyze(rows)));
    }
    for (Row row : rows) {
      row.firstBroken()
          .map(broken -> StudyResult.of(List.of(), counterexample(broken)))
          .map(r -> new RunAnalysis(id(), row.treatment(), "", "", false, r))
          .ifPresent(all::add);
    }
    return all;
  }

  private record Made(TrialRecord trial, ChaosSummary summary) {}

  /** The trials of a treatment. */
  private record Row(String treatment, List<Made> made) {
    ChaosSummary first() {
      return made.get(0).summary();
    }

    Verdict verdict() {
      return made.stream()
          .map(each -> each.summary().verdict())
          .reduce(Verdict.VALID, Verdict::and);
    }

    String inWords() {
      boolean unpromised = first().unpromised();
      return switch (verdict()) {
        case VALID -> unpromised ? "held, not promised" : "kept";
        case INVALID -> unpromised ? "did not hold, not promised" : "broken";
        case UNKNOWN -> "not decided";
      };
    }

    Optional<Made> firstBroken() {
      return made.stream().filter(each -> each.summary().verdict() == Verdict.INVALID).findFirst();
    }

    String faults() {
      Map<String, Long> byKind =
          made.stream()
              .flatMap(each -> each.summary().faults().stream())
              .collect(
                  Collectors.groupingBy(
                      fault -> fault.name().split("[ ,]", 2)[0],
                      LinkedHashMap::new,
                      Collectors.counting()));
      return byKind.isEmpty()
          ? "none"
          : byKind.entrySet().stream()
              .map(each -> each.getValue() + " × " + each.getKey())
              .collect(Collectors.joining(", "));
    }

    long sum(ToLongFunction<ChaosSummary> of) {
      return made.stream().mapToLong(each -> of.applyAsLong(each.summary())).sum();
    }

    double outage() {
      return made.stream().mapToDouble(each -> each.summary().outageSeconds()).max().orElse(0);
    }
  }

  private static List<Row> rows(RunRecord run) {
    Map<String, List<Made>> byTreatment = new LinkedHashMap<>();
    List<TrialRecord> trials =
        run.counting().stream().sorted(run.inOrder(TrialRecord::levels)).toList();
    for (TrialRecord trial : trials) {
      if (trial.job() == ChaosMessages.JOB) {
        trial.artefacts().stream()
            .filter(artefact -> artefact.kind().equals(ChaosSummary.KIND))
            .findFirst()
            .map(artefact -> run.folder().read(artefact.file(), ChaosSummary.class))
            .ifPresent(
                summary -> ListsByKey.add(byTreatment, trial.label(), new Made(trial, summary)));
      }
    }
    return byTreatment.entrySet().stream().map(e -> new Row(e.getKey(), e.getValue())).toList();
  }

  private static StudyResult analyze(List<Row> rows) {
    List<Finding> findings = new ArrayList<>();
    for (Row row : rows) {
      row.firstBroken().ifPresent(broken -> findings.add(broken(row, broken.summary())));
      if (row.verdict() == Verdict.UNKNOWN) {
        findings.add(Finding.notice("chaos.not-decided").with("treatment", row.treatment()));
      }
    }
    List<Row> promised = rows.stream().filter(row -> !row.first().unpromised()).toList();
    if (!promised.isEmpty() && promised.stream().allMatch(row -> row.verdict() == Verdict.VALID)) {
      findings.add(
          0,
          Finding.info("chaos.promise-kept")
              .with("operations", sum(promised, ChaosSummary::operations))
              .with("faults", sum(promised, summary -> summary.faults().size())));
    }
    return StudyResult.of(findings, table(rows));
  }

  private static Value sum(List<Row> rows, ToLongFunction<ChaosSummary> of) {
    return Value.count(rows.stream().mapToLong(row -> row.sum(of)).sum());
  }

  private static Finding broken(Row row, ChaosSummary summary) {
    return (summary.unpromised()
            ? Finding.notice("chaos.not-promised")
            : Finding.warning("chaos.violation"))
        .with("treatment", row.treatment())
        .with("promise", summary.promise())
        .with("seed", String.valueOf(summary.seed()));
  }

  private static Section table(List<Row> rows) {
    Figure figure =
        new MetricTable<Row>()
            .text("treatment", Row::treatment)
            .text("promise", row -> row.first().promise())
            .text("faults", Row::faults)
            .text("verdict", Row::inWords)
            .count("operations", row -> row.sum(ChaosSummary::operations))
            .count("no answer", row -> row.sum(ChaosSummary::unanswered))
            .formatted("longest outage, s", row -> Numbers.fixed(row.outage(), 2))
            .figure(Messages.format("chaos.table-caption"), rows);
    return Section.of(
        "promises", "Promises under faults", Messages.format("chaos.table-note"), figure);
  }

  /** A line of text is a row, so that the terminal does not wrap the drawing. */
  private static Section counterexample(Made broken) {
    return Section.of(
        "counterexample",
        "Counterexample",
        Messages.format("chaos.history-note")
            .formatted(broken.trial().id(), broken.summary().seed()),
        Figure.of(
            "",
            Table.ofWords(
                List.of("timeline, not to scale"),
                broken.summary().text().lines().map(List::of).toList())));
  }
}
