package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.LargeRun;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreatmentLatenciesTest {
  @TempDir Path runs;

  /** Latencies of 1 ms times a factor of the block, log-normal, so many calls a block. */
  private RunRecord run(int blocks, int calls, double blockNoise) throws Exception {
    RunFolder folder =
        MadeUpExperiment.runOf(blocks)
            .metrics((trial, metrics) -> metrics.remove("latency.call.p99.9"))
            .write(runs, trial -> 1_000);
    Random random = new Random(5);
    for (TrialRecord trial : folder.trials()) {
      Histogram histogram = new Histogram(3);
      double block = Math.exp(blockNoise * random.nextGaussian());
      for (int i = 0; i < calls; i++) {
        histogram.recordValue((long) (1e6 * block * Math.exp(0.5 * random.nextGaussian())));
      }
      LargeRun.write(folder.histogram(trial.id(), 1), "call", histogram);
    }
    return RunRecord.load(folder);
  }

  private static OperationLatency first(RunRecord run) {
    return Rankings.of(run).get(0).rows().get(0).latencies().get(0);
  }

  private static final double TRUE_P99 = 1_000 * Math.exp(0.5 * 2.326348);

  @Test
  void percentilesAreOfAllCallsTogetherWithAnIntervalOverBlocks() throws Exception {
    for (int blocks : new int[] {3, 5, 12}) {
      OperationLatency latency = first(run(blocks, 2_000, 0.05));
      Estimate p99 = latency.of(LatencyStatistic.P99).orElseThrow();
      assertThat(p99.contains(TRUE_P99)).as("%d blocks: %s", blocks, p99).isTrue();
      assertThat(p99.replicates()).isEqualTo(blocks);
      assertThat(p99.unit()).isEqualTo("µs");
      assertThat(p99.relativeHalfWidth()).isBetween(0.005, 0.5);
      assertThat(latency.curve()).isNotEmpty();
    }
  }

  @Test
  void p999NeedsTenThousandCalls() throws Exception {
    assertThat(first(run(3, 2_000, 0.05)).of(LatencyStatistic.P999)).isEmpty();
    assertThat(first(run(5, 2_000, 0.05)).of(LatencyStatistic.P999)).isPresent();
  }

  @Test
  void withoutHistogramsTheTrialsOwnPercentilesServe() {
    RunRecord run = RunRecord.load(MadeUpExperiment.runOf(5).write(runs, trial -> 1_000));
    OperationLatency latency = first(run);
    assertThat(latency.of(LatencyStatistic.P99).orElseThrow().value())
        .isCloseTo(4_000, org.assertj.core.data.Percentage.withPercentage(3));
    assertThat(latency.curve()).isEmpty();
    assertThat(latency.p99().values()).hasSize(5);
    assertThat(Metric.parseLatency("latency.call.p99")).isPresent();
  }

  @Test
  void oneBlockHasNoInterval() throws Exception {
    assertThat(first(run(1, 2_000, 0.05)).of(LatencyStatistic.P99).orElseThrow().hasInterval())
        .isFalse();
  }
}
