package io.pyrometer.analysis.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import io.pyrometer.analysis.tuning.TuningSearch.Stage;
import io.pyrometer.analysis.tuning.TuningSearch.Step;
import io.pyrometer.analysis.tuning.TuningSpace.Knob;
import io.pyrometer.analysis.tuning.TuningSpace.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TuningSearchTest {
  private static final int TRIALS = 60;

  private static Knob knob(int levels, boolean ordered, int initial) {
    return new Knob("k", levels, ordered, initial, Optional.empty());
  }

  private static TuningSpace space(Knob... knobs) {
    return new TuningSpace(List.of(knobs), x -> true);
  }

  /** Ends when the search does; a response that is not a number is a failed trial. */
  private static List<Measured> run(
      TuningSearch search, double noise, ToDoubleFunction<List<Integer>> response) {
    return run(search, noise, 0, response);
  }

  private static List<Measured> run(
      TuningSearch search, double noise, int repeats, ToDoubleFunction<List<Integer>> response) {
    Random random = new Random(5);
    return SimulatedSearch.run(
        search,
        repeats,
        step -> {
          double truth = response.applyAsDouble(step.configuration());
          return Double.isNaN(truth) ? truth : truth + noise * random.nextGaussian();
        });
  }

  private static List<Measured> of(List<Measured> history, Stage stage) {
    return history.stream().filter(each -> each.step().stage() == stage).toList();
  }

  @Test
  void mainEffectsOfTheScreeningAreClearOfEachOtherAndOfPairs() {
    for (int knobs : new int[] {2, 5, 8, 11, 16}) {
      TuningSpace space =
          new TuningSpace(
              IntStream.range(0, knobs).mapToObj(i -> knob(2, false, 0)).toList(), x -> true);
      TuningSearch search = new TuningSearch(space, 1, 128);
      List<List<Integer>> design =
          screening(search).stream().skip(1).map(each -> each.configuration()).toList();
      assertThat(design).hasSize(search.sizes().design());
      for (int a = 0; a < knobs; a++) {
        assertThat(sum(design, a)).as("%d of %d", a, knobs).isZero();
        for (int b = 0; b < a; b++) {
          assertThat(sum(design, a, b)).isZero();
          for (int c = 0; c < b; c++) {
            assertThat(sum(design, a, b, c)).isZero();
          }
        }
      }
    }
  }

  /** The trials before the search models anything. */
  private static List<Measured> screening(TuningSearch search) {
    List<Measured> history = new ArrayList<>();
    for (Step step = search.next(history, 0).orElseThrow();
        step.stage() == Stage.SCREENING;
        step = search.next(history, 0).orElseThrow()) {
      history.add(new Measured(step, OptionalDouble.of(0.1 * step.configuration().get(0))));
    }
    return history;
  }

  private static int sum(List<List<Integer>> design, int... knobs) {
    return design.stream()
        .mapToInt(
            row -> IntStream.of(knobs).map(k -> 2 * row.get(k) - 1).reduce(1, (x, y) -> x * y))
        .sum();
  }

  @Test
  void theNextTrialFollowsFromTheHistoryAlone() {
    TuningSpace space = space(knob(4, true, 1), knob(3, false, 0), knob(2, false, 0));
    ToDoubleFunction<List<Integer>> response = x -> 0.05 * x.get(0) - 0.1 * x.get(1);
    List<Measured> whole = run(new TuningSearch(space, 3, TRIALS), 0.02, response);
    for (int n = 0; n < whole.size(); n++) {
      assertThat(new TuningSearch(space, 3, TRIALS).next(whole.subList(0, n), 0))
          .contains(whole.get(n).step());
    }
  }

  @Test
  void repeatsOfDisturbedTrialsShortenTheSearchAndNothingElse() {
    TuningSpace space = space(knob(5, true, 1), knob(5, false, 0), knob(5, false, 0));
    ToDoubleFunction<List<Integer>> response = x -> 0.05 * x.get(0) - 0.1 * x.get(1);
    List<Measured> whole = run(new TuningSearch(space, 3, TRIALS), 0.1, response);
    List<Measured> shortened = run(new TuningSearch(space, 3, TRIALS), 0.1, 10, response);
    int searched = of(whole, Stage.SEARCH).size();
    assertThat(searched).isGreaterThan(10);
    assertThat(of(shortened, Stage.SEARCH)).hasSize(searched - 10);
    for (Stage stage : List.of(Stage.SCREENING, Stage.RACE, Stage.CONFIRMATION)) {
      assertThat(of(shortened, stage)).hasSameSizeAs(of(whole, stage));
    }
  }

  @Test
  void theConfirmationIsInterleavedAndItsTrialsAloneMakeTheGain() {
    TuningSpace space = space(knob(4, true, 0), knob(2, false, 0));
    TuningSearch search = new TuningSearch(space, 1, TRIALS);
    List<Measured> history = run(search, 0.01, x -> 0.1 * x.get(0));
    TuningOutcome outcome = TuningOutcome.of(search, history).orElseThrow();
    assertThat(outcome.contenders()).hasSize(3).startsWith(List.of(0, 0));
    assertThat(outcome.contenders().get(1).get(0)).isEqualTo(3);
    List<Measured> confirmed = of(history, Stage.CONFIRMATION);
    assertThat(confirmed).hasSize(3 * search.sizes().blocks());
    for (int block = 0; block < search.sizes().blocks(); block++) {
      assertThat(
              confirmed.subList(3 * block, 3 * block + 3).stream()
                  .map(each -> each.configuration()))
          .containsExactlyInAnyOrderElementsOf(outcome.contenders());
    }
    List<Measured> searchedDifferently =
        history.stream()
            .map(
                each ->
                    each.step().stage() == Stage.CONFIRMATION
                        ? each
                        : new Measured(
                            each.step(), OptionalDouble.of(each.response().orElseThrow() * 1.01)))
            .toList();
    assertThat(TuningOutcome.of(search, searchedDifferently).orElseThrow().gains().get(0))
        .isEqualTo(outcome.gains().get(0));
    Estimate gain = outcome.gains().get(0).orElseThrow();
    assertThat(gain.value()).isCloseTo(Math.exp(0.3), within(0.05));
  }

  @Test
  void configurationsThatFailAreAvoidedAndNotFatal() {
    TuningSpace space = space(knob(4, true, 0), knob(4, true, 0), knob(2, false, 0));
    TuningSearch search = new TuningSearch(space, 1, TRIALS);
    ToDoubleFunction<List<Integer>> response =
        x -> x.get(0) + x.get(1) > 3 ? Double.NaN : 0.1 * x.get(0) + 0.07 * x.get(1);
    List<Measured> history = run(search, 0.05, response);
    TuningOutcome outcome = TuningOutcome.of(search, history).orElseThrow();
    assertThat(of(history, Stage.SCREENING)).anyMatch(each -> each.failed());
    assertThat(of(history, Stage.CONFIRMATION)).allMatch(each -> each.response().isPresent());
    assertThat(response.applyAsDouble(outcome.contenders().get(1))).isGreaterThan(0.25);
    long failed = history.stream().filter(each -> each.failed()).count();
    assertThat(failed).isLessThan(history.size() / 4);
  }

  @Test
  void theSearchEndsWhereEachConfigurationOfASmallSpaceIsKnown() {
    TuningSpace space = space(knob(2, false, 0), knob(3, true, 0), knob(2, false, 0));
    TuningSearch search = new TuningSearch(space, 3, TRIALS);
    List<Measured> searched =
        of(run(search, 0, x -> 0.2 * x.get(0) + 0.1 * x.get(1) - 0.3 * x.get(2)), Stage.SEARCH);
    assertThat(searched.size()).isLessThan(search.sizes().search());
  }

  @Test
  void aSearchEndsWhereTheDefaultFails() {
    List<Measured> history =
        run(new TuningSearch(space(knob(2, false, 0)), 1, TRIALS), 0.01, x -> Double.NaN);
    assertThat(history).hasSize(1);
  }

  @Test
  void constraintsHoldForEveryTrial() {
    TuningSpace space =
        new TuningSpace(
            List.of(knob(4, true, 0), knob(4, true, 0), knob(3, false, 0)),
            x -> x.get(0) + x.get(1) <= 3);
    List<Measured> history =
        run(new TuningSearch(space, 1, TRIALS), 0.01, x -> 0.1 * (x.get(0) + x.get(1)));
    assertThat(history).allMatch(m -> m.configuration().get(0) + m.configuration().get(1) <= 3);
  }

  @Test
  void knobsWithoutEffectStayAtTheirDefault() {
    Knob dependent = new Knob("d", 3, true, 1, Optional.of(new Needs(0, Set.of(1))));
    TuningSpace space = space(knob(2, false, 0), dependent, knob(3, true, 0));
    List<Measured> history =
        run(new TuningSearch(space, 1, TRIALS), 0.01, x -> 0.1 * x.get(0) + 0.02 * x.get(1));
    assertThat(history)
        .allMatch(each -> each.configuration().get(0) == 1 || each.configuration().get(1) == 1);
  }

  @Test
  void tooFewTrialsAreRefusedWithTheNumberThatIsNeeded() {
    assertThatThrownBy(() -> new TuningSearch(space(knob(2, false, 0), knob(2, false, 0)), 1, 10))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("10 ");
  }

  @Test
  void aQuarterOfTheSearchIsDrawnAtRandomFromWhatWasNotMeasured() {
    TuningSpace space =
        space(knob(5, true, 0), knob(5, true, 2), knob(5, true, 0), knob(5, true, 0));
    TuningSearch search = new TuningSearch(space, 3, TRIALS);
    List<Measured> history = run(search, 0.01, x -> 0.1 * x.get(0));
    List<Measured> searched = of(history, Stage.SEARCH);
    int before = history.indexOf(searched.get(0));
    for (int i = 3; i < searched.size(); i += 4) {
      List<Integer> drawn = searched.get(i).configuration();
      assertThat(history.subList(0, before + i))
          .noneMatch(each -> each.configuration().equals(drawn));
    }
    assertThat(search.explained(history).orElseThrow()).isGreaterThan(0.5);
  }

  @Test
  void noBoundIsGivenWhereTheModelPredictsNothing() {
    TuningSpace space =
        space(knob(5, true, 0), knob(5, true, 2), knob(5, true, 0), knob(5, true, 0));
    TuningSearch search = new TuningSearch(space, 3, TRIALS);
    List<Measured> history = run(search, 0.05, x -> 0.0);
    TuningOutcome outcome = TuningOutcome.of(search, history).orElseThrow();
    assertThat(search.explained(history).orElseThrow()).isLessThan(0.5);
    assertThat(outcome.possible()).isEmpty();
  }

  /** Seeds are fixed, so that it cannot fail by chance. */
  @Tag("simulation")
  @Test
  void aBoundThatIsStatedHoldsOnSurfacesThatContradictTheModel() {
    List<SimulatedSearch> all =
        List.of(SimulatedSurface.Family.NEEDLE_6, SimulatedSurface.Family.PLATEAUS_8).stream()
            .flatMap(family -> TuningSimulation.searches(family, 0.03, 5, 0).stream())
            .toList();
    assertThat(all).filteredOn(each -> !each.withinBound()).hasSizeLessThanOrEqualTo(1);
  }

  /**
   * A small version of {@link TuningSimulation}; seeds are fixed, so that it cannot fail by chance.
   */
  @Tag("simulation")
  @Test
  void aFewSimulatedSearchesComeCloseToTheBest() {
    List<SimulatedSearch> all =
        List.of(
                SimulatedSurface.Family.ADDITIVE_8,
                SimulatedSurface.Family.CLIFF_8,
                SimulatedSurface.Family.INTERACTING_8)
            .stream()
            .flatMap(family -> TuningSimulation.searches(family, 0.03, 3, 0).stream())
            .toList();
    assertThat(all).allMatch(each -> each.trials() <= 128);
    assertThat(all).filteredOn(each -> each.regret() <= 0.05).hasSizeGreaterThanOrEqualTo(8);
    double mean = all.stream().mapToDouble(SimulatedSearch::regret).average().orElseThrow();
    double random = all.stream().mapToDouble(SimulatedSearch::randomRegret).average().orElseThrow();
    assertThat(mean).isLessThan(random / 2);
  }
}
