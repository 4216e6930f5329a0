package io.pyrometer.analysis.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.tuning.ResponseModel.Prediction;
import io.pyrometer.analysis.tuning.Surface.ResponseDraw;
import io.pyrometer.analysis.tuning.TuningSpace.Knob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hipparchus.stat.descriptive.StreamingStatistics;
import org.junit.jupiter.api.Test;

class ResponseDrawTest {
  private static final int DRAWS = 2000;

  /** The response depends on all three knobs together, so that every part of the model is used. */
  @Test
  void drawsHaveTheMeansAndSpreadsOfTheModel() {
    TuningSpace space =
        new TuningSpace(
            List.of(knob(4, true), knob(3, false), knob(2, false)), configuration -> true);
    Random random = new Random(1);
    List<List<Integer>> at = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      at.add(List.of(random.nextInt(4), random.nextInt(2), random.nextInt(2)));
    }
    double[] y =
        at.stream()
            .mapToDouble(
                x ->
                    0.1 * x.get(0)
                        + 0.3 * x.get(0) * x.get(1) * (x.get(2) - 0.5)
                        + 0.03 * random.nextGaussian())
            .toArray();
    ResponseModel model = ResponseModel.fit(space, at, y);
    assertThat(model.varianceOfAll()).isGreaterThan(ResponseModel.SMALLEST);
    List<ResponseDraw> draws = new ArrayList<>();
    for (int i = 0; i < DRAWS; i++) {
      draws.add(new ResponseDraw(model, random));
    }
    List<Integer> from = List.of(0, 0, 0);
    for (List<Integer> of : List.of(List.of(3, 1, 1), List.of(2, 2, 0), List.of(1, 0, 1))) {
      Prediction expected = model.difference(of, from);
      StreamingStatistics drawn = new StreamingStatistics();
      draws.forEach(draw -> drawn.addValue(draw.at(of) - draw.at(from)));
      assertThat(drawn.getMean())
          .isCloseTo(expected.mean(), within(4 * expected.sd() / Math.sqrt(DRAWS)));
      assertThat(drawn.getStandardDeviation() / expected.sd()).isCloseTo(1, within(0.08));
    }
  }

  /** Noise of 20 % hides effects of a few percent, which a bound on the best must allow for. */
  @Test
  void aVarianceThatIsEstimatedAtItsLeastIsNotHeldToBeKnown() {
    TuningSpace space =
        new TuningSpace(List.of(knob(2, false), knob(2, false)), configuration -> true);
    List<List<Integer>> at = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      at.add(List.of(i % 2, i / 2 % 2));
    }
    int open = 0;
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      double[] y = at.stream().mapToDouble(x -> 0.2 * random.nextGaussian()).toArray();
      ResponseModel model = ResponseModel.fit(space, at, y);
      double least = Math.pow(0.01, 2);
      if (model.variance(0) < least) {
        open++;
        assertThat(model.redrawn(40, random))
            .filteredOn(drawn -> drawn.variance(0) > least)
            .hasSizeBetween(20, 40);
      }
    }
    assertThat(open).as("seeds that hide the effect").isGreaterThan(3);
  }

  private static Knob knob(int levels, boolean ordered) {
    return new Knob("k", levels, ordered, 0, Optional.empty());
  }
}
