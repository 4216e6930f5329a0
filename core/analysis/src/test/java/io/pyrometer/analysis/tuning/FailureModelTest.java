package io.pyrometer.analysis.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.tuning.Surface.FailureModel;
import io.pyrometer.analysis.tuning.TuningSpace.Knob;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Four knobs with three levels each: the highest levels of the first two fail together. */
class FailureModelTest {
  private static final TuningSpace SPACE =
      new TuningSpace(
          IntStream.range(0, 4)
              .mapToObj(i -> new Knob("k" + i, 3, true, 0, Optional.empty()))
              .toList(),
          x -> true);

  private static boolean fails(List<Integer> configuration) {
    return configuration.get(0) == 2 && configuration.get(1) == 2;
  }

  private static FailureModel model(List<List<Integer>> at) {
    return new FailureModel(SPACE, at, at.stream().map(FailureModelTest::fails).toList());
  }

  private static List<List<Integer>> random(int count) {
    Random random = new Random(1);
    return IntStream.range(0, count).mapToObj(i -> random.ints(4, 0, 3).boxed().toList()).toList();
  }

  @Test
  void thePairThatFailsIsFoundAndTheOthersAreCleared() {
    FailureModel model = model(random(40));
    for (List<Integer> each : random(200)) {
      if (fails(each)) {
        assertThat(model.works(each)).as("%s", each).isLessThan(0.1);
      } else {
        assertThat(model.works(each)).as("%s", each).isGreaterThan(0.8);
      }
    }
  }

  @Test
  void aLevelThatWasTriedOnlyWithTheCauseIsNotBlamed() {
    List<List<Integer>> at =
        new ArrayList<>(random(60).stream().filter(x -> x.get(3) < 2).toList());
    assertThat(at).anyMatch(FailureModelTest::fails);
    at.add(List.of(2, 2, 0, 2));
    at.add(List.of(2, 2, 1, 2));
    assertThat(model(at).works(List.of(0, 1, 0, 2))).isGreaterThan(0.8);
  }

  @Test
  void drawsWorkAsOftenAsTheModelSays() {
    FailureModel model = model(random(12));
    Random random = new Random(2);
    for (List<Integer> each : List.of(List.of(2, 2, 1, 1), List.of(1, 2, 0, 1))) {
      long working = IntStream.range(0, 2000).filter(i -> model.draw(random).test(each)).count();
      assertThat(working / 2000.0).isCloseTo(model.works(each), within(0.04));
    }
  }
}
