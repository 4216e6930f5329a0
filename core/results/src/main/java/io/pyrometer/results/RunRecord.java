package io.pyrometer.results;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TuningRun;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.ProbeResult;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A run as its folder holds it. Immutable.
 *
 * @param finished every attempt in the order made
 * @param counting the attempt at each trial that counts, in the plan's order
 * @param probes the guarantee probes in the order made
 */
public record RunRecord(
    RunFolder folder,
    PlannedRun plan,
    Environment environment,
    List<TrialRecord> finished,
    List<TrialRecord> counting,
    List<ProbeResult> probes) {
  public RunRecord {
    finished = List.copyOf(finished);
    probes = List.copyOf(probes);
  }

  /** Record of a run in which, of the attempts at a trial, the one that counts is selected. */
  public RunRecord(
      RunFolder folder,
      PlannedRun plan,
      Environment environment,
      List<TrialRecord> finished,
      List<ProbeResult> probes) {
    this(folder, plan, environment, finished, Attempts.selectedAttempts(finished), probes);
  }

  /**
   * Reads a run's folder.
   *
   * @throws io.pyrometer.journal.RunException if it is no whole run's folder
   */
  public static RunRecord load(RunFolder folder) {
    ForkJoinTask<PlannedRun> plan = ForkJoinPool.commonPool().submit(folder::plan);
    List<TrialRecord> trials = folder.trials();
    return new RunRecord(
        folder,
        plan.join(),
        folder.read("environment.json", Environment.class),
        trials,
        folder.probes());
  }

  /** The trials of one of the versions that the run interleaves, as of a run of it alone. */
  public RunRecord version(String version) {
    List<TrialRecord> own =
        finished.stream()
            .filter(trial -> version.equals(trial.levels().get(InterleavedPlan.FACTOR)))
            .map(trial -> trial.at(Interleaving.common(trial.levels())))
            .toList();
    List<ProbeResult> ownProbes =
        probes.stream()
            .filter(probe -> version.equals(probe.levels().get(InterleavedPlan.FACTOR)))
            .map(probe -> probe.of(Interleaving.common(probe.levels())))
            .toList();
    return new RunRecord(folder, plan, environment, own, ownProbes);
  }

  /** Record of the run as if it had made these trials alone, without its probes. */
  public RunRecord of(Predicate<TrialRecord> which) {
    return new RunRecord(
        folder, plan, environment, finished.stream().filter(which).toList(), List.of());
  }

  /** The attempts that count of some trials. */
  public List<TrialRecord> counting(Predicate<TrialRecord> which) {
    return counting.stream().filter(which).toList();
  }

  /** The attempts that count of one treatment. */
  public List<TrialRecord> trials(Map<String, String> levels) {
    return counting(trial -> trial.levels().equals(levels));
  }

  /** The valid trials of one treatment. */
  public List<TrialRecord> valid(Map<String, String> levels) {
    return trials(levels).stream().filter(TrialRecord::valid).toList();
  }

  /** The recorded latencies of an attempt at a trial; empty without the file. */
  public Optional<Latencies> latencies(TrialRecord trial) {
    return Optional.of(folder.histogram(trial.id(), trial.attempt()))
        .filter(Files::exists)
        .map(Latencies::read);
  }

  /** The reason why an attempt does not count; empty of one that does. */
  public Function<TrialRecord, Optional<String>> whyNot() {
    Map<String, TrialRecord> selected = new HashMap<>();
    counting.forEach(trial -> selected.put(trial.id(), trial));
    return trial ->
        Optional.ofNullable(selected.get(trial.id()))
            .filter(counts -> counts.attempt() != trial.attempt())
            .map(counts -> Attempts.whyNot(trial, counts));
  }

  /** Returns whether an attempt that counts has a property. */
  public boolean any(Predicate<TrialRecord> which) {
    return counting.stream().anyMatch(which);
  }

  /**
   * Returns whether C1 alone compiles the code of an attempt that counts: it is warm after seconds,
   * and slower than with C2.
   */
  public boolean compiledByC1() {
    return any(
        t -> t.settings().find(CoreSettings.COMPILER).filter(CoreSettings.C1::equals).isPresent());
  }

  /**
   * Returns whether nothing is left to measure: every trial is made. A comparison may stop after
   * any block.
   */
  public boolean whole() {
    if (counting.size() == plan.trials().size()) {
      return true;
    }
    if (plan.searching()) {
      return RateSearch.next(plan.groups(), finished).isEmpty();
    }
    if (plan.tuning().isPresent()) {
      return TuningRun.of(plan).next(finished).isEmpty();
    }
    int blocks = blocksSeen();
    long begun = plan.trials().stream().filter(trial -> trial.block() < blocks).count();
    return counting.size() == begun && plan.interleaving().isPresent();
  }

  public Experiment experiment() {
    return plan.experiment();
  }

  /** Returns whether the experiment asks to rank its treatments. */
  public boolean ranks() {
    return experiment().analyses().contains(AnalysisDeclaration.RANKING);
  }

  /** The attempts that count by treatment, in the order of the run. */
  public Map<Map<String, String>, List<TrialRecord>> byTreatment() {
    return counting.stream().collect(ListsByKey.by(TrialRecord::levels));
  }

  /** The metric's values above 0 by block, of the valid trials of a treatment. */
  public Treatment values(Map<String, String> levels, String metric) {
    return values(levels, trials(levels), trial -> trial.value(metric));
  }

  /** The geometric mean of the metric's values above 0; empty without any. */
  public Optional<Estimate> mean(Map<String, String> levels, String metric, String unit) {
    double[] values = values(levels, metric).values();
    return values.length == 0 ? Optional.empty() : Optional.of(Means.geometric(values, unit));
  }

  /** Values above 0 by block, of the valid ones of the trials. */
  public static Treatment values(
      Map<String, String> levels,
      List<TrialRecord> trials,
      Function<TrialRecord, Optional<Double>> of) {
    Map<String, Double> blocks = new TreeMap<>(Treatment.BY_NUMBER);
    for (TrialRecord trial : trials) {
      if (trial.valid()) {
        of.apply(trial)
            .filter(value -> value > 0)
            .ifPresent(value -> blocks.put(String.valueOf(trial.block() + 1), value));
      }
    }
    return new Treatment(levels, blocks);
  }

  /** Candidate over baseline in each block that both have. */
  public static double[] ratios(Treatment baseline, Treatment candidate) {
    return baseline.replicates().entrySet().stream()
        .flatMapToDouble(
            before ->
                Stream.ofNullable(candidate.replicates().get(before.getKey()))
                    .mapToDouble(after -> after / before.getValue()))
        .toArray();
  }

  public int blocksSeen() {
    return (int) finished.stream().map(TrialRecord::block).distinct().count();
  }

  /**
   * The order of the experiment's file, which a run leaves for a random one: by the first factor,
   * then by the second, and so on.
   */
  public <T> Comparator<T> inOrder(Function<T, Map<String, String>> levelsOf) {
    return experiment().levels().entrySet().stream()
        .map(
            factor ->
                Comparator.<T>comparingInt(
                    each ->
                        factor
                            .getValue()
                            .indexOf(levelsOf.apply(each).getOrDefault(factor.getKey(), ""))))
        .reduce(Comparator.comparingInt(each -> 0), Comparator::thenComparing);
  }
}
