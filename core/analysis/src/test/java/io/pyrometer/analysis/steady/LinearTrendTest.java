package io.pyrometer.analysis.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinearTrendTest {

  /** A first-order process around a straight line of ln y. */
  private static double[] series(int n, double change, double rho, double noise, long seed) {
    Random random = new Random(seed);
    double state = noise * random.nextGaussian();
    double[] values = new double[n];
    for (int i = 0; i < n; i++) {
      state = rho * state + Math.sqrt(1 - rho * rho) * noise * random.nextGaussian();
      values[i] = 1_000 * Math.exp(change * i / (n - 1) + state);
    }
    return values;
  }

  private static int covered(
      IntToDoubleFunction truth, java.util.function.IntFunction<double[]> of) {
    return (int)
        IntStream.range(0, 1_000)
            .filter(i -> LinearTrend.endToBegin(of.apply(i), 0.95).contains(truth.applyAsDouble(i)))
            .count();
  }

  @Test
  void aLineWithoutNoiseIsItsOwnChange() {
    Estimate found = LinearTrend.endToBegin(series(30, Math.log(0.8), 0, 0, 1), 0.95);
    assertThat(found.value()).isCloseTo(0.8, within(1e-9));
    assertThat(found.replicates()).isEqualTo(30);
  }

  @ParameterizedTest
  @CsvSource({
    "30, 0", "30, 0.5", "60, 0", "60, 0.3", "60, 0.7",
  })
  void theIntervalHoldsTheTruthAlthoughNeighboursResembleEachOther(int slices, double rho) {
    assertThat(covered(i -> 1, i -> series(slices, 0, rho, 0.05, i))).isGreaterThanOrEqualTo(910);
    assertThat(covered(i -> 0.9, i -> series(slices, Math.log(0.9), rho, 0.05, 5_000 + i)))
        .isGreaterThanOrEqualTo(910);
  }

  /** A checkpoint every five slices that halves one of them. */
  @Test
  void aDisturbanceThatRecursIsNoTrend() {
    int held =
        covered(
            i -> 1,
            i -> {
              double[] values = series(60, 0, 0.3, 0.03, i);
              for (int slice = i % 5; slice < values.length; slice += 5) {
                values[slice] /= 2;
              }
              return values;
            });
    assertThat(held).isGreaterThanOrEqualTo(930);
  }

  @Test
  void fewSlicesOrOneWithoutAFigureAreRefused() {
    double[] gap = series(30, 0, 0, 0.01, 1);
    gap[7] = 0;
    assertThatThrownBy(() -> LinearTrend.endToBegin(gap, 0.95))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(" 29");
    assertThatThrownBy(() -> LinearTrend.endToBegin(series(29, 0, 0, 0.01, 1), 0.95))
        .isInstanceOf(BadDataException.class);
  }
}
