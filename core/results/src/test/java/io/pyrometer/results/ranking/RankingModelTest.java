package io.pyrometer.results.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankingModelTest {
  private static final int TREATMENTS = 42;
  private static final int BLOCKS = 5;

  @TempDir Path runs;

  private static Map<String, Treatment> table(Random random, int treatments, double noise) {
    double[] block = random.doubles(BLOCKS, 0.9, 1.1).toArray();
    Map<String, Treatment> table = new LinkedHashMap<>();
    for (int t = 0; t < treatments; t++) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (int b = 0; b < BLOCKS; b++) {
        values.put(
            String.valueOf(b + 1), 1000 * block[b] * Math.exp(noise * random.nextGaussian()));
      }
      table.put("t" + t, new Treatment(Map.of("path", "t" + t), values));
    }
    return table;
  }

  private static RankingModel model(Map<String, Treatment> table) {
    return new RankingModel(NamedMetric.THROUGHPUT, table, ProcessStarts.NONE, Set.of());
  }

  private static List<String> notWorse(RankingModel model, String best, List<String> others) {
    return model.verdicts(best, others, 1).entrySet().stream()
        .filter(other -> other.getValue() != Verdict.WORSE)
        .map(Map.Entry::getKey)
        .toList();
  }

  @Test
  void aTreatmentThatIsSlowerIsFoundAmongFortyTwo() {
    Map<String, Treatment> table = table(new Random(3), TREATMENTS, 0.03);
    Map<String, Double> slower = new LinkedHashMap<>();
    table.get("t7").replicates().forEach((block, value) -> slower.put(block, 0.8 * value));
    table.put("t7", new Treatment(Map.of("path", "t7"), slower));
    List<String> others = new ArrayList<>(table.keySet());
    others.remove("t0");
    assertThat(notWorse(model(table), "t0", others)).hasSize(40).doesNotContain("t7");
  }

  @Test
  void theNoiseOfWhatIsExcludedDoesNotCountForTheOthers() {
    Map<String, Treatment> table = table(new Random(9), 6, 0.02);
    Map<String, Treatment> wild = table(new Random(10), 6, 1.5);
    table.put("t4", wild.get("t4"));
    table.put("t5", wild.get("t5"));
    Set<String> excluded = Set.of("t4", "t5");
    RankingModel model =
        new RankingModel(NamedMetric.THROUGHPUT, table, ProcessStarts.NONE, excluded);
    Map<String, Treatment> others = new LinkedHashMap<>(table);
    others.keySet().removeAll(excluded);
    assertThat(model.ratio("t0", "t1")).isEqualTo(model(others).ratio("t0", "t1"));
    assertThat(model.ratio("t0", "t4")).isPresent().isEqualTo(model(table).ratio("t0", "t4"));
    assertThat(model.verdicts("t0", List.of("t1", "t2", "t3"), 1)).hasSize(3);
  }

  private static double[] differences(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> Math.log(b[i] / a[i])).toArray();
  }

  @Test
  void twoTreatmentsAreThePairedTTestAndOneBlockHasNoInterval() {
    Map<String, Treatment> two = table(new Random(7), 2, 0.05);
    Estimate paired =
        Contrast.ofMean(differences(two.get("t0").values(), two.get("t1").values()))
            .estimate(0.95, 1, "")
            .exp();
    Estimate found = model(two).ratio("t0", "t1").orElseThrow();
    assertThat(found.low()).isCloseTo(paired.low(), within(1e-9));
    assertThat(found.high()).isCloseTo(paired.high(), within(1e-9));
    Map<String, Treatment> once = new LinkedHashMap<>();
    once.put("a", new Treatment(Map.of("path", "a"), Map.of("1", 100.0)));
    once.put("b", new Treatment(Map.of("path", "b"), Map.of("1", 150.0)));
    Estimate seenOnce = model(once).ratio("a", "b").orElseThrow();
    assertThat(seenOnce.hasInterval()).isFalse();
    assertThat(seenOnce.value()).isCloseTo(1.5, within(1e-9));
    assertThat(model(once).verdicts("b", List.of("a"), 1)).isEmpty();
  }

  @Test
  void aRunWithAFailedTrialStillRanksByAllItsBlocks() {
    RunRecord run =
        MadeUpRun.of(
                Fixture.withTail(
                    """
                    factors: {path: [put, put-all], backups: [0, 1, 2]}
                    blocks: 5
                    """),
                Fixture.CATALOGUE)
            .load(
                runs,
                trial ->
                    trial.block() == 1
                            && trial.path().equals("put-all")
                            && trial.settings().number("backups") == 2
                        ? 0
                        : 1000 * (1 + 0.2 * trial.block()));
    assertThat(run.counting()).anyMatch(t -> t.outcome() == TrialRecord.Outcome.FAILED);
    Ranking ranking = Rankings.of(run).get(0);
    for (Ranking.Row row : ranking.rows()) {
      row.ratio()
          .ifPresent(
              ratio -> {
                assertThat(ratio.value()).as(row.label()).isBetween(0.97, 1.03);
                assertThat(ratio.halfWidth() / ratio.value()).isLessThan(0.04);
              });
    }
    assertThat(new RankingFindings(run, List.of(ranking)).answer().recommended().get(0).alike())
        .isNotEmpty();
  }
}
