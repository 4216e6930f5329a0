package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How often a treatment that is named as the best, or for its CPU time, is truly slower than the
 * best of its table by more than {@link Recommendation#LOSS}: four treatments of which one is
 * hopeless, where faster ones take more CPU time.
 */
@Tag("simulation")
class RecommendationErrorRatesTest {
  private static final int RUNS = 400;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"3, 0.05, 1", "5, 0.05, 2", "3, 0.15, 3", "5, 0.15, 4", "10, 0.15, 5"})
  void whatIsRecommendedIsRarelyMuchSlower(int blocks, double noise, long seed) {
    RunRecord run =
        MadeUpRun.of(
                Fixture.withTail(
                    "factors: {path: [put, put-all, put-async, put-all-async]}\nblocks: %d\n"
                        .formatted(blocks)),
                Fixture.CATALOGUE)
            .load(folder, trial -> 100);
    Random random = new Random(seed);
    int slow = 0;
    int surelySlow = 0;
    int cheapSlow = 0;
    for (int i = 0; i < RUNS; i++) {
      Map<String, Double> truth = new TreeMap<>();
      for (String path : List.of("put", "put-all", "put-async")) {
        truth.put(path, 1_000 * Math.exp(0.3 * random.nextDouble()));
      }
      truth.put("put-all-async", 50.0);
      double best = truth.values().stream().mapToDouble(d -> d).max().orElseThrow();
      RunRecord made = made(run, truth, noise, random);
      Recommendation of = Recommendation.of(made, Rankings.of(made).get(0));
      boolean lost = truth.get(of.best().orElseThrow().path()) < 0.9 * best;
      slow += lost ? 1 : 0;
      surelySlow += lost && of.confidence() != Answer.Confidence.LOW ? 1 : 0;
      double chosen = truth.get(of.best().orElseThrow().path());
      cheapSlow += of.cheaper().filter(c -> truth.get(c.path()) < 0.9 * chosen).isPresent() ? 1 : 0;
    }
    assertThat(surelySlow).as("without low confidence").isLessThanOrEqualTo(RUNS / 50);
    assertThat(cheapSlow).as("named for its CPU time").isLessThanOrEqualTo(RUNS / 50);
    if (noise < 0.1) {
      assertThat(slow).isLessThanOrEqualTo(RUNS / 50);
    }
  }

  private static RunRecord made(
      RunRecord run, Map<String, Double> truth, double noise, Random random) {
    return MadeUpRun.of(
        run,
        run.finished().stream()
            .map(
                trial -> {
                  double mean = truth.getOrDefault(trial.levels().get("path"), 1.0);
                  double value = mean * Math.exp(noise * random.nextGaussian());
                  return MadeUpRun.plus(
                      MadeUpRun.withThroughput(trial, value),
                      Metric.CPU,
                      Metric.lowerIsBetter(mean / 100, "µs"));
                })
            .toList());
  }
}
