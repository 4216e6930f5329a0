package io.pyrometer.analysis.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.steady.Pelt.Segment;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
  private static final double[] SERIES =
      Golden.column(Golden.csv("/golden/warm-up-series.csv"), "throughput");
  private static final JsonNode EXPECTED = Golden.json("warm-up-expected.json");

  @Test
  void mser5CutsTheGoldenSeries() {
    Mser5 mser5 = Mser5.of(SERIES);
    assertThat(mser5.truncation()).isEqualTo(230);
    assertThat(mser5.statistic()).isCloseTo(EXPECTED.get("mser5_stat").asDouble(), within(1e-7));
    assertThat(mser5.settled()).isTrue();
    assertThat(Samples.mean(Arrays.copyOfRange(SERIES, 230, 600)))
        .isCloseTo(EXPECTED.get("mean_after").asDouble(), within(1e-9));
    assertThat(Samples.mean(SERIES)).isCloseTo(EXPECTED.get("mean_all").asDouble(), within(1e-9));
  }

  @Test
  void peltSplitsTheGoldenSeries() {
    List<Segment> segments = Pelt.segments(SERIES);
    JsonNode expected = EXPECTED.get("pelt_meanvar").get("segments");
    assertThat(segments).hasSize(expected.size());
    for (int i = 0; i < segments.size(); i++) {
      double[] row = Golden.array(expected.get(i));
      assertThat(segments.get(i).from()).isEqualTo((int) row[0]);
      assertThat(segments.get(i).to()).isEqualTo((int) row[1]);
      assertThat(segments.get(i).mean()).isCloseTo(row[2], Golden.relative(row[2], 1e-12));
      assertThat(segments.get(i).variance()).isCloseTo(row[3], Golden.relative(row[3], 1e-10));
    }
    double objective =
        EXPECTED.get("pelt_meanvar").get("objective_sum_cost_plus_pen_per_cp").asDouble();
    assertThat(Pelt.objective(SERIES, segments)).isCloseTo(objective, within(1e-7));
  }

  @Test
  void thePenaltyIsFifteenTimesTheLogarithmOfTheLength() {
    assertThat(15 * Math.log(SERIES.length))
        .isCloseTo(EXPECTED.get("pelt_meanvar").get("penalty").asDouble(), within(1e-10));
  }

  /**
   * The vectors also hold a segmentation by the mean alone. Pyrometer does not make one, as it
   * takes a quieter second half for the same state; worked out here, it ends in the same steady
   * part as MSER-5.
   */
  @Test
  void byTheMeanAloneTheSeriesFallsIntoNineParts() {
    JsonNode expected = EXPECTED.get("pelt_l2_scaled");
    double[] steps =
        IntStream.range(1, SERIES.length)
            .mapToDouble(i -> Math.abs(SERIES[i] - SERIES[i - 1]))
            .toArray();
    double sigma = Samples.median(steps) / 0.6744897501960817 / Math.sqrt(2);
    assertThat(sigma).isCloseTo(expected.get("sigma_mad_diff").asDouble(), within(1e-9));
    double penalty = 3 * Math.log(SERIES.length);
    assertThat(penalty).isCloseTo(expected.get("penalty").asDouble(), within(1e-10));
    List<Integer> ends =
        byMeans(
            Arrays.stream(SERIES).map(x -> x / sigma).toArray(),
            penalty,
            expected.get("min_size").asInt());
    double[] golden = Golden.array(expected.get("changepoints_end_exclusive"));
    assertThat(ends).hasSize(golden.length);
    for (int i = 0; i < golden.length; i++) {
      assertThat(ends.get(i)).isEqualTo((int) golden[i]);
    }
    assertThat(ends.get(ends.size() - 2)).isEqualTo(Mser5.of(SERIES).truncation());
  }

  /** The ends of the segments of least squares around their means, by trying all. */
  private static List<Integer> byMeans(double[] x, double penalty, int shortest) {
    int n = x.length;
    double[] sum = new double[n + 1];
    double[] squares = new double[n + 1];
    for (int i = 0; i < n; i++) {
      sum[i + 1] = sum[i] + x[i];
      squares[i + 1] = squares[i] + x[i] * x[i];
    }
    double[] best = new double[n + 1];
    int[] from = new int[n + 1];
    Arrays.fill(best, Double.POSITIVE_INFINITY);
    best[0] = -penalty;
    for (int to = shortest; to <= n; to++) {
      for (int at = 0; at <= to - shortest; at++) {
        double mean = sum[to] - sum[at];
        double cost = squares[to] - squares[at] - mean * mean / (to - at);
        if (best[at] + cost + penalty < best[to]) {
          best[to] = best[at] + cost + penalty;
          from[to] = at;
        }
      }
    }
    LinkedList<Integer> ends = new LinkedList<>();
    for (int end = n; end > 0; end = from[end]) {
      ends.addFirst(end);
    }
    return ends;
  }

  @Property(tries = 60, seed = "2026")
  void pruningLosesNothing(@ForAll long seed, @ForAll @IntRange(min = 4, max = 60) int n) {
    Random random = new Random(seed);
    double[] levels = random.doubles(4, 0, 400).toArray();
    double[] samples =
        IntStream.range(0, n).mapToDouble(i -> levels[4 * i / n] + random.nextGaussian()).toArray();
    assertThat(Pelt.objective(samples, Pelt.segments(samples)))
        .isCloseTo(leastByTryingAll(samples), within(1e-6));
  }

  private static double leastByTryingAll(double[] samples) {
    int n = samples.length;
    double penalty = 15 * Math.log(n);
    double[] best = new double[n + 1];
    Arrays.fill(best, Double.POSITIVE_INFINITY);
    best[0] = -penalty;
    for (int to = 2; to <= n; to++) {
      for (int from = 0; from <= to - 2; from++) {
        double cost = Pelt.objective(samples, List.of(new Segment(from, to, 0, 0)));
        best[to] = Math.min(best[to], best[from] + cost + penalty);
      }
    }
    return best[n];
  }

  private static double[] series(int n, IntToDoubleFunction level) {
    Random random = new Random(7);
    return IntStream.range(0, n)
        .mapToDouble(i -> level.applyAsDouble(i) * (1 + 0.02 * random.nextGaussian()))
        .toArray();
  }

  @Test
  void theGoldenSeriesWarmsUpAndSettles() {
    SteadyState state = SteadyState.of(SERIES);
    assertThat(state.settled()).isTrue();
    assertThat(state.truncation()).isEqualTo(230);
  }

  @Test
  void aFlatSeriesIsSteadyFromItsStart() {
    SteadyState state = SteadyState.of(series(300, i -> 1000));
    assertThat(state.settled()).isTrue();
    assertThat(state.truncation()).isLessThan(150);
  }

  @Test
  void aSeriesThatStillRisesNeverSettles() {
    SteadyState state = SteadyState.of(series(300, i -> 1000 + 10 * i));
    assertThat(state.settled()).isFalse();
  }

  @Test
  void aJumpInTheSecondHalfNeverSettles() {
    assertThat(SteadyState.of(series(300, i -> i < 220 ? 1000 : 1300)).settled()).isFalse();
  }

  @Test
  void aFallThatHoldsIsCutOff() {
    SteadyState state = SteadyState.of(series(300, i -> i < 60 ? 2000 : 1000));
    assertThat(state.truncation()).isBetween(60, 100);
  }

  private static double unsettled(int n, int trials, ToSeries series) {
    Random random = new Random(17);
    int unsettled = 0;
    for (int trial = 0; trial < trials; trial++) {
      unsettled += SteadyState.of(series.of(n, random)).settled() ? 0 : 1;
    }
    return unsettled / (double) trials;
  }

  private interface ToSeries {
    double[] of(int n, Random random);
  }

  @Tag("simulation")
  @Test
  void flatSeriesAreSeldomCalledUnsettled() {
    for (int n : new int[] {60, 100, 200}) {
      assertThat(
              unsettled(
                  n, 150, (m, r) -> r.doubles(m).map(u -> 1000 + 50 * r.nextGaussian()).toArray()))
          .isLessThan(0.04);
    }
  }

  @Tag("simulation")
  @Test
  void seriesWhoseNeighboursResembleEachOtherAreSeldomCalledUnsettled() {
    assertThat(unsettled(120, 150, (n, r) -> autocorrelated(n, 0.5, r))).isLessThan(0.06);
  }

  private static double[] autocorrelated(int n, double rho, Random random) {
    double[] samples = new double[n];
    double e = 0;
    for (int i = 0; i < n; i++) {
      e = rho * e + 30 * random.nextGaussian();
      samples[i] = 1000 + e;
    }
    return samples;
  }

  @Test
  void onePauseInFiveSecondsUnsettlesNothing() {
    assertThat(
            unsettled(
                150,
                150,
                (n, r) -> {
                  double[] samples = r.doubles(n).map(u -> 1000 + 30 * r.nextGaussian()).toArray();
                  for (int i = r.nextInt(50); i < n; i += 50) {
                    samples[i] *= 0.1;
                  }
                  return samples;
                }))
        .isLessThan(0.05);
  }

  @Test
  void aSeriesThatMovesBetweenTwoLevelsSeldomSettles() {
    assertThat(
            unsettled(
                200,
                150,
                (n, r) -> {
                  double level = 1000;
                  double[] samples = new double[n];
                  for (int i = 0; i < n; i++) {
                    level = r.nextInt(20) == 0 ? 2500 - level : level;
                    samples[i] = level + 20 * r.nextGaussian();
                  }
                  return samples;
                }))
        .isGreaterThan(0.8);
  }

  @Test
  void constantCountsAreSteadyNotAnError() {
    double[] constant = new double[100];
    Arrays.fill(constant, 5000);
    assertThat(SteadyState.of(constant).settled()).isTrue();
    assertThat(SteadyState.of(new double[100]).settled()).isTrue();
  }

  @Test
  void fewOrBrokenSamplesAreRefused() {
    assertThatThrownBy(() -> SteadyState.of(new double[39]))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("at least 40");
    double[] broken = SERIES.clone();
    broken[3] = Double.NaN;
    assertThatThrownBy(() -> SteadyState.of(broken)).isInstanceOf(BadDataException.class);
  }
}
