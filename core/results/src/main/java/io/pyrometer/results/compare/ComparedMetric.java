package io.pyrometer.results.compare;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.TailRatio;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.TreatmentTrials;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One metric of one treatment in the baseline and the candidate.
 *
 * @param trials by side those of each run, the baseline first
 */
record ComparedMetric(
    List<List<TreatmentTrials>> trials,
    CallLatencies latencies,
    Map<String, String> levels,
    NamedMetric metric) {
  private static final double NANOS_A_MICRO = 1000;

  /** The name of a treatment where there is one alone. */
  static final String ONLY = "the treatment";

  String treatment() {
    return Labels.of(levels, ONLY);
  }

  String in(int side) {
    return treatment() + " in " + RunComparison.letter(side);
  }

  /** Whether one of the sides has several runs. */
  boolean repeated() {
    return trials.get(0).size() + trials.get(1).size() > 2;
  }

  /** The blocks in which both have a value, or the runs of the side with fewer. */
  int replicates(boolean interleaved) {
    return interleaved ? sharedBlocks().size() : Math.min(runs(0).size(), runs(1).size());
  }

  /** Of all blocks of all runs of a side. */
  double[] values(int side) {
    return trials.get(side).stream().flatMapToDouble(run -> Arrays.stream(blocks(run))).toArray();
  }

  /**
   * What the ratio is of: the percentile of all calls for a tail of an interleaved run, otherwise
   * the geometric mean of its blocks or of {@link #runs}.
   */
  Estimate figure(int side, double confidence) {
    List<List<LatencyCounts>> calls = callsOfBlocks();
    if (!calls.isEmpty()) {
      return Estimate.unreplicated(percentile(calls.get(side)), metric.unit());
    }
    double[] values =
        interleaved()
            ? values(side)
            : runs(side).values().stream().mapToDouble(Double::doubleValue).toArray();
    return Means.geometric(values, metric.unit(), confidence);
  }

  private double percentile(List<LatencyCounts> counts) {
    return LatencyCounts.merged(counts).percentile(percent()) / NANOS_A_MICRO;
  }

  private double[] blocks(TreatmentTrials run) {
    return run.values(levels, metric.name()).values();
  }

  /** By block, of a side whose only run is interleaved with that of the other. */
  private Map<String, Double> byBlock(int side) {
    return trials.get(side).get(0).values(levels, metric.name()).replicates();
  }

  /** The blocks of an interleaved run in which both versions have a value. */
  private List<String> sharedBlocks() {
    Map<String, Double> other = byBlock(1);
    return byBlock(0).keySet().stream().filter(other::containsKey).toList();
  }

  /** Of an interleaved run: treatments with the same one share the processes of both versions. */
  private String start() {
    return trials.get(0).get(0).starts().of(levels) + trials.get(1).get(0).starts().of(levels);
  }

  /** Candidate over baseline in each shared block. */
  List<Measurement> ratiosOfBlocks() {
    Map<String, Double> before = byBlock(0);
    Map<String, Double> after = byBlock(1);
    return sharedBlocks().stream()
        .map(
            block ->
                new Measurement(
                    treatment(),
                    block,
                    start(),
                    after.getOrDefault(block, 1.0) / before.getOrDefault(block, 1.0)))
        .toList();
  }

  /** One value of each run of both. */
  List<Measurement> valuesOfRuns() {
    List<Measurement> values = new ArrayList<>();
    for (int side : new int[] {0, 1}) {
      runs(side).forEach((run, value) -> values.add(new Measurement(in(side), run, value)));
    }
    return values;
  }

  /**
   * The value of each run of a side: of a tail the percentile of all its calls, otherwise the
   * geometric mean of its blocks. Runs without a value are left out.
   */
  Map<String, Double> runs(int side) {
    Map<String, Double> runs = new LinkedHashMap<>();
    for (TreatmentTrials run : trials.get(side)) {
      if (blocks(run).length > 0) {
        runs.put(
            RunComparison.letter(side) + (trials.get(side).indexOf(run) + 1),
            calls(run, run.trials(levels))
                .map(this::percentile)
                .orElseGet(() -> Means.geometric(blocks(run), "").value()));
      }
    }
    return runs;
  }

  private double percent() {
    return CallLatencies.tail(metric).orElseThrow();
  }

  private Optional<List<LatencyCounts>> calls(TreatmentTrials run, List<TrialRecord> some) {
    return latencies.of(
        run.run(),
        some.stream().filter(trial -> trial.outcome() == TrialRecord.Outcome.OK).toList(),
        metric);
  }

  /** The ratio of a tail by all calls of the shared blocks, where their files are there. */
  Optional<Contrast> ofCalls() {
    List<List<LatencyCounts>> both = callsOfBlocks();
    return both.isEmpty()
        ? Optional.empty()
        : Optional.of(TailRatio.lnRatio(both.get(0), both.get(1), percent()));
  }

  /**
   * By side the calls of a tail in each block that an interleaved run has of both; empty for other
   * metrics and runs, and where a file is missing.
   */
  private List<List<LatencyCounts>> callsOfBlocks() {
    if (CallLatencies.tail(metric).isEmpty() || !interleaved()) {
      return List.of();
    }
    List<String> blocks = sharedBlocks();
    List<List<LatencyCounts>> both = new ArrayList<>();
    for (int side : new int[] {0, 1}) {
      TreatmentTrials run = trials.get(side).get(0);
      calls(
              run,
              run.trials(levels).stream()
                  .filter(trial -> blocks.contains(String.valueOf(trial.block() + 1)))
                  .toList())
          .ifPresent(both::add);
    }
    return both.size() < 2 ? List.of() : both;
  }

  private boolean interleaved() {
    return trials.get(0).get(0).run().plan().interleaving().isPresent();
  }
}
