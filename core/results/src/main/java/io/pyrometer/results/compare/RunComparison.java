package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.BlockGate;
import io.pyrometer.analysis.comparison.BlockGate.Judgement;
import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.TreatmentProbes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two versions side by side, treatment by treatment and metric by metric. Versions measured in the
 * same blocks of one run are judged by {@link BlockGate}; two runs made at different times are not.
 *
 * @param a the baseline
 * @param b the candidate
 * @param interleaved whether both were measured in the same blocks
 * @param rows metrics that both versions have; of an interleaved run one family of tests
 * @param lost of an interleaved run, treatments with a valid trial in the baseline and none in the
 *     candidate, or whose guarantees a probe refuted in the candidate alone
 * @param absent metrics that one version lacks
 */
public record RunComparison(
    Side a,
    Side b,
    boolean interleaved,
    JudgedMetrics metrics,
    List<Row> rows,
    List<Lost> lost,
    List<Absent> absent) {

  /** The name of a treatment where there is one alone. */
  static final String ONLY = "the treatment";

  /**
   * One of the versions.
   *
   * @param name in words
   * @param run its run; of an interleaved run its own trials
   * @param settings by treatment, as planned
   */
  record Side(String name, RunRecord run, Map<Map<String, String>, Settings> settings) {

    private static Side of(RunRecord run) {
      return new Side(
          String.valueOf(run.folder().path().getFileName()),
          run,
          settings(run.plan().trials().stream(), TrialSpec::levels));
    }

    private static Side of(RunRecord run, String version, String name) {
      return new Side(
          name,
          run.version(version),
          settings(
              run.plan().trials().stream()
                  .filter(trial -> version.equals(trial.levels().get(InterleavedPlan.FACTOR))),
              trial -> Interleaving.common(trial.levels())));
    }

    private static Map<Map<String, String>, Settings> settings(
        Stream<TrialSpec> trials, Function<TrialSpec, Map<String, String>> treatment) {
      return trials.collect(
          Collectors.toMap(treatment, TrialSpec::settings, (one, other) -> other));
    }

    /** Settings that differ in treatments of both, as {@code backups (1 and 2)}. */
    Set<String> differences(Side other) {
      Set<String> differing = new TreeSet<>();
      settings.forEach(
          (levels, before) -> {
            Settings after = other.settings.getOrDefault(levels, before);
            Set<String> names = new TreeSet<>(before.values().keySet());
            names.addAll(after.values().keySet());
            for (String name : names) {
              String a = before.has(name) ? before.text(name) : "not set";
              String b = after.has(name) ? after.text(name) : "not set";
              if (!a.equals(b)) {
                differing.add("%s (%s and %s)".formatted(name, a, b));
              }
            }
          });
      return differing;
    }
  }

  /**
   * One metric of one treatment.
   *
   * @param baseline geometric mean over blocks
   * @param candidate the same of the candidate
   * @param lnRatios ln of candidate over baseline in each shared block; empty for separate runs
   * @param judged empty for separate runs, too few blocks, or a run that is not finished
   */
  @SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
  record Row(
      Map<String, String> levels,
      NamedMetric metric,
      Estimate baseline,
      Estimate candidate,
      double[] lnRatios,
      Optional<Judgement> judged) {

    private static Row of(
        Map<String, String> levels,
        NamedMetric metric,
        Treatment a,
        Treatment b,
        boolean interleaved) {
      return new Row(
          levels,
          metric,
          Means.geometric(a.values(), metric.unit()),
          Means.geometric(b.values(), metric.unit()),
          interleaved ? Samples.ln(RunRecord.ratios(a, b)) : new double[0],
          Optional.empty());
    }

    private Row judged(Optional<Judgement> judgement) {
      return new Row(levels, metric, baseline, candidate, lnRatios, judgement);
    }

    String treatment() {
      return Labels.of(levels, ONLY);
    }

    /** Candidate over baseline; without an interval where the row is not judged. */
    Estimate ratio() {
      return judged
          .map(Judgement::ratio)
          .orElseGet(
              () ->
                  Estimate.unreplicated(
                      lnRatios.length > 0
                          ? Math.exp(Samples.mean(lnRatios))
                          : candidate.value() / baseline.value(),
                      ""));
    }

    GateVerdict outcome() {
      return judged.map(Judgement::verdict).orElse(GateVerdict.NOT_DECIDED);
    }
  }

  /**
   * A treatment that works in the baseline and not in the candidate.
   *
   * @param id of the finding on it
   */
  record Lost(String treatment, String why, String id) {
    static final String NO_VALID_TRIAL = "change.no-valid-trial";
    static final String WRONG = "change.fails-verification";
    static final String REFUTED = "change.guarantee-refuted";
  }

  /**
   * A metric of a treatment that is in one version alone.
   *
   * @param metric {@code all metrics} where the treatment is absent
   * @param version that lacks it, A or B
   */
  record Absent(String treatment, String metric, String version) {
    private static Absent of(String treatment, String metric, boolean inA) {
      return new Absent(treatment, metric, inA ? "B" : "A");
    }
  }

  /**
   * Shows two runs that were made at different times side by side.
   *
   * @throws RunException if they share no treatment, or neither has one of the metrics
   */
  public static RunComparison of(RunRecord baseline, RunRecord candidate, JudgedMetrics metrics) {
    return make(Side.of(baseline), Side.of(candidate), false, metrics);
  }

  /**
   * Judges the versions that one run measured in the same blocks, after its last block.
   *
   * @param given metrics and differences, in addition to those of the plan or instead of them
   * @throws RunException if it is no such run, or has no pair of valid trials
   */
  public static RunComparison interleaved(RunRecord run, JudgedMetrics given) {
    Interleaving versions =
        run.plan()
            .interleaving()
            .orElseThrow(
                () ->
                    RunException.of(
                        "%s is one run of one version; name the run to show beside it, or measure"
                            + " both versions with compare --interleave.",
                        run.folder().path().getFileName()));
    return make(
        Side.of(run, InterleavedPlan.A, versions.a().name()),
        Side.of(run, InterleavedPlan.B, versions.b().name()),
        true,
        given.or(versions));
  }

  private static RunComparison make(
      Side baseline, Side candidate, boolean interleaved, JudgedMetrics metrics) {
    RunRecord a = baseline.run();
    RunRecord b = candidate.run();
    metrics.requireKnown(Stream.of(a, b).flatMap(run -> run.counting().stream()));
    Set<Map<String, String>> treatments = new LinkedHashSet<>(a.byTreatment().keySet());
    treatments.addAll(b.byTreatment().keySet());
    List<Row> rows = new ArrayList<>();
    List<Lost> lost = new ArrayList<>();
    List<Absent> absent = new ArrayList<>();
    for (Map<String, String> levels : treatments) {
      String treatment = Labels.of(levels, ONLY);
      boolean inA = !a.valid(levels).isEmpty();
      boolean inB = !b.valid(levels).isEmpty();
      if (inA && inB) {
        List<TrialRecord> both = new ArrayList<>(a.trials(levels));
        both.addAll(b.trials(levels));
        for (NamedMetric metric : NamedMetric.of(both).stream().filter(metrics::include).toList()) {
          Treatment ofA = a.values(levels, metric.name());
          Treatment ofB = b.values(levels, metric.name());
          boolean hasA = !ofA.replicates().isEmpty();
          boolean hasB = !ofB.replicates().isEmpty();
          if (hasA && hasB) {
            rows.add(Row.of(levels, metric, ofA, ofB, interleaved));
          } else if (hasA || hasB) {
            absent.add(Absent.of(treatment, metric.label(), hasA));
          }
        }
        List<TrialRecord> wrong = wrong(b, levels);
        if (interleaved && !wrong.isEmpty() && wrong(a, levels).isEmpty()) {
          lost.add(new Lost(treatment, why(wrong), Lost.WRONG));
        }
        if (interleaved && refuted(a, levels).isEmpty()) {
          refuted(b, levels).stream()
              .limit(1)
              .map(kind -> "probe " + kind.id())
              .forEach(why -> lost.add(new Lost(treatment, why, Lost.REFUTED)));
        }
      } else if (inA && interleaved && ended(a)) {
        lost.add(new Lost(treatment, why(b.trials(levels)), Lost.NO_VALID_TRIAL));
      } else if (inA || inB) {
        absent.add(Absent.of(treatment, "all metrics", inA));
      }
    }
    if (rows.isEmpty() && lost.isEmpty()) {
      throw RunException.of(
          "%s and %s share no treatment with valid trials; compare runs of one experiment.",
          baseline.name(), candidate.name());
    }
    List<Row> judged = interleaved && ended(a) ? judged(rows, metrics) : rows;
    return new RunComparison(baseline, candidate, interleaved, metrics, judged, lost, absent);
  }

  private static List<TrialRecord> wrong(RunRecord run, Map<String, String> levels) {
    return run.trials(levels).stream().filter(t -> t.outcome() == Outcome.WRONG).toList();
  }

  private static String why(List<TrialRecord> trials) {
    return trials.stream().flatMap(trial -> trial.why().stream()).findFirst().orElse("");
  }

  /** The probes that refuted a claim of a treatment. */
  private static List<ProbeKind> refuted(RunRecord of, Map<String, String> levels) {
    return TreatmentProbes.refuted(of, of.trials(levels).get(0));
  }

  /**
   * Returns whether a run has its planned blocks, or ended by its time: the one look is after that.
   */
  private static boolean ended(RunRecord run) {
    return run.blocksSeen() >= run.plan().blocks()
        || run.plan().arguments().stream().anyMatch(word -> word.startsWith("--within"));
  }

  private static List<Row> judged(List<Row> rows, JudgedMetrics metrics) {
    List<Optional<Judgement>> judged =
        BlockGate.judge(
            rows.stream()
                .map(
                    row ->
                        new BlockGate.Row(
                            row.lnRatios(), metrics.margin(row.metric()), row.metric().better()))
                .toList());
    return IntStream.range(0, rows.size())
        .mapToObj(i -> rows.get(i).judged(judged.get(i)))
        .toList();
  }

  /** Verdict of the gate: of its rows that which is last in {@link GateVerdict}. */
  public GateVerdict outcome() {
    return lost.isEmpty()
        ? rows.stream()
            .map(Row::outcome)
            .max(Comparator.naturalOrder())
            .orElse(GateVerdict.NOT_DECIDED)
        : GateVerdict.REGRESSION;
  }

  /** Exit code of the command: separate runs are not judged, so it is 0. */
  public int exitCode() {
    return interleaved ? outcome().exitCode() : 0;
  }

  /**
   * Returns whether the change helps: some value is better and none worse.
   *
   * @return false where some value is worse, or no loss and no gain is shown of any; empty where
   *     the gate does not decide
   */
  public Optional<Boolean> helps() {
    GateVerdict outcome = outcome();
    if (outcome == GateVerdict.REGRESSION) {
      return Optional.of(false);
    } else if (rows.stream()
        .flatMap(row -> row.judged().stream())
        .anyMatch(Judgement::improvement)) {
      return Optional.of(true);
    }
    return outcome == GateVerdict.PASS ? Optional.of(false) : Optional.empty();
  }

  /** Folder of the interleaved run, or of the candidate's. */
  public RunFolder folder() {
    return b.run().folder();
  }

  /** Trials of both versions. */
  List<TrialRecord> trials() {
    return Stream.of(a, b).flatMap(side -> side.run().counting().stream()).toList();
  }
}
