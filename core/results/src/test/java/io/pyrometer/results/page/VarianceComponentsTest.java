package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.ProcessStart;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VarianceComponentsTest {
  @TempDir Path folder;

  /** Blocks differ by 20 %, starts by 10 %, trials by 2 %; a start for each number of nodes. */
  private RunRecord run(int blocks, long everySecondSample) {
    RunFolder made =
        MadeUpRun.of(
                Fixture.withTail(
                    """
                    factors:
                      path: [put]
                      nodes: [2, 4]
                      threads: [1, 2, 3]
                    blocks: %d
                    """
                        .formatted(blocks)),
                Fixture.CATALOGUE)
            .write(folder, trial -> 100);
    Random random = new Random(5);
    Map<Integer, Double> levels = new HashMap<>();
    return MadeUpRun.changed(
        made,
        trial -> {
          int start = 10 * trial.block() + (int) trial.settings().number("nodes");
          double level =
              0.2 * levels.computeIfAbsent(-trial.block() - 1, key -> random.nextGaussian())
                  + 0.1 * levels.computeIfAbsent(start, key -> random.nextGaussian());
          double value = 50_000 * Math.exp(level + 0.02 * random.nextGaussian());
          TrialRecord same = MadeUpRun.withThroughput(trial, value);
          return new TrialRecord(
                  same.schema(),
                  same.identity(),
                  same.started(),
                  same.result(),
                  new Timeline(
                      same.timeline().phases(),
                      same.timeline().warmUp(),
                      Stream.iterate(0, i -> i + 1)
                          .limit(50)
                          .map(i -> i / 10 % 2 == 0 ? 1000 : everySecondSample)
                          .toList(),
                      0),
                  same.counts(),
                  same.metrics(),
                  same.artefacts(),
                  same.validity(),
                  same.configuration())
              .madeOn(new ProcessStart(start, 1));
        });
  }

  @Test
  void noiseIsGivenByLevel() {
    List<Finding> findings = VarianceComponents.of(run(20, 1000));
    assertThat(findings).extracting(Finding::id).containsExactly("noise.throughput");
    assertThat(value(findings, "blocks")).isBetween(0.1, 0.2);
    assertThat(value(findings, "starts")).isBetween(0.1, 0.12);
    assertThat(value(findings, "trials")).isBetween(0.01, 0.03);
  }

  private static double value(List<Finding> findings, String name) {
    return findings.get(0).values().getOrDefault(name, Value.share(0)).number();
  }

  @Test
  void whereSecondsExplainTheNoiseLongerTrialsHelpAsWell() {
    assertThat(VarianceComponents.of(run(4, 900)))
        .extracting(Finding::id)
        .contains("noise.within-trials");
  }

  @Test
  void oneBlockShowsNoLevels() {
    assertThat(VarianceComponents.of(run(1, 1000))).isEmpty();
  }
}
