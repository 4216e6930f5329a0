package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs that stop by themselves: blocks are added until the rule says stop, and then the interval
 * that the ranking prints must cover the truth as often as it claims.
 */
@Tag("simulation")
class AdaptiveCoverageTest {
  private static final int RUNS = 2_000;
  private static final double TRUTH = 50_000;

  /** As {@link StoppingRule#DEFAULT}. */
  private static final String UNTIL_PRECISE = "replicates: until 3% (min 5, max 30)";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"0.03, 1", "0.06, 2"})
  void thePrintedIntervalCoversTheTruthAlthoughTheStopWasChosen(double noise, long seed) {
    StoppingRule rule = StoppingRule.DEFAULT;
    RunRecord most = run(UNTIL_PRECISE);
    Random random = new Random(seed);
    int covered = 0;
    int chosen = 0;
    for (int i = 0; i < RUNS; i++) {
      List<Double> blocks = new ArrayList<>();
      do {
        blocks.add(TRUTH * Math.exp(noise * random.nextGaussian()));
      } while (!rule.stops(array(blocks)));
      Estimate printed = ranked(most, blocks);
      assertThat(printed.confidence()).isEqualTo(0.95);
      covered += printed.contains(TRUTH) ? 1 : 0;
      chosen += blocks.size() > rule.first() && blocks.size() < rule.cap() ? 1 : 0;
    }
    assertThat(chosen).as("runs that stopped early").isGreaterThan(RUNS / 4);
    assertThat((double) covered / RUNS).isBetween(0.935, 0.965);
  }

  @Test
  void anEarlyStopWidensTheIntervalAndOneAtTheFirstLookOrAFixedNumberOfBlocksDoesNot() {
    RunRecord run = run(UNTIL_PRECISE);
    List<Double> five = List.of(100.0, 101.0, 99.0, 102.0, 98.0);
    List<Double> six = List.of(100.0, 101.0, 99.0, 102.0, 98.0, 100.0);
    assertThat(ranked(run, five)).isEqualTo(Means.geometric(array(five), "records/s", 0.95));
    Estimate plain = Means.geometric(array(six), "records/s", 0.95);
    assertThat(ranked(run, six).halfWidth()).isGreaterThan(1.1 * plain.halfWidth());
    assertThat(ranked(run, six).confidence()).isEqualTo(0.95);
    assertThat(ranked(run("blocks: 30"), six)).isEqualTo(plain);
  }

  private RunRecord run(String replication) {
    return MadeUpRun.of(
            Fixture.withTail("factors: {path: [put]}\n%s\n".formatted(replication)),
            Fixture.CATALOGUE)
        .load(folder, trial -> 100);
  }

  /** What the ranking prints of a run whose blocks came to these figures. */
  private static Estimate ranked(RunRecord run, List<Double> blocks) {
    RunRecord made =
        MadeUpRun.of(
            run,
            run.finished().stream()
                .filter(trial -> trial.block() < blocks.size())
                .map(trial -> MadeUpRun.withThroughput(trial, blocks.get(trial.block())))
                .toList());
    return Rankings.of(made).get(0).rows().get(0).throughput();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
