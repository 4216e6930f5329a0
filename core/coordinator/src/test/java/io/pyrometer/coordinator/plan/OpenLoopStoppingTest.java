package io.pyrometer.coordinator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Identity;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.Trials;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenLoopStoppingTest {
  private static final int MOST = 9;

  @ParameterizedTest
  @CsvSource({
    "0,    0, 0,   0.5, 9",
    "0,    0, 0.5, 0,   3",
    "500,  0, 0,   0.5, 3",
    "500,  0, 0.5, 0,   9",
    "500,  0.5, 0, 0,   9",
    "500,  0, 0,   0,   3"
  })
  void blocksAreAddedUntilWhatTheRateLeavesOpenIsPrecise(
      double rate, double getNoise, double putNoise, double throughputNoise, int blocks) {
    List<Group> groups = FakeRun.blocksOf(MOST, "mix");
    TrialSource source = TrialSources.untilPrecise(groups, new StoppingRule(3, 0.03, MOST, 0.95));
    Random random = new Random(8);
    Supplier<Map<String, Metric>> latencies =
        () ->
            Map.of(
                Metric.latency("get", LatencyStatistic.P99), millis(noisy(5, getNoise, random)),
                Metric.latency("put", LatencyStatistic.P99), millis(noisy(9, putNoise, random)),
                Metric.latency("put", LatencyStatistic.P50), millis(noisy(9, 0.9, random)));
    List<TrialRecord> history =
        TrialSources.exhaust(
            source,
            (group, before) -> {
              TrialSpec spec = group.trials().get(0);
              double throughput = noisy(1_000, throughputNoise, random);
              return List.of(record(spec, rate, throughput, latencies.get()));
            });
    assertThat(history).hasSize(blocks);
  }

  private static double noisy(double value, double noise, Random random) {
    return value * Math.exp(noise * random.nextGaussian());
  }

  private static Metric millis(double value) {
    return Metric.lowerIsBetter(value, "ms");
  }

  private static TrialRecord record(
      TrialSpec spec, double rate, double throughput, Map<String, Metric> latencies) {
    TrialRecord plain = Trials.of(spec.id(), spec.block(), 1, spec.path(), Outcome.OK, throughput);
    Map<String, Metric> metrics = new HashMap<>(plain.metrics());
    metrics.putAll(latencies);
    return new TrialRecord(
        plain.schema(),
        Identity.of(spec.as(spec.id(), spec.settings().with("rate", rate)), 1),
        plain.started(),
        plain.result(),
        plain.timeline(),
        plain.counts(),
        metrics,
        plain.artefacts(),
        plain.validity(),
        plain.configuration(),
        Map.of());
  }
}
