package io.pyrometer.analysis.changepoint;

import static io.pyrometer.analysis.Golden.array;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Golden;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryTest {
  private static final JsonNode GOLDEN = Golden.json("change-points.json");

  @ParameterizedTest
  @ValueSource(strings = {"otava_seq14", "otava_20"})
  void theFirstCandidateIsThatOfTheVectors(String set) {
    JsonNode golden = GOLDEN.get(set);
    double[] series = array(golden.get("series"));
    Energy.Split best = new Energy(series).best(0, series.length);
    assertThat(best.index()).isEqualTo(golden.get("first_candidate_index").asInt());
    double q = golden.get("first_qhat").asDouble();
    assertThat(best.q()).isCloseTo(q, Golden.relative(q, 1e-12));
    assertThat(best.end()).isEqualTo(series.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"otava_seq14", "otava_20"})
  void theChangesAreThoseOfTheVectors(String set) {
    double[] series = array(GOLDEN.get(set).get("series"));
    JsonNode expected = GOLDEN.get(set).get("cps");
    List<Integer> indices = History.indices(series, ChangeRule.DEFAULT);
    assertThat(indices).hasSize(expected.size());
    for (int i = 0; i < indices.size(); i++) {
      JsonNode row = expected.get(i);
      int from = i == 0 ? 0 : indices.get(i - 1);
      int to = i + 1 == indices.size() ? series.length : indices.get(i + 1);
      PooledT.Side before = History.side(series, from, indices.get(i));
      PooledT.Side after = History.side(series, indices.get(i), to);
      assertThat(indices.get(i)).isEqualTo(row.get("index").asInt());
      assertThat(before.mean()).isCloseTo(row.get("mean_1").asDouble(), within(1e-12));
      assertThat(after.mean()).isCloseTo(row.get("mean_2").asDouble(), within(1e-12));
      // The vectors divide the variance by n where the test asks for n−1, so their p is too small.
      PooledT.Side narrowBefore = dividedByN(before);
      PooledT.Side narrowAfter = dividedByN(after);
      assertThat(Math.sqrt(narrowBefore.variance()))
          .isCloseTo(row.get("std_1").asDouble(), within(1e-12));
      assertThat(Math.sqrt(narrowAfter.variance()))
          .isCloseTo(row.get("std_2").asDouble(), within(1e-12));
      double p = row.get("pvalue").asDouble();
      assertThat(PooledT.p(narrowBefore, narrowAfter)).isCloseTo(p, Golden.relative(p, 1e-6));
      assertThat(PooledT.p(before, after)).isBetween(p, 10 * p);
    }
  }

  private static PooledT.Side dividedByN(PooledT.Side side) {
    return new PooledT.Side(side.mean(), side.variance() * (side.n() - 1) / side.n(), side.n());
  }

  private static double[] series(long seed, int n, double spread, IntToDoubleFunction level) {
    Random random = new Random(seed);
    return IntStream.range(0, n)
        .mapToDouble(i -> level.applyAsDouble(i) * Math.exp(spread * random.nextGaussian()))
        .toArray();
  }

  private static History history(double[] series) {
    List<String> labels = IntStream.range(0, series.length).mapToObj(i -> "v" + i).toList();
    return History.of(series, labels, "throughput", ChangeRule.DEFAULT);
  }

  @Test
  void aDropOfTenPercentIsFoundAndToldInWords() {
    History found = history(series(1, 40, 0.02, i -> i < 25 ? 1.0 : 0.9));
    assertThat(found.points()).hasSize(1);
    assertThat(found.points().get(0).index()).isEqualTo(25);
    assertThat(found.points().get(0).ratio().contains(0.9)).isTrue();
    assertThat(found.findings().get(0).sentence()).startsWith("From v25 on throughput is −");
  }

  @Test
  void aDipAndItsRecoveryAreTwoChanges() {
    History found = history(series(2, 60, 0.02, i -> i >= 20 && i < 35 ? 0.8 : 1));
    assertThat(found.points()).extracting(ChangePoint::index).containsExactly(20, 35);
  }

  @Test
  void aChangeTooSmallToMatterIsTakenBack() {
    assertThat(history(series(3, 60, 0.005, i -> i < 30 ? 1 : 0.97)).points()).isEmpty();
  }

  @Test
  void independentRunsGiveFewFalseChanges() {
    int alarms = 0;
    for (int seed = 0; seed < 400; seed++) {
      alarms += history(series(seed, 50, 0.04, i -> 1)).points().isEmpty() ? 0 : 1;
    }
    assertThat(alarms / 400.0).isLessThan(0.05);
  }

  private static List<double[]> runs(
      Random random, int n, double runSd, double noise, IntToDoubleFunction level) {
    return IntStream.range(0, n)
        .mapToObj(
            i -> {
              double run = level.applyAsDouble(i) * Math.exp(runSd * random.nextGaussian());
              return IntStream.range(0, 5)
                  .mapToDouble(b -> 1000 * run * Math.exp(noise * random.nextGaussian()))
                  .toArray();
            })
        .toList();
  }

  private static History ofRuns(List<double[]> runs, int figures) {
    List<String> labels = IntStream.range(0, runs.size()).mapToObj(i -> "v" + i).toList();
    return History.ofRuns(runs, labels, "throughput", ChangeRule.OF_RUNS, figures);
  }

  @Test
  void twoRunsBeforeAndTwoAfterShowAFifthLess() {
    Random random = new Random(12);
    int found = 0;
    for (int trial = 0; trial < 100; trial++) {
      found +=
          ofRuns(runs(random, 4, 0, 0.02, i -> i < 2 ? 1 : 0.8), 1).points().size() == 1 ? 1 : 0;
    }
    assertThat(found).isGreaterThan(90);
  }

  @Test
  void aSlowTrendIsToldAsOne() {
    History found = ofRuns(runs(new Random(13), 10, 0.005, 0.02, i -> 1 - 0.02 * i), 1);
    assertThat(found.findings().get(0).sentence()).containsAnyOf("drifts", "From v");
  }

  @Test
  void noChangeIsSaidWithWhatWouldHaveBeenSeen() {
    History found = ofRuns(runs(new Random(14), 6, 0.02, 0.03, i -> 1), 1);
    assertThat(found.points()).isEmpty();
    assertThat(found.findings().get(0).sentence())
        .startsWith(
            "No lasting change of throughput by 5 % or more was found over 6 runs; at this spread of runs a change of ")
        .endsWith(" in the middle would be found in 95 of 100 cases.");
    assertThat(found.visible().orElseThrow()).isBetween(0.05, 0.6);
  }

  /** What the sentence promises, taken at its word: a change of that size is found. */
  @Test
  void theChangeThatIsSaidToBeVisibleIsFoundInAboutThatManyCases() {
    Random random = new Random(16);
    double runSd = 0.02;
    List<Double> promised = new ArrayList<>();
    for (int trial = 0; trial < 200; trial++) {
      promised.add(ofRuns(runs(random, 8, runSd, 0.02, i -> 1), 10).visible().orElseThrow());
    }
    Collections.sort(promised);
    // The promise is by the spread that was seen; its median is that of the true one.
    double size = promised.get(promised.size() / 2);
    int found = 0;
    for (int trial = 0; trial < 200; trial++) {
      History history = ofRuns(runs(random, 8, runSd, 0.02, i -> i < 4 ? 1 : 1 - size), 10);
      found += history.points().isEmpty() ? 0 : 1;
    }
    assertThat(found).isBetween(174, 198);
  }

  /** Two runs on each side that differ by chance from each other, as fresh runs do. */
  @Test
  void fewRunsThatDifferRaiseNoMoreFalseChangesThanAllowed() {
    Random random = new Random(17);
    int alarms = 0;
    for (int trial = 0; trial < 1000; trial++) {
      History history = ofRuns(runs(random, 4, 0.08, 0.08, i -> 1), 1);
      alarms += history.findings().get(0).severity() == Finding.Severity.NOTICE ? 1 : 0;
    }
    assertThat(alarms).isLessThanOrEqualTo(70);
  }

  @Test
  void runsThatDifferGiveFewFalseChangesOverManyFigures() {
    Random random = new Random(15);
    int alarms = 0;
    for (int trial = 0; trial < 40; trial++) {
      boolean any = false;
      for (int figure = 0; figure < 10; figure++) {
        any |= !ofRuns(runs(random, 8, 0.03, 0.03, i -> 1), 10).points().isEmpty();
      }
      alarms += any ? 1 : 0;
    }
    assertThat(alarms).isLessThanOrEqualTo(3);
  }

  @Test
  void shortOrConstantHistoriesAreNoErrors() {
    assertThat(history(new double[] {1, 2}).findings().get(0).kind())
        .isEqualTo(Finding.Kind.NOT_ENOUGH_RUNS);
    double[] constant = new double[20];
    Arrays.fill(constant, 3);
    assertThat(history(constant).points()).isEmpty();
    assertThatThrownBy(() -> history(new double[] {1, -2, 3, 4}))
        .isInstanceOf(BadDataException.class);
  }
}
