package io.pyrometer.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.comparison.GateVerdict;
import io.pyrometer.experiment.plan.InterleavedPlan;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.compare.RunComparison.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the gate's verdict is wrong, over made-up runs of two treatments and eight rows. */
@Tag("simulation")
class GateErrorRatesTest {
  private static final int RUNS = 100;
  private static final int MOST_BLOCKS = 20;

  @TempDir Path runs;

  private static Map<GateVerdict, Integer> verdicts(LongFunction<GateVerdict> simulate) {
    Map<GateVerdict, Integer> counts = new EnumMap<>(GateVerdict.class);
    for (GateVerdict verdict : GateVerdict.values()) {
      counts.put(verdict, 0);
    }
    for (long seed = 0; seed < RUNS; seed++) {
      counts.merge(simulate.apply(seed), 1, Integer::sum);
    }
    return counts;
  }

  private static double share(Map<GateVerdict, Integer> counts, GateVerdict verdict) {
    return counts.getOrDefault(verdict, 0) / (double) RUNS;
  }

  /**
   * An interleaved run that stops as the command does.
   *
   * @param noise the standard deviation of ln throughput of a trial
   * @param correlation of the ratios of successive blocks
   */
  private LongFunction<GateVerdict> interleaved(double loss, double noise, double correlation) {
    RunFolder folder = MadeUpExperiment.interleaved(MOST_BLOCKS).write(runs, trial -> Double.NaN);
    RunRecord begun = RunRecord.load(folder);
    return seed -> {
      Map<String, double[]> ratios = new HashMap<>();
      Random random = new Random(seed);
      List<TrialRecord> trials =
          MadeUpExperiment.interleaved(MOST_BLOCKS)
              .noise(0)
              .records(
                  trial ->
                      "B".equals(trial.levels().get(InterleavedPlan.FACTOR))
                          ? 1000
                              * (1 - loss)
                              * ratios
                                  .computeIfAbsent(
                                      trial.path(),
                                      path -> series(noise * Math.sqrt(2), correlation, random))[
                                  trial.block()]
                          : 1000);
      RunComparison last = null;
      for (int blocks = 5; blocks <= MOST_BLOCKS && (last == null || !last.settled()); blocks++) {
        int seen = blocks;
        List<TrialRecord> history = trials.stream().filter(t -> t.block() < seen).toList();
        last =
            RunComparison.interleaved(
                new RunRecord(folder, begun.plan(), begun.environment(), history, List.of()),
                Margins.DEFAULT,
                JudgedMetrics.USUAL);
      }
      return last.outcome();
    };
  }

  /** Ratios of successive blocks about 1. */
  private static double[] series(double sd, double correlation, Random random) {
    double[] series = new double[MOST_BLOCKS];
    double x = random.nextGaussian();
    for (int i = 0; i < series.length; i++) {
      series[i] = Math.exp(sd * x);
      x = correlation * x + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
    }
    return series;
  }

  /** So many runs of each version, whose level varies from run to run. */
  private LongFunction<GateVerdict> finished(int each, double loss, double runSd) {
    RunFolder folder = MadeUpExperiment.runOf(4).write(runs, trial -> Double.NaN);
    RunRecord begun = RunRecord.load(folder);
    return seed -> {
      Random random = new Random(seed);
      List<Side> sides = new ArrayList<>();
      for (double level : new double[] {1000, 1000 * (1 - loss)}) {
        sides.add(
            Side.of(
                IntStream.range(0, each)
                    .mapToObj(
                        run -> {
                          double own = level * Math.exp(runSd * random.nextGaussian());
                          MadeUpRun made =
                              MadeUpExperiment.runOf(4).noise(0.03).seed(random.nextLong());
                          return new RunRecord(
                              folder,
                              begun.plan(),
                              begun.environment(),
                              made.records(trial -> own),
                              List.of());
                        })
                    .toList()));
      }
      return RunComparison.of(sides, Margins.DEFAULT, JudgedMetrics.USUAL, false).outcome();
    };
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0", "0.03, 0", "0.03, 0.5", "0.05, 0", "0.05, 0.5"})
  void anInterleavedLossOfFivePercentDoesNotPassAMarginOfThree(double noise, double correlation) {
    Map<GateVerdict, Integer> counts = verdicts(interleaved(0.05, noise, correlation));
    assertThat(share(counts, GateVerdict.PASS)).as("%s", counts).isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @CsvSource({"0.01, 0, 0.01", "0.03, 0, 0.01", "0.05, 0, 0.01", "0.03, 0.5, 0.05"})
  void anUnchangedVersionIsNoRegression(double noise, double correlation, double most) {
    Map<GateVerdict, Integer> counts = verdicts(interleaved(0, noise, correlation));
    assertThat(share(counts, GateVerdict.REGRESSION)).as("%s", counts).isLessThanOrEqualTo(most);
  }

  @ParameterizedTest
  @CsvSource({"0.03", "0.05"})
  void aLossOfTenPercentIsFoundWithinTwentyBlocks(double noise) {
    Map<GateVerdict, Integer> counts = verdicts(interleaved(0.1, noise, 0));
    assertThat(share(counts, GateVerdict.REGRESSION)).as("%s", counts).isGreaterThanOrEqualTo(0.9);
  }

  @ParameterizedTest
  @CsvSource({"3, 0", "3, 0.02", "5, 0.02", "5, 0.04", "20, 0.02"})
  void aLossOfFivePercentBetweenFinishedRunsDoesNotPassAMarginOfThree(int each, double runSd) {
    Map<GateVerdict, Integer> counts = verdicts(finished(each, 0.05, runSd));
    assertThat(share(counts, GateVerdict.PASS)).as("%s", counts).isLessThanOrEqualTo(0.02);
  }

  @Test
  void manyQuietFinishedRunsOfTheSamePass() {
    Map<GateVerdict, Integer> counts = verdicts(finished(10, 0, 0.01));
    assertThat(share(counts, GateVerdict.PASS)).as("%s", counts).isGreaterThan(0.8);
    assertThat(share(counts, GateVerdict.REGRESSION)).as("%s", counts).isLessThanOrEqualTo(0.01);
  }
}
