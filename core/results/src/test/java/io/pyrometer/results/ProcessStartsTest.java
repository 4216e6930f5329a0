package io.pyrometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.ProcessStart;
import io.pyrometer.results.ranking.RankingModel;
import io.pyrometer.results.study.StudyResult;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in which the trials of a block with the same number of nodes share their processes. */
class ProcessStartsTest {
  @TempDir Path folder;

  private RunFolder made(int blocks) {
    Experiment experiment =
        Fixture.withTail(
            """
            factors:
              path: [put]
              nodes: [2, 4]
              persistence: [true, false]
              threads: [1, 2]
            blocks: %d
            analyses: [factors, ranking]
            """
                .formatted(blocks));
    return MadeUpRun.of(experiment, Fixture.CATALOGUE).write(folder, trial -> 100);
  }

  /** Noise of 3 % of each trial and so much of each start; nothing else differs. */
  private static RunRecord noise(RunFolder folder, double startSd, Random random) {
    Map<Integer, Double> starts = new HashMap<>();
    return MadeUpRun.changed(
        folder,
        trial -> {
          double start = starts.computeIfAbsent(byNodes(trial), key -> random.nextGaussian());
          double value = 50_000 * Math.exp(startSd * start + 0.03 * random.nextGaussian());
          return on(MadeUpRun.withThroughput(trial, value), byNodes(trial));
        });
  }

  private static TrialRecord on(TrialRecord trial, int start) {
    return trial.madeOn(new ProcessStart(start, 1));
  }

  private static int byNodes(TrialRecord trial) {
    return 10 * trial.block() + (int) trial.settings().number("nodes");
  }

  private static StudyResult throughput(RunRecord run) {
    return MadeUpRun.analysis("factors").of(run).get(0).result();
  }

  private static List<List<String>> effects(RunRecord run) {
    return throughput(run).sections().get(0).figures().get(0).table().rows();
  }

  private static RunRecord without(RunRecord run) {
    return started(run, trial -> Optional.empty());
  }

  private static RunRecord started(RunRecord run, Function<TrialRecord, Optional<Integer>> start) {
    return MadeUpRun.of(
        run,
        run.finished().stream()
            .map(
                trial -> {
                  TrialRecord plain = MadeUpRun.again(trial, 1);
                  return start.apply(trial).map(s -> on(plain, s)).orElse(plain);
                })
            .toList());
  }

  @Test
  void rankingsJudgeTreatmentsOnDifferentStartsByTheDifferencesBetweenThem() {
    RunRecord run = noise(made(3), 0.1, new Random(2));
    List<Estimate> with = ratios(run);
    List<Estimate> plain = ratios(without(run));
    assertThat(with.get(0).halfWidth()).as("on one start").isLessThan(plain.get(0).halfWidth());
    assertThat(with.get(6).halfWidth()).as("on two").isGreaterThan(plain.get(6).halfWidth());
  }

  @Test
  void startsThatEveryTrialOrEveryBlockHasOfItsOwnChangeNothing() {
    RunRecord run = noise(made(3), 0.03, new Random(3));
    RunRecord plain = without(run);
    RunRecord own = started(run, trial -> Optional.of(trial.ordinal()));
    RunRecord blocks = started(run, trial -> Optional.of(trial.block()));
    // A failed trial made fresh processes necessary for the rest of one block.
    RunRecord again = started(run, t -> Optional.of(t.ordinal() < 4 ? 99 : t.block()));
    for (RunRecord same : List.of(own, blocks, again)) {
      assertThat(effects(same)).isEqualTo(effects(plain));
      assertThat(ratios(same)).isEqualTo(ratios(plain));
    }
    RunRecord one = noise(made(1), 0.03, new Random(4));
    assertThat(effects(one)).isEqualTo(effects(without(one)));
    assertThat(ratios(one)).isEqualTo(ratios(without(one)));
  }

  @Test
  void aFactorOfTheStartsOfASingleBlockIsMarked() {
    RunRecord one = noise(made(1), 0.03, new Random(4));
    assertThat(throughput(one).findings().get(0).id()).isEqualTo("effect.one-start");
    for (RunRecord other :
        List.of(
            without(one),
            started(one, t -> Optional.of(t.ordinal())),
            noise(made(2), 0.03, new Random(4)))) {
      assertThat(throughput(other).findings())
          .noneMatch(finding -> finding.id().equals("effect.one-start"));
    }
  }

  /** Of each other treatment to the first; the second has as many nodes, the last more. */
  private static List<Estimate> ratios(RunRecord run) {
    Map<String, Treatment> values = new TreeMap<>();
    run.byTreatment()
        .keySet()
        .forEach(levels -> values.put("" + levels, run.values(levels, Metric.THROUGHPUT)));
    NamedMetric metric =
        NamedMetric.of(run.finished()).stream()
            .filter(each -> each.name().equals(Metric.THROUGHPUT))
            .findFirst()
            .orElseThrow();
    List<String> labels = List.copyOf(values.keySet());
    return RankingModel.of(run, metric, values)
        .against(labels.get(0), labels.subList(1, labels.size()), 1)
        .stream()
        .flatMap(row -> row.ratio().stream())
        .toList();
  }
}
