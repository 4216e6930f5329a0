package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The soak's test for a trend of the heap. */
class SoakTest {
  @Test
  void aTrendSmallerThanTheNoiseIsFoundAndNoiseAloneIsNot() {
    Random random = new Random(1);
    List<Double> noise = new ArrayList<>();
    List<Double> trend = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      noise.add(50e6 + 1e6 * random.nextGaussian());
      trend.add(50e6 + 1e6 * random.nextGaussian() + 0.4e6 * i);
    }
    assertThat(Soak.mannKendall(noise)).isLessThan(2.326);
    assertThat(Soak.mannKendall(trend)).isGreaterThan(2.326);
  }

  @Test
  void theSlopeIsThatOfALineDespiteAnOutlier() {
    List<Double> x = List.of(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0);
    List<Double> y = List.of(3.0, 5.0, 7.0, 90.0, 11.0, 13.0, 15.0);
    assertThat(Soak.slope(x, y)).isCloseTo(2, within(0.01));
  }
}
