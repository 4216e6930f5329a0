package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.compare.RunComparison.Lost;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.ranking.NextStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a comparison says, in sentences: a regression first, then what may limit it. */
final class ComparisonFindings {
  private static final String SETTLED_BY = "More, or longer, trials of both.";
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
        .filter(row -> row.outcome() == GateVerdict.REGRESSION)
        .map(findings::regression)
        .forEach(all::add);
    found.rows().stream()
        .filter(row -> row.outcome() != GateVerdict.REGRESSION)
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
    String all = Figures.count(found.rows().size(), "comparison");
    return switch (found.outcome()) {
      case PASS ->
          Finding.info(
              Kind.COMPARISON,
              "No regression in %s: a loss of the smallest relevant difference is excluded in each%s."
                  .formatted(all, widest(GateVerdict.PASS)),
              "More blocks, which exclude smaller losses.");
      case LARGER_LOSS_EXCLUDED ->
          Finding.notice(
              Kind.NOT_ENOUGH_RUNS,
              "Only a larger loss is excluded: %d of %s exclude one of 3⅓ times the smallest relevant difference and not one of the difference itself%s; %s"
                  .formatted(
                      count(GateVerdict.LARGER_LOSS_EXCLUDED),
                      all,
                      widest(GateVerdict.LARGER_LOSS_EXCLUDED),
                      goOn()),
              SETTLED_BY);
      case NOT_ENOUGH_RUNS -> Finding.notice(Kind.NOT_ENOUGH_RUNS, undecided(all), SETTLED_BY);
      case REGRESSION ->
          Finding.warning(Kind.COMPARISON, regressed(), "A repeat that does not show it.");
    };
  }

  private long count(GateVerdict verdict) {
    return found.rows().stream().filter(row -> row.outcome() == verdict).count();
  }

  private String undecided(String all) {
    boolean judged = found.rows().stream().anyMatch(row -> row.gate().isPresent());
    if (!judged) {
      return found.interleaved()
          ? "Not enough blocks: the first look is after %d that have both versions; %s"
              .formatted(SequentialComparison.FIRST_LOOK, goOn())
          : NOT_JUDGED;
    }
    return "No verdict in so few %ss: no regression found, but %d of %s cannot exclude one%s; %s"
        .formatted(
            replicate(),
            count(GateVerdict.NOT_ENOUGH_RUNS),
            all,
            widest(GateVerdict.NOT_ENOUGH_RUNS),
            goOn());
  }

  private String replicate() {
    return found.interleaved() ? "block" : "run";
  }

  private String goOn() {
    List<TrialRecord> trials = trials();
    if (TrialRecord.mostNotWarm(trials)) {
      return "most trials measured code that was still being compiled, which more %ss do not change: %s."
          .formatted(replicate(), warmer(trials));
    }
    return found.interleaved()
        ? moreBlocks()
        : "give more runs of each, or compare both in the same blocks with compare --interleave.";
  }

  private List<TrialRecord> trials() {
    return found.sides().stream()
        .flatMap(side -> side.runs().stream())
        .flatMap(run -> run.counting().stream())
        .toList();
  }

  private String warmer(List<TrialRecord> trials) {
    PlannedRun plan = found.sides().get(0).runs().get(0).plan();
    if (!found.interleaved()) {
      return "measure again with a longer 'common-warm-up', such as %.0fs"
          .formatted(NextStep.LONG_WARM_UP);
    }
    String longer = "compare again with --set " + NextStep.longWarmUp(plan);
    String c1 = "--set %s=%s".formatted(CoreSettings.COMPILER.name(), CoreSettings.C1);
    if (trials.stream().anyMatch(CompiledByC1::is)) {
      return longer + " and " + c1; // without it so long a warm-up would be one for C2
    }
    return plan.testbed().attach().isPresent()
        ? longer
        : "%s, or with %s (warm after seconds, with lower rates)".formatted(longer, c1);
  }

  /** At the noise of the rows that are open and without a difference. */
  private String moreBlocks() {
    List<Row> open =
        found.rows().stream()
            .filter(row -> row.outcome() != GateVerdict.PASS && row.gate().isPresent())
            .toList();
    List<Row> hopeless =
        open.stream()
            .filter(
                row -> row.blocksToDecide().orElse(NextStep.MAX_BLOCKS + 1) > NextStep.MAX_BLOCKS)
            .toList();
    PlannedRun plan = found.sides().get(0).runs().get(0).plan();
    if (!hopeless.isEmpty()) {
      return "at the noise of %s more than %d blocks would be needed if there is no difference: compare again with longer trials%s, on a machine with less other load, with a larger --delta, or without such metrics (--only)."
          .formatted(
              Phrases.andOthers(hopeless.stream().map(r -> "the " + named(r)).toList()),
              NextStep.MAX_BLOCKS,
              NextStep.longerMeasure(plan).stream()
                  .mapToObj(
                      more -> " (--set %s=%.0fs)".formatted(CoreSettings.MEASURE.name(), more))
                  .collect(Collectors.joining()));
    }
    int most = open.stream().flatMapToInt(r -> r.blocksToDecide().stream()).max().orElse(0);
    return open.isEmpty()
        ? "compare again with a larger --blocks."
        : "at this noise about %s would decide if there is no difference: compare again with --blocks %d, %s%s."
            .formatted(
                Figures.count(most, "block"),
                most,
                Phrases.about(NextStep.secondsOfBlock(plan) * most),
                found.looksOnce()
                    ? ""
                    : "; or continue a stopped run with pyrometer resume, as each look is valid whenever the run stops");
  }

  /** The largest loss that is still possible in any judged row of a verdict. */
  private String widest(GateVerdict verdict) {
    return found.rows().stream()
        .filter(row -> row.outcome() == verdict && row.gate().isPresent())
        .max(Comparator.comparingDouble(row -> row.gate().orElseThrow().possibleLoss()))
        .map(
            row ->
                (RunComparison.tooWide(row.gate().orElseThrow().ratio())
                        ? "; the interval of the %2$s is too wide to report"
                        : "; the largest change for the worse that is not excluded is %1$s (%2$s)")
                    .formatted(row.gate().orElseThrow().possibleLossInWords(), named(row)))
        .orElse("");
  }

  private static String named(Row row) {
    String metric = row.metric().label();
    return row.treatment().equals(ComparedMetric.ONLY) ? metric : metric + " of " + row.treatment();
  }

  /** Regressions whose size is known before those whose size is open. */
  private String regressed() {
    List<String> sentences = new ArrayList<>();
    for (boolean open : new boolean[] {false, true}) {
      String names = regressed(open);
      if (!names.isEmpty()) {
        sentences.add((open ? "Significant loss, its size open: " : "Regression: ") + names + ".");
      }
    }
    return String.join(" ", sentences);
  }

  /** Each treatment with the metrics that it lost by. */
  private String regressed(boolean open) {
    TreeMap<String, List<String>> names = new TreeMap<>();
    if (!open) {
      for (Lost lost : found.lost()) {
        names
            .computeIfAbsent(lost.treatment() + " in B", n -> list())
            .add(lost.refuted() ? "guarantee refuted" : "no valid trial");
      }
    }
    for (Row row : found.rows()) {
      if (row.outcome() == GateVerdict.REGRESSION && row.gate().orElseThrow().openSize() == open) {
        names.computeIfAbsent(row.treatment() + " in B", n -> list()).add(row.metric().label());
      }
    }
    return names.entrySet().stream()
        .map(e -> "%s (%s)".formatted(e.getKey(), String.join(", ", e.getValue())))
        .collect(Collectors.joining("; "));
  }

  private static List<String> list() {
    return new ArrayList<>();
  }

  private Finding regression(Row row) {
    return Finding.warning(
        Kind.COMPARISON,
        "Regression: " + Finding.afterColon(sentence(row, row.gate().orElseThrow())),
        Map.of("ratio", row.gate().orElseThrow().ratio()),
        "A repeat that does not show it.");
  }

  private String sentence(Row row, LossTest test) {
    Estimate ratio = test.ratio();
    int rows = found.rows().size();
    if (RunComparison.tooWide(ratio)) {
      return "The %s of %s in B is %s against A (%s): the interval is too wide to report; more %ss are needed."
          .formatted(
              row.metric().label(),
              row.treatment(),
              Figures.change(ratio.value()),
              row.comparison().replicates(),
              replicate());
    }
    return "The %s of %s in B is %s against A (%s interval%s %s to %s, %s, %s%s): %s."
        .formatted(
            row.metric().label(),
            row.treatment(),
            Figures.change(ratio.value()),
            Figures.percent(ratio.confidence()),
            found.interleaved() && !found.looksOnce() ? " at every look" : "",
            Figures.change(ratio.low()),
            Figures.change(ratio.high()),
            row.comparison().replicates(),
            Figures.p(test.p()),
            rows > 1 ? " corrected for %d comparisons".formatted(rows) : "",
            test.inWords(replicate()));
  }

  private static Finding lost(Lost lost) {
    return Finding.warning(
        Kind.COMPARISON,
        (lost.refuted()
                ? "%s does not keep its guarantees in B: %s."
                : "%s has valid trials in A and none in B%s")
            .formatted(
                lost.treatment(),
                lost.refuted() ? lost.why() : lost.why().isEmpty() ? "." : ": " + lost.why()),
        lost.refuted() ? "Nothing: one stale or lost key is proof." : "A valid trial of it.");
  }

  private List<Finding> reservations() {
    List<Finding> notes = new ArrayList<>();
    disturbed().ifPresent(notes::add);
    CompiledByC1.finding(trials()).ifPresent(notes::add);
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
        .forEach(each -> notes.add(note(Severity.NOTICE, each.sentence(), "Longer trials.")));
    settings(notes);
    if (!found.interleaved() && !alternated(found.order())) {
      notes.add(
          note(
              Severity.WARNING,
              "The runs of A and B were not alternated in time (%s), so drift of the machine appears as a difference."
                  .formatted(String.join(" ", found.order())),
              "Runs of both in turns, such as A B B A, or both measured in the same blocks (compare --interleave)."));
    }
    return notes;
  }

  /** How many trials of each side were disturbed; empty where none was. */
  private Optional<Finding> disturbed() {
    List<String> sides = new ArrayList<>();
    long all = 0;
    long disturbed = 0;
    for (int i = 0; i < 2; i++) {
      List<TrialRecord> trials =
          found.sides().get(i).runs().stream().flatMap(run -> run.counting().stream()).toList();
      long own = trials.stream().filter(TrialRecord::disturbed).count();
      sides.add("%d of %d in %s".formatted(own, trials.size(), RunComparison.letter(i)));
      all += trials.size();
      disturbed += own;
    }
    return disturbed == 0
        ? Optional.empty()
        : Optional.of(
            note(
                2 * disturbed > all ? Severity.WARNING : Severity.NOTICE,
                "%d of %s %s disturbed (%s), which widens intervals and can be a difference of its own where the versions were not disturbed alike."
                    .formatted(
                        disturbed,
                        Figures.count(all, "trial"),
                        disturbed == 1 ? "was" : "were",
                        Phrases.and(sides)),
                "A comparison on a machine that does nothing else."));
  }

  /** Whether no more than two runs of a side follow each other, and the side changes twice. */
  private static boolean alternated(List<String> order) {
    int changes = 0;
    int streak = 1;
    int longest = 1;
    for (int i = 1; i < order.size(); i++) {
      boolean same = order.get(i).equals(order.get(i - 1));
      changes += same ? 0 : 1;
      streak = same ? streak + 1 : 1;
      longest = Math.max(longest, streak);
    }
    return changes >= 2 && longest <= 2;
  }

  private void settings(List<Finding> notes) {
    List<String> differing = found.sides().get(0).differences(found.sides().get(1));
    if (!differing.isEmpty()) {
      notes.add(
          note(
              found.interleaved() ? Severity.INFO : Severity.NOTICE,
              "A and B differ in their settings: %s.".formatted(String.join(", ", differing)),
              "Runs that differ in nothing but the change to be judged."));
    }
    if (found.singleRuns() && found.outcome() == GateVerdict.REGRESSION) {
      notes.add(note(Severity.NOTICE, NOT_JUDGED, SETTLED_BY));
    }
  }

  private static Finding note(Severity severity, String sentence, String wouldChange) {
    return new Finding(Kind.DISTURBED, severity, sentence, Map.of(), wouldChange);
  }

  /** For CI systems: a sentence for a row. */
  static String sentence(RunComparison found, Row row) {
    ComparisonFindings findings = new ComparisonFindings(found);
    return row.outcome() == GateVerdict.REGRESSION
        ? findings.regression(row).sentence()
        : row.gate()
            .map(test -> findings.sentence(row, test))
            .orElseGet(() -> row.comparison().finding().sentence());
  }
}
