package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import java.util.ArrayList;
import java.util.Comparator;
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
  private static final AnalysisOptions OPTIONS = AnalysisOptions.DEFAULT.named("nodes", "ops/s");

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
    Scalability found = Scalability.of(published(), OPTIONS.on(ResponseScale.PLAIN));
    assertThat(found.peak()).isEmpty();
    assertThat(found.lawHolds()).isFalse();
    assertThat(found.enough()).isFalse();
    assertThat(found.fits().stream().map(LawFit::model).limit(4))
        .containsExactly(Model.HOP_LINEAR, Model.UNIVERSAL, Model.POWER, Model.AMDAHL);
    assertThat(found.rivals()).extracting(LawFit::model).containsExactly(Model.HOP_LINEAR);
  }

  @Property(tries = 60, seed = "2026")
  void exactPointsGiveTheirParametersBack(
      @ForAll @DoubleRange(min = 1, max = 1e6) double lambda,
      @ForAll @DoubleRange(min = 0, max = 3) double sigma,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double kappa) {
    double[] n = IntStream.rangeClosed(1, 12).asDoubleStream().toArray();
    double[] x = new double[n.length];
    for (int i = 0; i < n.length; i++) {
      x[i] = lambda * n[i] / (1 + sigma * (n[i] - 1) + kappa * n[i] * (n[i] - 1));
    }
    for (ResponseScale scale : ResponseScale.values()) {
      LawFit fit =
          new LawFit(Model.UNIVERSAL, new PooledPoints(Points.of(n, x), OPTIONS.on(scale)));
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
  void withoutReplicatesALimitAndAPeakAreNotToldApart() {
    Scalability queue = evidence("false_peak");
    assertThat(queue.decline()).isEqualTo(Scalability.Decline.UNKNOWN);
    assertThat(queue.peak()).isEmpty();
    assertThat(queue.saturatesOrPeaks()).isTrue();
    Random random = new Random(5);
    DoubleUnaryOperator law = n -> 1000 * n / (1 + 0.05 * (n - 1) + 0.015 * n * (n - 1));
    Scalability once = Scalability.of(noisy(law, 14, 1, 0.01, random), OPTIONS);
    Scalability thrice = Scalability.of(noisy(law, 14, 3, 0.01, random), OPTIONS);
    assertThat(once.saturatesOrPeaks()).isTrue();
    assertThat(once.peak()).isEmpty();
    assertThat(thrice.saturatesOrPeaks()).isFalse();
    assertThat(thrice.peak().orElseThrow().n().value()).isBetween(7.0, 9.0);
  }

  private static Scalability evidence(String name) {
    return Scalability.of(
        Golden.csv("/evidence/" + name + ".csv").stream()
            .map(
                row ->
                    new ScalePoint(
                        Double.parseDouble(row.getOrDefault("N", "")),
                        Double.parseDouble(row.getOrDefault("X", "")),
                        row.getOrDefault("block", "")))
            .toList(),
        OPTIONS);
  }

  @Test
  void throughputThatStaysLevelIsSaturationAndNoPeak() {
    Scalability found = evidence("saturation");
    assertThat(found.chosen().model()).isEqualTo(Model.BOUNDS);
    assertThat(found.law().lackOfFit().orElseThrow()).isLessThan(1e-6);
    assertThat(found.chosen().lackOfFit().orElseThrow()).isGreaterThan(0.05);
    assertThat(found.peak()).isEmpty();
    assertThat(found.chosen().saturation().orElseThrow().value()).isCloseTo(8, within(0.1));
    assertThat(found.at(48).throughput().contains(8000)).isTrue();
  }

  @Test
  void aMaximumBeforeTheFirstNodeIsAFallFromTheFirst() {
    double[] n = {1, 2, 3, 4, 6, 8, 10};
    double[] x = {990.0, 748.1, 571.2, 475.3, 339.4, 272.1, 219.5};
    Scalability found = Scalability.of(Points.of(n, x), OPTIONS);
    assertThat(found.peak().orElseThrow().n().value()).isLessThan(1);
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
        .hasMessageContaining(" 21 ");
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
    assertThat(found.law().parameters()).anyMatch(LawFit.Parameter::openHigh);
    assertThat(found.at(140).throughput().value()).isBetween(800.0, 1200.0);
  }

  @Test
  void fivePointsSayNothingBeyondThem() {
    Scalability found = evidence("superlinear");
    assertThat(found.extrapolates()).isFalse();
    assertThat(found.curve()).noneMatch(Scalability.Prediction::extrapolated);
    assertThatThrownBy(() -> found.at(20))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(" 10 ");
  }

  @Test
  void aPeakBeyondFourTimesTheRangeIsNotPublished() {
    double[] n = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    double[] x = new double[n.length];
    for (int i = 0; i < n.length; i++) {
      x[i] = 1000 * n[i] / (1 + 1e-4 * n[i] * (n[i] - 1)) * (i % 2 == 0 ? 1.00001 : 0.99999);
    }
    Scalability found = Scalability.of(Points.of(n, x), OPTIONS);
    assertThat(Math.sqrt((1 - found.law().value("σ")) / found.law().value("κ"))).isGreaterThan(40);
    assertThat(found.peak()).isEmpty();
    assertThat(found.law().earliestPeak().orElseThrow()).isGreaterThan(found.largestN());
  }

  @Test
  void aModelThatTheOtherPointsRuleOutDoesNotHideAnOutlyingOne() {
    double[] throughput = {100, 181, 246, 301, 341, 371, 389, 404, 411, 300};
    List<ScalePoint> points = new ArrayList<>();
    for (int n = 1; n <= throughput.length; n++) {
      points.add(new ScalePoint(n, throughput[n - 1]));
    }
    Scalability law = Scalability.of(points, AnalysisOptions.DEFAULT);
    assertThat(law.outlier().orElseThrow().point().n()).isEqualTo(10);
    assertThat(Scalability.of(points.subList(0, 9), AnalysisOptions.DEFAULT).outlier()).isEmpty();
  }

  @Test
  void aPointIsOutlyingOnlyIfItsDistanceIsSeenInTheFigures() {
    for (double off : new double[] {1e-6, 1e-3}) {
      Scalability found = Scalability.of(flatButForOne(off), OPTIONS);
      assertThat(found.outlier()).isEmpty();
    }
    assertThat(Scalability.of(flatButForOne(0.1), OPTIONS).outlier()).isPresent();
  }

  private static List<ScalePoint> flatButForOne(double off) {
    List<ScalePoint> points = new ArrayList<>();
    for (int n = 1; n <= 10; n++) {
      points.add(new ScalePoint(n, n == 5 ? 1000 * (1 + off) : 1000));
    }
    return points;
  }

  @Test
  void figuresThatCannotBeFittedAreRefusedInOneSentence() {
    for (double[] x : new double[][] {{1, 2, 3}, {5, 5, 5, 5}}) {
      double[] n = IntStream.rangeClosed(1, x.length).asDoubleStream().toArray();
      assertThatThrownBy(() -> Scalability.of(Points.of(n, x), OPTIONS))
          .isInstanceOf(BadDataException.class);
    }
    assertThatThrownBy(() -> new ScalePoint(1, Double.NaN)).isInstanceOf(BadDataException.class);
    assertThatThrownBy(() -> ScalePoint.number("nodes", "many"))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("many")
        .hasMessageContaining("nodes");
  }

  @Test
  void theModelCalledBestIsTheFirstOfTheTable() {
    double[] n = {1, 18, 36, 72, 108, 144, 216};
    double[] x = {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775, 1702.2};
    for (ResponseScale scale : ResponseScale.values()) {
      Scalability found = Scalability.of(Points.of(n, x), OPTIONS.on(scale));
      assertThat(found.fits())
          .isSortedAccordingTo(Comparator.comparingDouble(fit -> fit.aicc().orElseThrow()));
      assertThat(found.chosen()).isSameAs(found.fits().get(0));
    }
  }

  @Test
  void theTestOfFitRaisesFewFalseAlarms() {
    Random random = new Random(4);
    int alarms = 0;
    for (int e = 0; e < 300; e++) {
      List<ScalePoint> points =
          noisy(n -> 1000 * n / (1 + 0.1 * (n - 1) + 0.01 * n * (n - 1)), 10, 3, 0.05, random);
      LawFit fit = new LawFit(Model.UNIVERSAL, new PooledPoints(points, OPTIONS));
      alarms += fit.misfits() ? 1 : 0;
    }
    assertThat(alarms / 300.0).isBetween(0.02, 0.09);
  }

  @Test
  void aStraightLineGrowsInProportion() {
    Scalability found = Scalability.of(noisy(n -> 100 * n, 8, 3, 0.01, new Random(3)), OPTIONS);
    assertThat(found.peak()).isEmpty();
    assertThat(found.enough()).isTrue();
    assertThat(found.rivals()).extracting(LawFit::model).contains(Model.LINEAR);
  }

  @Test
  void sigmaNearOneIsNotCalledAHop() {
    Random random = new Random(12);
    Scalability found = Scalability.of(noisy(n -> 1000, 9, 3, 0.2, random), OPTIONS);
    assertThat(found.law().parameter("σ").estimate().contains(1)).isTrue();
    assertThat(found.peak()).isEmpty();
  }
}
