package io.pyrometer.lab.compare;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.estimate.RunsNeeded;
import io.pyrometer.lab.compare.RunComparison.Lost;
import io.pyrometer.lab.compare.RunComparison.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a comparison says, in sentences: harm first, then what may limit it. */
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
        .filter(row -> row.outcome() == Outcome.HARM)
        .flatMap(row -> row.gate().stream())
        .map(GateResult::finding)
        .forEach(all::add);
    found.rows().stream()
        .filter(row -> row.outcome() != Outcome.HARM)
        .filter(
            row ->
                row.comparison().verdict() == Verdict.WORSE
                    || row.comparison().verdict() == Verdict.BETTER)
        .sorted(Comparator.comparing(row -> row.comparison().verdict() == Verdict.BETTER))
        .map(row -> row.comparison().finding())
        .forEach(all::add);
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
              "No relevant harm in %s.".formatted(all),
              Map.of(),
              "More blocks, which would show smaller losses.");
      case HARM ->
          new Finding(
              Kind.COMPARISON,
              Severity.WARNING,
              "Harm: %s.".formatted(harmed()),
              Map.of(),
              "A repeat of the runs that does not show it.");
      case NOT_ENOUGH_RUNS ->
          new Finding(
              Kind.NOT_ENOUGH_RUNS,
              Severity.NOTICE,
              "Not enough runs: %d of %s can be told to do no harm, and harm is shown in none; %s."
                  .formatted(
                      found.rows().stream().filter(r -> r.outcome() == Outcome.PASS).count(),
                      all,
                      advice()),
              Map.of(),
              SETTLED_BY);
    };
  }

  private String harmed() {
    TreeSet<String> names = new TreeSet<>();
    found.lost().forEach(l -> names.add(l.treatment() + " in " + letter(l.candidate())));
    found.rows().stream()
        .filter(row -> row.outcome() == Outcome.HARM)
        .forEach(row -> names.add(row.treatment() + " in " + letter(row.candidate())));
    return names.stream().collect(Collectors.joining(", "));
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
        ? "the noise is too great for any number of blocks: reduce it first"
        : "about %d blocks of each run settle it (--blocks %d)".formatted(most, most);
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
        "%s came out right in A, and no trial of it does in %s%s"
            .formatted(
                lost.treatment(),
                letter(lost.candidate()),
                lost.why().isEmpty() ? "." : ": " + lost.why()),
        Map.of(),
        "A trial of it that comes out right.");
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
                        sentence + "; compared anyway, as asked for.",
                        "Runs of both in one environment.")));
    for (int i = 1; i < found.runs().size(); i++) {
      settings(i, notes);
    }
    notes.add(
        note(
            Severity.NOTICE,
            "The runs were made one after the other: drift of the machine between them counts as a difference.",
            "The reference run once more, which then must show no difference."));
    return notes;
  }

  private void settings(int candidate, List<Finding> notes) {
    List<String> differing = Differences.settings(found.runs().get(0), found.runs().get(candidate));
    if (!differing.isEmpty()) {
      notes.add(
          note(
              Severity.NOTICE,
              "A and %s differ in what was set: %s."
                  .formatted(letter(candidate), String.join(", ", differing)),
              "Runs that differ in nothing else than what is to be judged."));
    }
    if (!found.paired(candidate)) {
      notes.add(
          note(
              Severity.NOTICE,
              "A and %s have different seeds, so their blocks are not paired."
                  .formatted(letter(candidate)),
              "Runs with one --seed, whose trials then come in one order."));
    }
  }

  private static Finding note(Severity severity, String sentence, String wouldChange) {
    return new Finding(Kind.DISTURBED, severity, sentence, Map.of(), wouldChange);
  }

  /** For CI systems: a sentence for a row. */
  static String sentence(Row row) {
    return row.outcome() == Outcome.HARM
        ? row.gate().map(gate -> gate.finding().sentence()).orElse("")
        : row.comparison().finding().sentence();
  }
}
