package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.estimate.RunsNeeded;
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
  private static final String SETTLED_BY = "Further blocks of both runs.";

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
          new Finding(
              Kind.COMPARISON,
              Severity.INFO,
              "No regression found in %s.".formatted(all),
              Map.of(),
              "More blocks, which would show smaller regressions.");
      case REGRESSION ->
          new Finding(
              Kind.COMPARISON,
              Severity.WARNING,
              "Regression: %s.".formatted(regressed()),
              Map.of(),
              "A repeat of the runs that does not show it.");
      case NOT_ENOUGH_RUNS ->
          new Finding(
              Kind.NOT_ENOUGH_RUNS,
              Severity.NOTICE,
              "Not enough runs: no regression found, but only %d of %s can exclude one; %s."
                  .formatted(
                      found.rows().stream().filter(r -> r.outcome() == Outcome.PASS).count(),
                      all,
                      advice()),
              Map.of(),
              SETTLED_BY);
    };
  }

  /** Each treatment with the metrics that it lost by. */
  private String regressed() {
    TreeMap<String, List<String>> names = new TreeMap<>();
    for (Lost lost : found.lost()) {
      names
          .computeIfAbsent(lost.treatment() + " in " + letter(lost.candidate()), n -> list())
          .add("no valid trial");
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
    GateResult gate = row.gate().orElseThrow();
    Estimate ratio = gate.ratio();
    int runs = ratio.replicates();
    return new Finding(
        Kind.COMPARISON,
        Severity.WARNING,
        "Regression: the %s of %s in %s is %s against A (%s, p %s after correction for all comparisons), beyond the margin of %s."
            .formatted(
                row.metric().label(),
                row.treatment(),
                letter(row.candidate()),
                Figures.change(ratio.value()),
                row.comparison().paired()
                    ? Figures.count(runs, "pair")
                    : Figures.count(runs, "run") + " of each",
                Figures.plain(gate.p()),
                Figures.percent(row.margin())),
        Map.of("ratio", ratio),
        "A repeat of the runs that does not show it.");
  }

  /** As many blocks as the gate asks for at this noise settle every row. */
  private String advice() {
    int most =
        found.rows().stream()
            .filter(row -> row.outcome() == Outcome.NOT_ENOUGH_RUNS)
            .mapToInt(ComparisonFindings::blocks)
            .max()
            .orElse(GateRule.DEFAULT.pairs());
    return most >= RunsNeeded.MOST
        ? "the noise is too high for any number of blocks, so reduce it first"
        : "about %d blocks of each run are needed (--blocks %d)".formatted(most, most);
  }

  private static int blocks(Row row) {
    return row.gate()
        .map(gate -> gate.ratio().replicates() + gate.missing())
        .orElse(GateRule.DEFAULT.pairs());
  }

  private static String letter(int run) {
    return RunComparison.letter(run);
  }

  private static Finding lost(Lost lost) {
    return new Finding(
        Kind.COMPARISON,
        Severity.WARNING,
        "%s has valid trials in A and none in %s%s"
            .formatted(
                lost.treatment(),
                letter(lost.candidate()),
                lost.why().isEmpty() ? "." : ": " + lost.why()),
        Map.of(),
        "A valid trial of it.");
  }

  private List<Finding> reservations() {
    List<Finding> notes = new ArrayList<>();
    notes.add(
        new Finding(
            Kind.DISTURBED,
            Severity.NOTICE,
            "The runs were made at different times: how much two runs of the same differ is in none of these intervals; repeat both, or measure both in the blocks of one run.",
            Map.of(),
            "Both measured in the same blocks."));
    found
        .unlike()
        .forEach(
            sentence ->
                notes.add(
                    note(
                        Severity.WARNING,
                        sentence + "; compared nevertheless (--anyway).",
                        "Runs of both in one environment.")));
    found
        .notCompared()
        .forEach(sentence -> notes.add(note(Severity.NOTICE, sentence, "Longer trials.")));
    for (int i = 1; i < found.runs().size(); i++) {
      settings(i, notes);
    }
    notes.add(
        note(
            Severity.NOTICE,
            "The runs were made one after the other, so drift of the machine between them appears as a difference.",
            "The baseline run once more, which then must show no difference."));
    return notes;
  }

  private void settings(int candidate, List<Finding> notes) {
    List<String> differing = Differences.settings(found.runs().get(0), found.runs().get(candidate));
    if (!differing.isEmpty()) {
      notes.add(
          note(
              Severity.NOTICE,
              "A and %s differ in their settings: %s."
                  .formatted(letter(candidate), String.join(", ", differing)),
              "Runs that differ in nothing but the change to be judged."));
    }
    if (!found.paired(candidate)) {
      notes.add(
          note(
              Severity.NOTICE,
              "A and %s have different seeds, so their blocks are not paired."
                  .formatted(letter(candidate)),
              "Runs with the same --seed, whose trials then come in the same order."));
    }
  }

  private static Finding note(Severity severity, String sentence, String wouldChange) {
    return new Finding(Kind.DISTURBED, severity, sentence, Map.of(), wouldChange);
  }

  /** For CI systems: a sentence for a row. */
  static String sentence(Row row) {
    return row.outcome() == Outcome.REGRESSION
        ? regression(row).sentence()
        : row.comparison().finding().sentence();
  }
}
