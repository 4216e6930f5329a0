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
import io.pyrometer.results.analyses.RunStudies;
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
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs in which the trials of a block with the same number of nodes share their processes. */
class ProcessStartsTest {
  private static final String THREADS = "[1, 2]";
  private static final int RUNS = 60;

  @TempDir Path folder;

  private RunFolder made(String threads, int blocks) {
    Experiment experiment =
        Fixture.withTail(
            """
            factors:
              path: [put]
              nodes: [2, 4]
              persistence: [true, false]
              threads: %s
            blocks: %d
            analyses: [factors, ranking]
            """
                .formatted(threads, blocks));
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
          return on(MadeUpRun.withThroughput(trial, value), ProcessStartsTest::byNodes);
        });
  }

  private static TrialRecord on(TrialRecord trial, ToIntFunction<TrialRecord> start) {
    return trial.madeOn(new ProcessStart(start.applyAsInt(trial), 1));
  }

  private static int byNodes(TrialRecord trial) {
    return 10 * trial.block() + (int) trial.settings().number("nodes");
  }

  private static StudyResult throughput(RunRecord run) {
    return new RunStudies.Factors().of(run).get(0).result();
  }

  private static StudyResult.Item nodes(RunRecord run) {
    return throughput(run).items().stream()
        .filter(item -> item.name().matches("(A )?nodes( changed)?"))
        .findFirst()
        .orElseThrow();
  }

  private static RunRecord without(RunRecord run) {
    return started(run, trial -> Optional.empty());
  }

  private static RunRecord started(RunRecord run, Function<TrialRecord, Optional<Integer>> start) {
    return MadeUpRun.changed(
        run.folder(),
        trial -> {
          TrialRecord same =
              run.finished().stream()
                  .filter(t -> t.id().equals(trial.id()))
                  .findFirst()
                  .orElseThrow();
          TrialRecord plain = MadeUpRun.again(same, 1);
          return start.apply(trial).map(s -> on(plain, t -> s)).orElse(plain);
        });
  }

  @Tag("simulation")
  @Test
  void aFactorOfTheStartsIsRarelyClaimedOfPureNoise() {
    for (String threads : List.of("[1, 2]", "[1, 2, 3]")) {
      RunFolder made = made(threads, 3);
      Random random = new Random(7);
      int claimed = 0;
      int naive = 0;
      int covered = 0;
      for (int i = 0; i < RUNS; i++) {
        RunRecord run = noise(made, 0.03, random);
        claimed += nodes(run).note().contains("; significant") ? 1 : 0;
        naive += i < 20 && nodes(without(run)).note().contains("; significant") ? 1 : 0;
        covered += nodes(run).estimate().contains(1) ? 1 : 0;
      }
      assertThat(claimed).as("claims with %s threads", threads).isLessThanOrEqualTo(RUNS / 12);
      assertThat(naive).as("claims as if each trial had its own start").isPositive();
      assertThat(covered).isBetween(RUNS * 89 / 100, RUNS);
    }
  }

  @Test
  void rankingsJudgeTreatmentsOnDifferentStartsByTheDifferencesBetweenThem() {
    RunRecord run = noise(made(THREADS, 3), 0.1, new Random(2));
    List<Estimate> with = ratios(run);
    List<Estimate> plain = ratios(without(run));
    assertThat(with.get(0).halfWidth()).as("on one start").isLessThan(plain.get(0).halfWidth());
    assertThat(with.get(6).halfWidth()).as("on two").isGreaterThan(plain.get(6).halfWidth());
  }

  @Test
  void startsThatEveryTrialOrEveryBlockHasOfItsOwnChangeNothing() {
    RunRecord run = noise(made(THREADS, 3), 0.03, new Random(3));
    RunRecord plain = without(run);
    RunRecord own = started(run, trial -> Optional.of(trial.ordinal()));
    RunRecord blocks = started(run, trial -> Optional.of(trial.block()));
    // A failed trial made fresh processes necessary for the rest of one block.
    RunRecord again = started(run, t -> Optional.of(t.ordinal() < 4 ? 99 : t.block()));
    for (RunRecord same : List.of(own, blocks, again)) {
      assertThat(throughput(same).items()).isEqualTo(throughput(plain).items());
      assertThat(ratios(same)).isEqualTo(ratios(plain));
    }
    RunRecord one = noise(made(THREADS, 1), 0.03, new Random(4));
    assertThat(throughput(one).items()).isEqualTo(throughput(without(one)).items());
    assertThat(ratios(one)).isEqualTo(ratios(without(one)));
  }

  @Test
  void aFactorOfTheStartsOfASingleBlockIsMarked() {
    RunRecord one = noise(made(THREADS, 1), 0.03, new Random(4));
    assertThat(throughput(one).findings().get(0).id()).isEqualTo("effect.one-start");
    for (RunRecord other :
        List.of(
            without(one),
            started(one, t -> Optional.of(t.ordinal())),
            noise(made(THREADS, 2), 0.03, new Random(4)))) {
      assertThat(throughput(other).findings())
          .noneMatch(finding -> finding.id().equals("effect.one-start"));
    }
  }

  /** Of each other treatment to the first; the second has as many nodes, the last more. */
  private static List<Estimate> ratios(RunRecord run) {
    TreatmentTrials trials = new TreatmentTrials(run);
    Map<String, Treatment> values = new TreeMap<>();
    trials
        .treatments()
        .forEach(levels -> values.put("" + levels, trials.values(levels, Metric.THROUGHPUT)));
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
