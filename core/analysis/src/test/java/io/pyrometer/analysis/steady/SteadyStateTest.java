package io.pyrometer.analysis.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
  private static final double[] SERIES =
      Golden.column(Golden.csv("/golden/warm-up-series.csv"), "throughput");
  private static final JsonNode EXPECTED = Golden.json("warm-up-expected.json");

  @Test
  void mser5CutsTheGoldenSeries() {
    SteadyState.Mser5 mser5 = SteadyState.Mser5.of(SERIES);
    assertThat(mser5.truncation()).isEqualTo(230);
    assertThat(mser5.statistic()).isCloseTo(EXPECTED.get("mser5_stat").asDouble(), within(1e-7));
    assertThat(mser5.settled()).isTrue();
    assertThat(SteadyState.of(SERIES).settled()).isTrue();
    assertThat(SteadyState.of(SERIES).truncation()).isEqualTo(230);
    assertThat(Samples.mean(Arrays.copyOfRange(SERIES, 230, 600)))
        .isCloseTo(EXPECTED.get("mean_after").asDouble(), within(1e-9));
    assertThat(Samples.mean(SERIES)).isCloseTo(EXPECTED.get("mean_all").asDouble(), within(1e-9));
  }

  private static double[] series(int n, IntToDoubleFunction level) {
    Random random = new Random(7);
    return IntStream.range(0, n)
        .mapToDouble(i -> level.applyAsDouble(i) * (1 + 0.02 * random.nextGaussian()))
        .toArray();
  }

  @Test
  void aFlatSeriesIsSteadyAndOneThatStillRisesOrJumpsIsNot() {
    assertThat(SteadyState.of(series(300, i -> 1000)).settled()).isTrue();
    assertThat(SteadyState.of(series(300, i -> 1000)).truncation()).isLessThan(150);
    assertThat(SteadyState.of(series(300, i -> 1000 + 10 * i)).settled()).isFalse();
    assertThat(SteadyState.of(series(300, i -> i < 220 ? 1000 : 1300)).settled()).isFalse();
  }

  @Test
  void aFallThatHoldsIsCutOff() {
    SteadyState state = SteadyState.of(series(300, i -> i < 60 ? 2000 : 1000));
    assertThat(state.truncation()).isBetween(60, 100);
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
        .hasMessageContaining(" 40 ");
    double[] broken = SERIES.clone();
    broken[3] = Double.NaN;
    assertThatThrownBy(() -> SteadyState.of(broken)).isInstanceOf(BadDataException.class);
  }
}
