package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.comparison.LossTest;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Settings;
import io.pyrometer.results.CompiledByC1;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A version against a baseline, treatment by treatment and metric by metric: both interleaved in
 * one run, or in runs that were made at different times.
 *
 * @param sides the baseline, A, and the candidate, B
 * @param interleaved whether the sides were measured in the same blocks, and judged after each
 * @param rows the comparisons that are judged; all of them are one family of tests
 * @param lost treatments with a valid trial in the baseline and none in the candidate, or whose
 *     guarantees a probe refuted in the candidate alone
 * @param notCompared metrics that a side has no value of
 * @param unlike what differs between the environments, one sentence a side; empty if nothing
 * @param outliers values of judged rows that do not belong with the others
 */
public record RunComparison(
    List<Side> sides,
    boolean interleaved,
    Margins margins,
    List<Row> rows,
    List<Lost> lost,
    List<NotCompared> notCompared,
    List<String> unlike,
    List<Finding> outliers) {
  private static final double WIDEST = 2;

  /**
   * One of the versions that are compared.
   *
   * @param name in words
   * @param runs of it, at least one; of an interleaved run its own trials
   * @param settings by treatment, as planned
   */
  public record Side(
      String name, List<RunRecord> runs, Map<Map<String, String>, Settings> settings) {
    /** One run or several runs of the same. */
    public static Side of(List<RunRecord> runs) {
      String name =
          runs.stream()
              .map(run -> String.valueOf(run.folder().path().getFileName()))
              .collect(Collectors.joining(", "));
      Map<Map<String, String>, Settings> settings = new HashMap<>();
      runs.get(0).plan().trials().forEach(t -> settings.put(t.levels(), t.settings()));
      return new Side(name, runs, settings);
    }

    private static Side of(RunRecord run, String version, String name) {
      Map<Map<String, String>, Settings> settings = new HashMap<>();
      run.plan().trials().stream()
          .filter(trial -> version.equals(trial.levels().get(InterleavedPlan.FACTOR)))
          .forEach(t -> settings.put(Interleaving.common(t.levels()), t.settings()));
      return new Side(name, List.of(run.version(version)), settings);
    }

    /** What the other sets differently in treatments of both, as {@code backups (1 and 2)}. */
    List<String> differences(Side other) {
      Map<String, Set<String>> differing = new TreeMap<>();
      other.settings.forEach(
          (levels, after) ->
              Optional.ofNullable(settings.get(levels))
                  .ifPresent(before -> collect(before, after, differing)));
      return differing.entrySet().stream()
          .map(each -> "%s (%s)".formatted(each.getKey(), String.join(", ", each.getValue())))
          .toList();
    }

    private static void collect(
        Settings before, Settings after, Map<String, Set<String>> differing) {
      Set<String> names = new TreeSet<>(before.values().keySet());
      names.addAll(after.values().keySet());
      for (String name : names) {
        String a = before.has(name) ? before.text(name) : "not set";
        String b = after.has(name) ? after.text(name) : "not set";
        if (!a.equals(b)) {
          differing.computeIfAbsent(name, n -> new TreeSet<>()).add(a + " and " + b);
        }
      }
    }
  }

  /**
   * One metric of one treatment.
   *
   * @param comparison with the verdict
   * @param gate whether that is a loss; empty where the data do not allow a judgement
   * @param blocksToDecide after how many blocks an interleaved comparison excludes a loss at this
   *     row's noise if there is none; empty if not after a thousand, or where that is not known
   */
  record Row(
      String treatment,
      NamedMetric metric,
      Judgement comparison,
      Optional<LossTest> gate,
      OptionalInt blocksToDecide) {
    GateVerdict outcome() {
      return gate.map(LossTest::verdict).orElse(GateVerdict.NOT_ENOUGH_RUNS);
    }
  }

  /**
   * The verdict on a row.
   *
   * @param baseline what the ratio is to: the percentile of all calls of an interleaved run's tail,
   *     otherwise a geometric mean
   * @param candidate the same of the candidate
   * @param ratio candidate over baseline; without an interval where none can be given
   * @param replicates what the ratio rests on, such as {@code 12 blocks}
   * @param verdict corrected for all rows
   */
  record Judgement(
      Estimate baseline,
      Estimate candidate,
      Estimate ratio,
      String replicates,
      Verdict verdict,
      Finding finding) {}

  /**
   * A treatment that works in the baseline and not in the candidate.
   *
   * @param refuted whether a probe refuted its guarantees; otherwise it has no valid trial
   */
  record Lost(String treatment, String why, boolean refuted) {}

  /**
   * A metric of a treatment that is not judged.
   *
   * @param why a clause
   */
  record NotCompared(String treatment, NamedMetric metric, String why) {
    String sentence() {
      return "The %s of %s is not compared: %s.".formatted(metric.label(), treatment, why);
    }
  }

  /** Whether an interval says no more than that nothing is known: beyond a factor of 2. */
  static boolean tooWide(Estimate ratio) {
    return ratio.hasInterval() && Math.sqrt(ratio.high() / ratio.low()) > WIDEST;
  }

  /** Whether the sides were measured in the same blocks, and are judged after the last alone. */
  boolean looksOnce() {
    return interleaved && looksOnce(sides.get(0).runs().get(0));
  }

  /**
   * Whether an interleaved run is judged once. One that ended before its last planned block did so
   * by its time; if it was stopped by hand, a look then must leave room for that after the last.
   */
  static boolean looksOnce(RunRecord run) {
    int planned = run.plan().blocks();
    boolean ended =
        run.blocksSeen() >= planned
            || run.plan().arguments().stream().anyMatch(word -> word.startsWith("--within"));
    return ended && SequentialComparison.looksOnce(planned);
  }

  static String letter(int side) {
    return side == 0 ? "A" : "B";
  }

  /**
   * What the candidate changes, with intervals: what is shown to be better or worse, and the
   * throughput of each treatment.
   */
  public List<Finding> effects() {
    return rows.stream()
        .filter(row -> isShown(row) || row.metric().name().equals(Metric.THROUGHPUT))
        .sorted(Comparator.comparing(row -> !isShown(row)))
        .map(row -> row.comparison().finding())
        .toList();
  }

  private static boolean isShown(Row row) {
    return row.comparison().verdict() == Verdict.BETTER
        || row.comparison().verdict() == Verdict.WORSE;
  }

  /**
   * Whether the change helps: some value is better and none worse.
   *
   * @return false where some value is worse, or a relevant difference is excluded of all; empty
   *     where neither is shown
   */
  public Optional<Boolean> helps() {
    Set<Verdict> verdicts =
        rows.stream().map(row -> row.comparison().verdict()).collect(Collectors.toSet());
    if (verdicts.contains(Verdict.WORSE)) {
      return Optional.of(false);
    } else if (verdicts.contains(Verdict.BETTER)) {
      return Optional.of(true);
    }
    return verdicts.equals(Set.of(Verdict.NO_RELEVANT_DIFFERENCE))
        ? Optional.of(false)
        : Optional.empty();
  }

  /**
   * Compares runs that were made at different times, by throughput, CPU time per record, and p50
   * and p99 of each operation. Where a side has several runs, the variance between runs is
   * estimated from them; single runs are shown and not judged.
   *
   * @param metrics that are judged
   * @param ignoreEnvironment whether runs of different environments are compared as well
   * @throws RunException if the environments are unlike, the versions share no treatment, or no run
   *     has one of the metrics
   */
  public static RunComparison of(
      List<Side> sides, Margins margins, JudgedMetrics metrics, boolean ignoreEnvironment) {
    List<String> unlike = unlike(sides);
    if (!unlike.isEmpty() && !ignoreEnvironment) {
      throw RunException.of(
          "%s; their figures are not comparable. Give --ignore-environment to compare them nevertheless.",
          unlike.get(0));
    }
    return new RunComparer(sides, false, margins, metrics, unlike, new CallLatencies()).make();
  }

  /**
   * Compares the versions that one run measured in the same blocks. Intervals and verdicts hold
   * however often one looks and whenever one stops; of a run of few blocks, at the one look at its
   * end.
   *
   * @param given judged besides those of the plan, or alone
   * @throws RunException if the run is no such run, or has no pair of valid trials
   */
  public static RunComparison interleaved(RunRecord run, Margins margins, JudgedMetrics given) {
    return interleaved(run, margins, given, new CallLatencies());
  }

  private static RunComparison interleaved(
      RunRecord run, Margins margins, JudgedMetrics given, CallLatencies latencies) {
    Interleaving versions = run.plan().interleaving().orElseThrow(() -> notInterleaved(run));
    JudgedMetrics metrics = JudgedMetrics.of(versions, given);
    List<Side> sides =
        List.of(
            Side.of(run, InterleavedPlan.A, versions.a().name()),
            Side.of(run, InterleavedPlan.B, versions.b().name()));
    return new RunComparer(sides, true, margins, metrics, List.of(), latencies).make();
  }

  private static RunException notInterleaved(RunRecord run) {
    return RunException.of(
        "%s is one run of one version; name the run to compare it with, or measure both versions in the same blocks with compare --interleave.",
        run.folder().path().getFileName());
  }

  /**
   * Whether an interleaved run may stop, asked after each of its blocks.
   *
   * @param run the run with no trial finished
   */
  public static Predicate<List<TrialRecord>> decided(RunRecord run) {
    CallLatencies latencies = new CallLatencies();
    Margins margins = Margins.of(run.plan().interleaving().orElseThrow(() -> notInterleaved(run)));
    return history -> {
      RunRecord soFar =
          new RunRecord(run.folder(), run.plan(), run.environment(), history, List.of());
      return !SequentialComparison.looksOnce(run.plan().blocks())
          && soFar.blocksSeen() >= SequentialComparison.FIRST_LOOK
          && soFar.version(InterleavedPlan.A).counting().stream()
              .anyMatch(trial -> trial.outcome() == TrialRecord.Outcome.OK)
          && interleaved(soFar, margins, JudgedMetrics.USUAL, latencies).settled();
    };
  }

  private static List<String> unlike(List<Side> sides) {
    RunRecord first = sides.get(0).runs().get(0);
    List<String> unlike = new ArrayList<>();
    for (int i = 0; i < sides.size(); i++) {
      for (RunRecord run : sides.get(i).runs()) {
        List<String> differences =
            new ArrayList<>(first.environment().differences(run.environment()));
        if (CompiledByC1.in(first) != CompiledByC1.in(run)) {
          differences.add("JIT compilers (C1 alone in one of them)");
        }
        if (!differences.isEmpty()) {
          unlike.add(
              "%s and %s were made in unlike environments: %s"
                  .formatted(
                      letter(0),
                      i == 0 ? run.folder().path().getFileName() : letter(i),
                      String.join(", ", differences)));
          break;
        }
      }
    }
    return unlike;
  }

  /** The verdict of the gate: of its rows that which is last in {@link GateVerdict}. */
  public GateVerdict outcome() {
    return lost.isEmpty()
        ? rows.stream()
            .map(Row::outcome)
            .max(Comparator.naturalOrder())
            .orElse(GateVerdict.NOT_ENOUGH_RUNS)
        : GateVerdict.REGRESSION;
  }

  /** Whether no further blocks are needed: a regression, or every loss that matters is excluded. */
  boolean settled() {
    return outcome() == GateVerdict.REGRESSION || outcome() == GateVerdict.PASS;
  }

  /** The letters of all runs in the order in which they were begun. */
  List<String> order() {
    record Begun(String side, String at) {}
    return Stream.of(0, 1)
        .flatMap(
            side ->
                sides.get(side).runs().stream()
                    .map(run -> new Begun(letter(side), run.environment().taken())))
        .sorted(Comparator.comparing(Begun::at))
        .map(Begun::side)
        .toList();
  }

  /** Whether both are one run each, made at different times. */
  boolean singleRuns() {
    return !interleaved && sides.get(0).runs().size() + sides.get(1).runs().size() == 2;
  }
}
