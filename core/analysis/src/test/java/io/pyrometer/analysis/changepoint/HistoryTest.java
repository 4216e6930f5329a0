package io.pyrometer.analysis.changepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.changepoint.History.ChangePoint;
import io.pyrometer.analysis.changepoint.History.ChangeRule;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HistoryTest {
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

  @Tag("simulation")
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

  /** A change of the size that one history states is found in another of the same spread. */
  @Tag("simulation")
  @Test
  void theChangeThatIsSaidToBeVisibleIsFoundInAboutThatManyCases() {
    Random random = new Random(16);
    int found = 0;
    for (int trial = 0; trial < 400; trial++) {
      double size = ofRuns(runs(random, 8, 0.02, 0.02, i -> 1), 10).visible().orElseThrow();
      History history = ofRuns(runs(random, 8, 0.02, 0.02, i -> i < 4 ? 1 : 1 - size), 10);
      found += history.points().isEmpty() ? 0 : 1;
    }
    assertThat(found).isBetween(366, 394);
  }

  /** Two runs on each side that differ by chance from each other, as fresh runs do. */
  @Tag("simulation")
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

  @Tag("simulation")
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

  /** Half of the runs before and after a repaired loss look like the runs before it. */
  @Test
  void aRepairedRegressionIsTwoChangesWithTheIntervalsOfTheirNeighbours() {
    Random random = new Random(30);
    History found = ofRuns(runs(random, 30, 0.02, 0.02, i -> i < 10 || i >= 20 ? 1 : 0.7), 10);
    assertThat(found.points()).extracting(ChangePoint::index).containsExactly(10, 20);
    assertThat(found.points().get(0).ratio().value()).isCloseTo(0.7, within(0.03));
    assertThat(found.points().get(0).ratio().high()).isLessThan(0.75);
    assertThat(found.points().get(1).ratio().value()).isCloseTo(1 / 0.7, within(0.06));
    assertThat(found.points().get(1).ratio().low()).isGreaterThan(1.33);
    assertThat(found.findings().get(0).sentence()).startsWith("From v10 on throughput is −");
    assertThat(found.findings().get(1).sentence()).startsWith("From v20 on throughput is +");
  }

  @Test
  void theLevelsAreThoseOfTheNeighbouringSegments() {
    Random random = new Random(31);
    History found = ofRuns(runs(random, 18, 0, 0.01, i -> i < 6 ? 1 : i < 12 ? 0.8 : 0.5), 1);
    assertThat(found.points()).extracting(ChangePoint::index).containsExactly(6, 12);
    ChangePoint second = found.points().get(1);
    assertThat(second.before()).isCloseTo(800, within(10.0));
    assertThat(second.after()).isCloseTo(500, within(10.0));
    assertThat(second.ratio().value()).isCloseTo(second.after() / second.before(), within(1e-9));
    assertThat(second.ratio().contains(0.5 / 0.8)).isTrue();
  }

  @Tag("simulation")
  @Test
  void aRepairedRegressionIsFoundAndNoneIsInvented() {
    Random random = new Random(32);
    int found = 0;
    int alarms = 0;
    for (int trial = 0; trial < 200; trial++) {
      History repaired = ofRuns(runs(random, 30, 0.03, 0.03, i -> i < 10 || i >= 20 ? 1 : 0.8), 10);
      found += repaired.points().size() == 2 ? 1 : 0;
      History flat = ofRuns(runs(random, 30, 0.03, 0.03, i -> 1), 1);
      alarms += flat.findings().get(0).severity() == Finding.Severity.NOTICE ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(190);
    assertThat(alarms).isLessThanOrEqualTo(15);
  }

  @Test
  void oneSlowRunIsNoLastingChange() {
    Random random = new Random(21);
    for (int slow = 0; slow < 12; slow++) {
      int which = slow;
      for (int trial = 0; trial < 10; trial++) {
        List<double[]> runs = runs(random, 12, 0.02, 0.02, i -> i == which ? 0.5 : 1);
        assertThat(ofRuns(runs, 1).points()).isEmpty();
      }
    }
  }

  @Test
  void aChangeTooSmallToMatterIsNotReported() {
    Random random = new Random(3);
    assertThat(ofRuns(runs(random, 60, 0, 0.005, i -> i < 30 ? 1 : 0.97), 1).points()).isEmpty();
  }

  @Test
  void shortOrConstantHistoriesAreNoErrors() {
    History two = ofRuns(List.of(new double[] {1}, new double[] {2}), 1);
    assertThat(two.findings().get(0).kind()).isEqualTo(Finding.Kind.NOT_ENOUGH_RUNS);
    List<double[]> constant = IntStream.range(0, 20).mapToObj(i -> new double[] {3}).toList();
    assertThat(ofRuns(constant, 1).points()).isEmpty();
    List<double[]> negative = IntStream.range(-2, 2).mapToObj(i -> new double[] {i}).toList();
    assertThatThrownBy(() -> ofRuns(negative, 1)).isInstanceOf(BadDataException.class);
  }
}
