package io.pyrometer.analysis.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.steady.OrderEffect.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderEffectTest {
  private static final int TREATMENTS = 12;

  /** Treatments of very different speed in blocks of different speed, in random order. */
  private static List<Point> run(double first, double noise, int blocks, long seed) {
    Random random = new Random(seed);
    List<Point> points = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, TREATMENTS).boxed().toList());
      Collections.shuffle(order, random);
      double speed = Math.exp(0.3 * random.nextGaussian());
      for (int position = 1; position <= TREATMENTS; position++) {
        int treatment = order.get(position - 1);
        double cold = Math.exp(Math.log(first) / position);
        double value = 1_000 * Math.pow(2, treatment) * speed * cold;
        points.add(
            new Point(
                "t" + treatment, block, position, value * Math.exp(noise * random.nextGaussian())));
      }
    }
    return points;
  }

  private static Estimate found(double first, double noise, long seed) {
    return OrderEffect.firstAgainstLate(run(first, noise, 3, seed), 0.95).orElseThrow();
  }

  @Test
  void whatWasPlantedWithoutNoiseIsFoundExactly() {
    assertThat(found(0.5, 0, 1).value()).isCloseTo(0.5, org.assertj.core.data.Offset.offset(1e-9));
  }

  @Test
  void theIntervalHoldsWhatWasPlantedAsOftenAsItSays() {
    for (double first : new double[] {0.5, 1}) {
      long held =
          IntStream.range(0, 1_000).filter(seed -> found(first, 0.1, seed).contains(first)).count();
      assertThat(held).as("of 1,000 with %s", first).isBetween(930L, 970L);
    }
  }

  @Test
  void oneBlockTellsNothing() {
    assertThat(OrderEffect.firstAgainstLate(run(0.5, 0.1, 1, 1), 0.95)).isEmpty();
  }

  @Test
  void theSameOrderInEveryBlockTellsNothing() {
    List<Point> points = new ArrayList<>();
    for (int block = 0; block < 3; block++) {
      for (int position = 1; position <= 5; position++) {
        points.add(new Point("t" + position, block, position, 10 + position + block));
      }
    }
    assertThat(OrderEffect.firstAgainstLate(points, 0.95)).isEmpty();
  }
}
