package io.pyrometer.results.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Outcome;
import io.pyrometer.results.compare.RunComparison.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a comparison says, in sentences: a regression first, then what may limit it. */
final class ComparisonFindings {
  /** A factor of eleven and one of millions say the same: nothing is known. */
  private static final double MOST_TO_PRINT = 10;

  private static final String SETTLED_BY = "More blocks or runs of both.";
  private static final String NOT_JUDGED =
      "Not judged: one run of each, made at different times, does not show how much two runs of the same differ; measure both in the same blocks with compare --interleave, or give several runs of each (A1,A2,A3 B1,B2,B3).";

  private final RunComparison found;

  private ComparisonFindings(RunComparison found) {
    this.found = found;
  }

  static List<Finding> of(RunComparison found) {
    ComparisonFindings findings = new ComparisonFindings(found);
    List<Finding> all = new ArrayList<>();
    all.add(findings.answer());
    found.lost().forEach(lost -> all.add(lost(lost)));
    found.rows().stream()
        .filter(row -> row.outcome() == Outcome.REGRESSION)
        .map(ComparisonFindings::regression)
        .forEach(all::add);
    found.rows().stream()
        .filter(row -> row.outcome() != Outcome.REGRESSION)
        .filter(
            row ->
                row.comparison().verdict() == Verdict.WORSE
                    || row.comparison().verdict() == Verdict.BETTER)
        .sorted(Comparator.comparing(row -> row.comparison().verdict() == Verdict.BETTER))
        .map(row -> row.comparison().finding())
        .forEach(all::add);
    all.addAll(found.outliers());
    all.addAll(findings.reservations());
    return all;
  }

  private Finding answer() {
    long rows = found.rows().size();
    String all = Figures.count(rows, "comparison");
    return switch (found.outcome()) {
      case PASS ->
          Finding.info(
              Kind.COMPARISON,
              "No regression found in %s%s.".formatted(all, widest(Outcome.PASS)),
              "More blocks, which exclude smaller losses.");
      case REGRESSION ->
          Finding.warning(
              Kind.COMPARISON,
              "Regression: %s.".formatted(regressed()),
              "A repeat that does not show it.");
      case NOT_ENOUGH_RUNS -> Finding.notice(Kind.NOT_ENOUGH_RUNS, undecided(all), SETTLED_BY);
    };
  }

  private String undecided(String all) {
    List<Row> judged = found.rows().stream().filter(row -> row.gate().isPresent()).toList();
    if (judged.isEmpty() && !found.interleaved()) {
      return NOT_JUDGED;
    }
    if (judged.isEmpty()) {
      return "Not enough blocks: the first look is after %d that have both versions; %s"
          .formatted(SequentialComparison.FIRST_LOOK, goOn());
    }
    long open = found.rows().stream().filter(r -> r.outcome() == Outcome.NOT_ENOUGH_RUNS).count();
    return "Not enough %s: no regression found, but %d of %s cannot exclude one%s; %s"
        .formatted(
            found.interleaved() ? "blocks" : "runs",
            open,
            all,
            widest(Outcome.NOT_ENOUGH_RUNS),
            goOn());
  }

  private String goOn() {
    return found.interleaved()
        ? "continue a stopped run with pyrometer resume, or compare again with a larger --blocks; each look is valid whenever the run stops."
        : "give more runs of each, or compare both in the same blocks with compare --interleave.";
  }

  /** The largest loss that is still possible in any judged row of an outcome. */
  private String widest(Outcome outcome) {
    return found.rows().stream()
        .filter(row -> row.outcome() == outcome && row.gate().isPresent())
        .max(Comparator.comparingDouble(ComparisonFindings::possibleLoss))
        .map(
            row ->
                "; the largest change for the worse that is not excluded is %s %s (%s of %s)"
                    .formatted(
                        rule(row).worsening(),
                        size(possibleLoss(row)),
                        row.metric().label(),
                        row.treatment()))
        .orElse("");
  }

