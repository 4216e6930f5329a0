package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Treatment;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ComparisonsTest {
  private static final Subject SUBJECT = new Subject("throughput", "ops/s", "put", "put-all");
  private static final double[] BASE = {100, 104, 98, 101, 97};

  private static double[] times(double[] values, double... factors) {
    double[] result = values.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] *= factors[i % factors.length];
    }
    return result;
  }

  private static Comparison paired(double... factors) {
    return Comparisons.paired(SUBJECT, BASE, times(BASE, factors), ComparisonRule.HIGHER_IS_BETTER);
  }

  @Test
  void anIntervalWhollyBeyondTheMarginIsBetterOrWorse() {
    assertThat(paired(1.2, 1.21, 1.19).verdict()).isEqualTo(Verdict.BETTER);
    assertThat(paired(0.8, 0.81, 0.79).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(paired(0.8, 0.81, 0.79).finding().severity()).isEqualTo(Finding.Severity.WARNING);
  }

  @Test
  void lessLatencyIsBetter() {
    Comparison comparison =
        Comparisons.paired(SUBJECT, BASE, times(BASE, 0.8, 0.81), ComparisonRule.LOWER_IS_BETTER);
    assertThat(comparison.verdict()).isEqualTo(Verdict.BETTER);
  }

  @Test
  void anIntervalWhollyInsideTheMarginIsNoRelevantDifference() {
    assertThat(paired(1.001, 0.999, 1.002).verdict()).isEqualTo(Verdict.NO_RELEVANT_DIFFERENCE);
  }

  @Test
  void anIntervalOverAMarginIsNotEnoughRunsAndSaysHowManyMore() {
    Comparison comparison = paired(1.0, 1.1, 1.02, 1.08, 1.05);
    assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_ENOUGH_RUNS);
    assertThat(comparison.furtherRuns()).isPresent();
    assertThat(comparison.finding().sentence()).contains("not enough runs, make about");
    assertThat(comparison.finding().kind()).isEqualTo(Finding.Kind.NOT_ENOUGH_RUNS);
  }

  @Test
  void aRunAgainstItselfHasNoRelevantDifference() {
    Comparison comparison = paired(1);
    assertThat(comparison.verdict()).isEqualTo(Verdict.NO_RELEVANT_DIFFERENCE);
    assertThat(comparison.tTest()).isEqualTo(1);
    assertThat(comparison.ratio().value()).isEqualTo(1);
  }

  @Test
  void constantRunsThatDifferAreStillTold() {
    Comparison comparison =
        Comparisons.unpaired(
            SUBJECT,
            new double[] {5, 5, 5},
            new double[] {6, 6, 6},
            ComparisonRule.HIGHER_IS_BETTER);
    assertThat(comparison.verdict()).isEqualTo(Verdict.BETTER);
    assertThat(comparison.tTest()).isBetween(0.0, 1e-9);
  }

  @Test
  void oneRunOfEachIsNotEnoughWhateverItShows() {
    Comparison comparison =
        Comparisons.paired(
            SUBJECT, new double[] {1}, new double[] {9}, ComparisonRule.HIGHER_IS_BETTER);
    assertThat(comparison.verdict()).isEqualTo(Verdict.NOT_ENOUGH_RUNS);
    assertThat(comparison.ratio().hasInterval()).isFalse();
    assertThat(comparison.finding().sentence()).contains("as seen once").contains("4 more pairs");
  }

  @Test
  void onlySharedBlocksArePaired() {
    Treatment a = new Treatment(Map.of("path", "a"), Map.of("1", 10.0, "2", 11.0, "3", 12.0));
    Treatment b = new Treatment(Map.of("path", "b"), Map.of("1", 20.0, "2", 22.0, "4", 5.0));
    Comparison comparison = Comparisons.paired(SUBJECT, a, b, ComparisonRule.HIGHER_IS_BETTER);
    assertThat(comparison.ratio().value()).isCloseTo(2, within(1e-12));
    assertThat(comparison.ratio().replicates()).isEqualTo(2);
    Treatment c = new Treatment(Map.of("path", "c"), Map.of("9", 20.0));
    assertThatThrownBy(() -> Comparisons.paired(SUBJECT, a, c, ComparisonRule.HIGHER_IS_BETTER))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("share no block");
  }

  @Test
  void valuesThatHaveNoRatioAreRefusedInOneSentence() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(
              () ->
                  Comparisons.unpaired(
                      SUBJECT,
                      new double[] {1, bad},
                      new double[] {1, 2},
                      ComparisonRule.HIGHER_IS_BETTER))
          .isInstanceOf(BadDataException.class)
          .hasMessageMatching("Value 2 of put .*\\.");
    }
  }

  @Property(tries = 200)
  void driftSharedByABlockCancels(@ForAll @DoubleRange(min = 0.1, max = 10) double drift) {
    double[] candidate = times(BASE, 1.1, 1.12, 1.09);
    double[] drifts = {1, drift, drift * drift, 1 / drift, drift};
    Comparison still =
        Comparisons.paired(SUBJECT, BASE, candidate, ComparisonRule.HIGHER_IS_BETTER);
    Comparison drifting =
        Comparisons.paired(
            SUBJECT,
            times(BASE, drifts),
            times(candidate, drifts),
            ComparisonRule.HIGHER_IS_BETTER);
    assertThat(drifting.ratio().low()).isCloseTo(still.ratio().low(), within(1e-9));
    assertThat(drifting.verdict()).isEqualTo(still.verdict());
  }

  @Property(tries = 200)
  void swappingTheTwoInvertsTheRatio(
      @ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int n) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] a = random.doubles(n, 1, 2).toArray();
    double[] b = random.doubles(n + 1L, 1, 2).toArray();
    Comparison there = Comparisons.unpaired(SUBJECT, a, b, ComparisonRule.HIGHER_IS_BETTER);
    Comparison back = Comparisons.unpaired(SUBJECT, b, a, ComparisonRule.HIGHER_IS_BETTER);
    assertThat(back.ratio().value()).isCloseTo(1 / there.ratio().value(), within(1e-12));
    assertThat(back.ratio().low()).isCloseTo(1 / there.ratio().high(), within(1e-9));
    assertThat(back.cliffsDelta()).isCloseTo(-there.cliffsDelta(), within(1e-12));
    assertThat(back.ranks()).isCloseTo(there.ranks(), within(1e-12));
  }
}
