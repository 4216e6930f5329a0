package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class ScalabilityTest {
  private static final FitOptions OPTIONS = FitOptions.DEFAULT.named("nodes", "ops/s");

  private static List<ScalePoint> published() {
    List<Observation> observations =
        Golden.csv("/published/single-host-scaling.csv").stream()
            .map(
                row ->
                    new Observation(
                        Map.of("nodes", row.get("nodes")),
                        "1",
                        Map.of("throughput", Double.valueOf(row.get("throughput")))))
            .toList();
    return ScalePoint.of(observations, "nodes", "throughput");
  }

  private static List<ScalePoint> noisy(
      DoubleUnaryOperator truth, int largest, int replicates, double spread, Random random) {
    List<ScalePoint> points = new ArrayList<>();
    for (int n = 1; n <= largest; n++) {
      for (int r = 0; r < replicates; r++) {
        double noise = Math.exp(spread * random.nextGaussian());
        points.add(new ScalePoint(n, truth.applyAsDouble(n) * noise));
      }
    }
    return points;
  }

  @Test
  void thePublishedSingleHostFiguresMeanAHopAndNoBestNumberOfNodes() {
    Scalability found = Scalability.of(published(), OPTIONS.withScale(FitScale.LINEAR));
    assertThat(found.law().lambda()).isCloseTo(46474.347, within(1e-3));
    assertThat(found.law().value("σ")).isCloseTo(2.1091123, within(1e-7));
    assertThat(found.law().value("κ")).isCloseTo(0.077497212, within(1e-9));
    assertThat(found.law().rss()).isCloseTo(6008049.2, within(0.05));
    assertThat(found.peak()).isEmpty();
    assertThat(found.hop().orElseThrow().h().value()).isCloseTo(1.1091123, within(1e-7));
    assertThat(found.findings().get(0).sentence())
        .contains("110.9 % more when its key lives on another node")
        .contains("throughput is largest at N = 1");
    assertThat(found.findings())
        .anySatisfy(f -> assertThat(f.kind()).isEqualTo(Finding.Kind.NOT_ENOUGH_RUNS));
    assertThat(found.candidates().stream().map(c -> c.fit().model()).limit(5))
        .containsExactly(
            Model.HOP_LINEAR, Model.HOP_EXPONENTIAL, Model.UNIVERSAL, Model.POWER, Model.AMDAHL);
    assertThat(found.chosen().model()).isEqualTo(Model.HOP_LINEAR);
    assertThat(found.rivals())
        .extracting(LawFit::model)
        .containsExactly(Model.HOP_LINEAR, Model.HOP_EXPONENTIAL);
  }

  @Property(tries = 60)
  void exactPointsGiveTheirParametersBack(
      @ForAll @DoubleRange(min = 1, max = 1e6) double lambda,
      @ForAll @DoubleRange(min = 0, max = 3) double sigma,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double kappa) {
    double[] n = IntStream.rangeClosed(1, 12).asDoubleStream().toArray();
    double[] x = new double[n.length];
    for (int i = 0; i < n.length; i++) {
      x[i] = lambda * n[i] / (1 + sigma * (n[i] - 1) + kappa * n[i] * (n[i] - 1));
    }
    for (FitScale scale : FitScale.values()) {
      LawFit fit =
          new LawFitter(ScalePoint.of(n, x), OPTIONS.withScale(scale)).fit(Model.UNIVERSAL);
      assertThat(fit.lambda()).isCloseTo(lambda, within(1e-5 * lambda));
      assertThat(fit.value("σ")).isCloseTo(sigma, within(1e-5));
      assertThat(fit.value("κ")).isCloseTo(kappa, within(1e-6));
    }
  }

  @Test
  void theUnitOfThroughputChangesOnlyLambda() {
    List<ScalePoint> larger =
        published().stream().map(p -> new ScalePoint(p.n(), 1e9 * p.throughput())).toList();
    Scalability small = Scalability.of(published(), OPTIONS);
    Scalability large = Scalability.of(larger, OPTIONS);
    assertThat(large.law().lambda() / small.law().lambda()).isCloseTo(1e9, within(1.0));
    assertThat(large.law().value("κ")).isCloseTo(small.law().value("κ"), within(1e-9));
    assertThat(large.chosen().model()).isEqualTo(small.chosen().model());
  }

  @Test
  void fewPointsAreComparedByNestedTests() {
    double[] n = {1, 18, 36, 72, 108, 144, 216};
    double[] x = {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775, 1702.2};
    Scalability found = Scalability.of(ScalePoint.of(n, x), OPTIONS.withScale(FitScale.LINEAR));
    assertThat(found.candidates().get(0).fit().model()).isEqualTo(Model.AMDAHL);
    assertThat(found.nested().get(1).p()).isLessThan(0.05);
    assertThat(found.chosen().model()).isEqualTo(Model.UNIVERSAL);
    assertThat(found.findings().get(0).sentence())
        .startsWith("Throughput peaks at about 96.52 nodes");
  }

  @Test
  void aMaximumBeforeTheFirstNodeIsAFallFromTheFirst() {
    double[] n = {1, 2, 3, 4, 6, 8, 10};
    double[] x = {990.0, 748.1, 571.2, 475.3, 339.4, 272.1, 219.5};
    Scalability found = Scalability.of(ScalePoint.of(n, x), OPTIONS);
    assertThat(found.findings().get(0).sentence())
        .contains("hroughput is largest at N = 1")
        .doesNotContain("E+", "peaks");
  }

  @Test
  void theCurveCoversTheMeasuredRangeAndHalfAsFarAgain() {
    Scalability found = Scalability.of(published(), OPTIONS);
    assertThat(found.curve().get(0).n()).isEqualTo(1);
    assertThat(found.curve().get(found.curve().size() - 1).n()).isEqualTo(30);
    assertThat(found.curve())
        .allSatisfy(p -> assertThat(p.extrapolated()).isEqualTo(p.n() > 20))
        .allSatisfy(p -> assertThat(p.throughput().hasInterval()).isTrue());
    assertThat(found.chosen().points()).hasSize(20);
  }

  @Test
  void nothingIsSaidBeyondFourTimesTheMeasuredRange() {
    Scalability found = Scalability.of(published(), OPTIONS);
    assertThat(found.at(80).extrapolated()).isTrue();
    assertThat(found.at(10).extrapolated()).isFalse();
    assertThatThrownBy(() -> found.at(81))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("measure up to 21 or more");
  }

  @Test
  void extrapolationOverAllRivalsCoversWhatOneModelAloneMisses() {
    DoubleUnaryOperator truth = n -> 40_000 * (1 / (1 + 1.2 * (1 - 1 / n)) - 0.009 * (n - 1));
    Random random = new Random(11);
    int alone = 0;
    int union = 0;
    int experiments = 150;
    for (int e = 0; e < experiments; e++) {
      Scalability found = Scalability.of(noisy(truth, 10, 3, 0.05, random), OPTIONS);
      Estimate law = found.law().throughputInterval(20, 0.95, "");
      alone += law.contains(truth.applyAsDouble(20)) ? 1 : 0;
      union += found.at(20).throughput().contains(truth.applyAsDouble(20)) ? 1 : 0;
    }
    assertThat(alone / (double) experiments).isLessThan(0.8);
    assertThat(union / (double) experiments).isGreaterThan(0.93);
  }

  @Test
  void intervalsOfTheLawCoverTheTruth() {
    Random random = new Random(5);
    int covered = 0;
    int experiments = 300;
    for (int e = 0; e < experiments; e++) {
      List<ScalePoint> points =
          noisy(n -> 1000 * n / (1 + 0.1 * (n - 1) + 0.01 * n * (n - 1)), 10, 3, 0.05, random);
      LawFit fit = new LawFitter(points, OPTIONS).fit(Model.UNIVERSAL);
      covered += fit.parameter("κ").estimate().contains(0.01) ? 1 : 0;
    }
    assertThat(covered / (double) experiments).isBetween(0.92, 0.98);
  }

  @Test
  void aStraightLineGrowsInProportion() {
    Scalability found = Scalability.of(noisy(n -> 100 * n, 8, 3, 0.01, new Random(3)), OPTIONS);
    assertThat(found.peak()).isEmpty();
    assertThat(found.enough()).isTrue();
    assertThat(found.rivals()).extracting(LawFit::model).contains(Model.LINEAR);
  }

  @Test
  void aFlatStretchAloneLeavesTheLawOpenAndSaysSo() {
    Random random = new Random(12);
    List<ScalePoint> points = new ArrayList<>();
    for (double n : new double[] {100, 110, 120, 130, 140, 150, 160, 170}) {
      for (int r = 0; r < 3; r++) {
        points.add(new ScalePoint(n, 1000 * Math.exp(0.2 * random.nextGaussian())));
      }
    }
    Scalability found = Scalability.of(points, OPTIONS);
    assertThat(found.law().parameters()).anyMatch(Parameter::openHigh);
    assertThat(found.findings())
        .extracting(Finding::sentence)
        .anyMatch(s -> s.startsWith("The points set no upper end to the interval of "));
    assertThat(found.at(140).throughput().value()).isBetween(800.0, 1200.0);
  }

  @Test
  void sigmaNearOneIsNotCalledAHop() {
    Random random = new Random(12);
    Scalability found = Scalability.of(noisy(n -> 1000, 9, 3, 0.2, random), OPTIONS);
    assertThat(found.law().parameter("σ").estimate().contains(1)).isTrue();
    assertThat(found.findings().get(0).sentence()).doesNotContain("largest at N = 1");
  }

  @Test
  void figuresThatCannotBeFittedAreRefusedInOneSentence() {
    assertThatThrownBy(
            () ->
                Scalability.of(
                    ScalePoint.of(new double[] {1, 2, 3}, new double[] {1, 2, 3}), OPTIONS))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("at least 4 points at 3 different numbers of nodes");
    assertThatThrownBy(
            () ->
                Scalability.of(
                    ScalePoint.of(new double[] {1, 2, 3, 4}, new double[] {5, 5, 5, 5}), OPTIONS))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("the same to the last digit");
    assertThatThrownBy(() -> new ScalePoint(1, Double.NaN)).isInstanceOf(BadDataException.class);
    assertThatThrownBy(() -> ScalePoint.number("nodes", "many"))
        .isInstanceOf(BadDataException.class)
        .hasMessage(
            "The level many of nodes is not a number, so throughput cannot be fitted against it.");
  }
}