  private static String size(double loss) {
    return loss > MOST_TO_PRINT
        ? "more than " + Figures.percent(MOST_TO_PRINT)
        : Figures.percent(loss);
  }

  private static double possibleLoss(Row row) {
    return rule(row).greatestLoss(row.gate().orElseThrow().ratio());
  }

  private static GateRule rule(Row row) {
    return new GateRule(GateRule.DEFAULT.level(), row.margin(), row.metric().better());
  }

  /** Each treatment with the metrics that it lost by. */
  private String regressed() {
    TreeMap<String, List<String>> names = new TreeMap<>();
    for (Lost lost : found.lost()) {
      names
          .computeIfAbsent(lost.treatment() + " in " + letter(lost.candidate()), n -> list())
          .add(lost.refuted() ? "guarantee refuted" : "no valid trial");
    }
    for (Row row : found.rows()) {
      if (row.outcome() == Outcome.REGRESSION) {
        names
            .computeIfAbsent(row.treatment() + " in " + letter(row.candidate()), n -> list())
            .add(row.metric().label());
      }
    }
    return names.entrySet().stream()
        .map(e -> "%s (%s)".formatted(e.getKey(), String.join(", ", e.getValue())))
        .collect(Collectors.joining("; "));
  }

  private static List<String> list() {
    return new ArrayList<>();
  }

  private static Finding regression(Row row) {
    return row.gate().orElseThrow().finding().under("Regression");
  }

  private static String letter(int run) {
    return RunComparison.letter(run);
  }

  private static Finding lost(Lost lost) {
    return Finding.warning(
        Kind.COMPARISON,
        (lost.refuted()
                ? "%s does not keep its guarantees in %s: %s."
                : "%s has valid trials in A and none in %s%s")
            .formatted(
                lost.treatment(),
                letter(lost.candidate()),
                lost.refuted() ? lost.why() : lost.why().isEmpty() ? "." : ": " + lost.why()),
        lost.refuted() ? "Nothing: one stale or lost key is proof." : "A valid trial of it.");
  }

  private List<Finding> reservations() {
    List<Finding> notes = new ArrayList<>();
    found
        .unlike()
        .forEach(
            sentence ->
                notes.add(
                    note(
                        Severity.WARNING,
                        sentence + "; compared nevertheless (--ignore-environment).",
                        "Runs of both in one environment.")));
    found
        .notCompared()
        .forEach(sentence -> notes.add(note(Severity.NOTICE, sentence, "Longer trials.")));
    for (int i = 1; i < found.sides().size(); i++) {
      settings(i, notes);
    }
    if (!found.interleaved()) {
      notes.add(
          note(
              Severity.NOTICE,
              "The runs were made at different times, so drift of the machine between those of A and the others appears as a difference.",
              "Both measured in the same blocks (compare --interleave)."));
    }
    return notes;
  }

  private void settings(int candidate, List<Finding> notes) {
    List<String> differing =
        Differences.settings(found.sides().get(0).trials(), found.sides().get(candidate).trials());
    if (!differing.isEmpty()) {
      notes.add(
          note(
              found.interleaved() ? Severity.INFO : Severity.NOTICE,
              "A and %s differ in their settings: %s."
                  .formatted(letter(candidate), String.join(", ", differing)),
              "Runs that differ in nothing but the change to be judged."));
    }
    if (found.singleRuns(candidate) && found.outcome() == Outcome.REGRESSION) {
      notes.add(note(Severity.NOTICE, NOT_JUDGED, SETTLED_BY));
    }
  }

  private static Finding note(Severity severity, String sentence, String wouldChange) {
    return new Finding(Kind.DISTURBED, severity, sentence, Map.of(), wouldChange);
  }

  /** For CI systems: a sentence for a row. */
  static String sentence(Row row) {
    return row.outcome() == Outcome.REGRESSION
        ? regression(row).sentence()
        : row.gate()
            .map(gate -> gate.finding().sentence())
            .orElseGet(() -> row.comparison().finding().sentence());
  }
}
