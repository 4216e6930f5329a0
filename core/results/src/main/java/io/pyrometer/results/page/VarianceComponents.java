package io.pyrometer.results.page;

import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Components of the noise of ln throughput: differences between blocks, between starts of processes
 * within a block, between trials, and the part of those that seconds within trials explain
 * (Kalibera and Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013).
 */
final class VarianceComponents {
  /** A fixed effect for each of more treatments takes more time than its answer is worth. */
  private static final int MAX_TREATMENTS = 200;

  /** The variance of a trial's mean is that of so many successive parts, over their number. */
  private static final int PARTS = 5;

  /** With a smaller share of the noise of trials, seconds do not matter. */
  private static final double HALF = 0.5;

  private VarianceComponents() {}

  /** Empty for a single block, at offered rates, and with too few trials. */
  static List<Finding> of(RunRecord run) {
    List<TrialRecord> trials =
        run.counting().stream()
            .filter(t -> t.outcome() == Outcome.OK && OfferedRate.of(t) == 0)
            .filter(t -> t.throughput().filter(value -> value > 0).isPresent())
            .toList();
    List<Measurement> rows =
        trials.stream()
            .map(
                t ->
                    new Measurement(
                        t.levels().toString(),
                        String.valueOf(t.block()),
                        t.identity().start().map(start -> "" + start.number()).orElse(""),
                        t.throughput().orElseThrow()))
            .toList();
    long blocks = trials.stream().map(TrialRecord::block).distinct().count();
    long treatments = trials.stream().map(TrialRecord::levels).distinct().count();
    if (blocks < 2 || treatments > MAX_TREATMENTS) {
      return List.of();
    }
    Map<String, Double> variances = BlockModel.of(rows).variances();
    return variances.isEmpty() ? List.of() : findings(variances, blocks, seconds(trials));
  }

  /** The variance of a trial's ln throughput that its own seconds explain; a mean over trials. */
  private static OptionalDouble seconds(List<TrialRecord> trials) {
    return trials.stream()
        .map(t -> t.timeline().samples().stream().skip(t.timeline().measuredFrom()).toList())
        .filter(samples -> samples.size() >= 2 * PARTS)
        .mapToDouble(VarianceComponents::ofMean)
        .filter(Double::isFinite)
        .average();
  }

  private static double ofMean(List<Long> samples) {
    int length = samples.size() / PARTS;
    double[] parts =
        IntStream.range(0, PARTS)
            .mapToDouble(
                part ->
                    samples.subList(part * length, (part + 1) * length).stream()
                        .mapToLong(n -> n)
                        .sum())
            .toArray();
    return Samples.variance(parts) / PARTS / Math.pow(Samples.mean(parts), 2);
  }

  private static List<Finding> findings(
      Map<String, Double> variances, long blocks, OptionalDouble seconds) {
    Finding noise = Finding.info("noise.throughput").with("replicates", Value.count(blocks));
    for (Map.Entry<String, Double> level : variances.entrySet()) {
      noise = noise.with(level.getKey(), Value.share(Math.sqrt(level.getValue())));
    }
    return seconds.orElse(0) > HALF * variances.getOrDefault("trials", 0.0)
        ? List.of(noise, Finding.info("noise.within-trials"))
        : List.of(noise);
  }
}
