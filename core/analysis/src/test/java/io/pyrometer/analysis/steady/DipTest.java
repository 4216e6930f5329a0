package io.pyrometer.analysis.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DipTest {
  private static final int EVENT = 50;

  /** Ten samples a second of a rate of 100, with {@code value} from one index to another. */
  private static double[] steady(int samples) {
    double[] values = new double[samples];
    Arrays.fill(values, 100);
    return values;
  }

  @Test
  void aStallOfTwoSecondsIsADipOfAllForTwoSecondsAndTheWindowsAtItsEnds() {
    double[] samples = steady(200);
    Arrays.fill(samples, EVENT, EVENT + 20, 0);
    Dip dip = Dip.after(samples, 0.1, EVENT);
    assertThat(dip.depth()).isEqualTo(1);
    assertThat(dip.seconds().orElseThrow()).isCloseTo(2.0, within(0.5));
    assertThat(dip.below()).isCloseTo(2.0, within(0.5));
  }

  @Test
  void aSecondStallIsPartOfTheDipButNotTheTimeBetween() {
    double[] samples = steady(200);
    Arrays.fill(samples, EVENT, EVENT + 10, 0);
    Arrays.fill(samples, EVENT + 60, EVENT + 70, 50);
    Dip dip = Dip.after(samples, 0.1, EVENT);
    assertThat(dip.depth()).isEqualTo(1);
    assertThat(dip.seconds().orElseThrow()).isCloseTo(7.0, within(0.5));
    assertThat(dip.below()).isCloseTo(2.0, within(0.9));
  }

  @Test
  void whatIsNotBackAtTheEndHasNoLength() {
    double[] samples = steady(120);
    Arrays.fill(samples, EVENT, 120, 60);
    Dip dip = Dip.after(samples, 0.1, EVENT);
    assertThat(dip.depth()).isCloseTo(0.4, within(1e-9));
    assertThat(dip.seconds()).isEmpty();
  }

  @Test
  void noiseThatWasThereBeforeIsNoDip() {
    double[] samples = steady(200);
    samples[20] = samples[21] = samples[22] = 0;
    samples[100] = samples[101] = samples[102] = 0;
    Dip dip = Dip.after(samples, 0.1, EVENT);
    assertThat(dip.depth()).isZero();
    assertThat(dip.seconds()).hasValue(0);
    assertThat(Dip.after(steady(200), 0.1, EVENT).depth()).isZero();
    Random random = new Random(5);
    double[] noisy = steady(400);
    Arrays.setAll(noisy, i -> 100 + 5 * random.nextGaussian());
    assertThat(Dip.after(noisy, 0.1, EVENT).depth()).isZero();
  }

  @Test
  void tooFewSamplesAreRefused() {
    assertThatThrownBy(() -> Dip.after(steady(100), 0.1, 9)).hasMessageContaining("10 samples");
    assertThatThrownBy(() -> Dip.after(steady(54), 0.1, EVENT)).hasMessageContaining("5 after");
  }
}
