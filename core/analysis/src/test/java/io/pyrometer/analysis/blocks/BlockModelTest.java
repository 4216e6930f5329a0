package io.pyrometer.analysis.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class BlockModelTest {

  /** Degrees of freedom of unequal spreads may be so few that the interval has no end. */
  @Property(tries = 2_000)
  void howeverFewTheDegreesOfFreedomARatioHasAFiniteInterval(
      @ForAll @DoubleRange(min = 0.01, max = 3) double degreesOfFreedom,
      @ForAll @DoubleRange(min = 0, max = 50) double standardError) {
    Contrast contrast = new Contrast(3.05, standardError, degreesOfFreedom);
    Estimate ratio = contrast.estimate(0.95, 3, "").exp();
    assertThat(ratio.value()).isCloseTo(21.1, within(0.1));
    assertThat(ratio.tooWide()).isEqualTo(contrast.halfWidth(0.95) > Math.log(20) / 2);
  }

  /**
   * A run's report shows what was measured, however odd: spreads of 0 or of decades, few cells,
   * values that repeat exactly, so that the noise is nothing beside what starts or blocks share.
   */
  @Test
  void aRatioOfWhateverWasMeasuredHasAnInterval() {
    LongStream.concat(LongStream.range(0, 500), LongStream.of(31, 552897))
        .forEach(BlockModelTest::judgeWhateverWasMeasured);
  }

  private static void judgeWhateverWasMeasured(long seed) {
    Random random = new Random(seed);
    List<Measurement> rows = new ArrayList<>();
    double[] spreads = {0, 0.001, 0.05, 1, 5};
    int blocks = 1 + random.nextInt(4);
    int starts = 1 + random.nextInt(3);
    for (int t = 0; t < 2 + random.nextInt(5); t++) {
      double sd = spreads[random.nextInt(spreads.length)];
      double level = 3 * random.nextGaussian();
      for (int block = 0; block < blocks; block++) {
        if (random.nextInt(5) > 0) {
          String start = starts == 1 ? "" : String.valueOf(t % starts);
          double value = Math.exp(level + sd * random.nextGaussian());
          rows.add(new Measurement("t" + t, "b" + block, start, value));
        }
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    DoubleSummaryStatistics lns =
        rows.stream().mapToDouble(row -> Math.log(row.value())).summaryStatistics();
    BlockModel model = BlockModel.of(rows);
    List<String> measured = rows.stream().map(Measurement::treatment).distinct().toList();
    for (String a : measured) {
      for (String b : measured) {
        Optional<Contrast> found = a.equals(b) ? Optional.empty() : model.lnRatio(a, b);
        if (found.isPresent()) {
          assertThat(found.get().p()).isBetween(0.0, 1.0);
          double most = lns.getMax() - lns.getMin();
          assertThat(Math.abs(found.get().value())).isLessThan(2 * most + 1e-9);
          assertThat(model.ratio(a, b).orElseThrow().replicates()).isPositive();
        }
      }
    }
  }

  @Test
  void aRatioUsesTheBlocksThatHoldBoth() {
    List<Measurement> rows =
        List.of(
            at("a", 1, 100),
            at("b", 1, 130),
            at("c", 1, 90),
            at("a", 2, 200),
            at("b", 2, 261),
            at("b", 3, 65.3),
            at("c", 3, 45),
            at("a", 4, 51),
            at("c", 4, 46.1));
    BlockModel model = BlockModel.of(rows);
    Estimate ratio = model.ratio("a", "b").orElseThrow();
    assertThat(ratio.value()).isCloseTo(Math.sqrt(1.3 * 1.305), within(1e-9));
    assertThat(ratio.low()).isGreaterThan(1.2);
    assertThat(ratio.replicates()).isEqualTo(2);
    // 9 values less 3 treatments, 4 blocks and plus the mean.
    assertThat(model.lnRatio("a", "b").orElseThrow().degreesOfFreedom()).isEqualTo(3);
  }

  @Test
  void treatmentsWithoutASharedBlockAreNotCompared() {
    List<Measurement> rows = new ArrayList<>();
    for (int block = 0; block < 10; block++) {
      rows.add(new Measurement("old", "1-" + block, "", 100 + block % 3));
      rows.add(new Measurement("new", "2-" + block, "", 90 + block % 4));
    }
    assertThat(BlockModel.of(rows).ratio("old", "new")).isEmpty();
  }

  /** Two whole plots of two treatments in three blocks, in closed form. */
  @Test
  void treatmentsOfDifferentStartsAreJudgedByBothStrata() {
    double[][] ln = {
      {5.0, 5.2, 5.7}, {5.1, 5.2, 5.9}, {5.6, 5.3, 6.1}, {5.4, 5.5, 6.2},
    };
    List<Measurement> rows = new ArrayList<>();
    double within = 0;
    double between = 0;
    for (int block = 0; block < 3; block++) {
      for (int t = 0; t < 4; t++) {
        rows.add(new Measurement("t" + t, "b" + block, "s" + t / 2, Math.exp(ln[t][block])));
      }
    }
    for (int start = 0; start < 2; start++) {
      double[] differences = new double[3];
      for (int block = 0; block < 3; block++) {
        differences[block] = ln[2 * start + 1][block] - ln[2 * start][block];
      }
      within += Samples.sumOfSquares(differences) / 2;
    }
    double[] ofStarts = new double[3];
    for (int block = 0; block < 3; block++) {
      ofStarts[block] = (ln[2][block] + ln[3][block] - ln[0][block] - ln[1][block]) / 2;
    }
    between = Samples.sumOfSquares(ofStarts);
    BlockModel model = BlockModel.of(rows);
    Contrast same = model.lnRatio("t0", "t1").orElseThrow();
    assertThat(same.degreesOfFreedom()).isEqualTo(4);
    assertThat(same.standardError()).isCloseTo(Math.sqrt(2 * within / 4 / 3), within(1e-9));
    Contrast across = model.lnRatio("t0", "t2").orElseThrow();
    double ofStart = between / 2;
    double ofTrial = within / 4;
    assertThat(across.standardError())
        .isCloseTo(Math.sqrt(2.0 / 3 * (ofStart / 2 + ofTrial / 2)), within(1e-9));
    assertThat(across.degreesOfFreedom()).isBetween(2.0, 6.0);
  }

  @Test
  void successiveBlocksThatResembleEachOtherAreFoundFromFiveOn() {
    assertThat(drifting(4).dependence()).isEmpty();
    assertThat(drifting(6).dependence().orElseThrow().isSignificant()).isTrue();
    List<Measurement> alternating = new ArrayList<>();
    for (int block = 0; block < 6; block++) {
      for (int t = 0; t < 4; t++) {
        double shift = (block + t) % 2 == 0 ? 0.05 : -0.05;
        alternating.add(at("t" + t, block, Math.exp(shift + 0.001 * t * block % 3)));
      }
    }
    assertThat(BlockModel.of(alternating).dependence().orElseThrow().isSignificant()).isFalse();
  }

  @Test
  void intervalsAreWidenedFromTenDependentBlocksOn() {
    BlockModel model = drifting(12);
    double r = model.dependence().orElseThrow().r();
    assertThat(r).isGreaterThan(0.5);
    double[] differences = new double[12];
    for (int block = 0; block < 12; block++) {
      differences[block] = drift(1, block) - drift(0, block);
    }
    assertThat(model.lnRatio("t0", "t1").orElseThrow().standardError())
        .isGreaterThan(1.5 * Contrast.ofMean(differences).standardError());
  }

  /** Two treatments become faster while two become slower. */
  private static BlockModel drifting(int blocks) {
    List<Measurement> rows = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      for (int t = 0; t < 4; t++) {
        rows.add(at("t" + t, block, Math.exp(drift(t, block))));
      }
    }
    return BlockModel.of(rows);
  }

  private static double drift(int treatment, int block) {
    return 0.01 * (treatment % 2 == 0 ? block : -block);
  }

  @Test
  void aQuietTreatmentIsNotJudgedByTheNoiseOfALoudOne() {
    Random random = new Random(6);
    List<Measurement> rows = new ArrayList<>();
    for (int block = 0; block < 10; block++) {
      double level = 0.02 * random.nextGaussian();
      rows.add(at("quiet", block, Math.exp(level + 0.005 * random.nextGaussian())));
      rows.add(at("quiet too", block, Math.exp(level + 0.02 + 0.005 * random.nextGaussian())));
      rows.add(at("loud", block, Math.exp(level + 0.4 * random.nextGaussian())));
    }
    BlockModel model = BlockModel.of(rows);
    assertThat(model.lnRatio("quiet", "quiet too").orElseThrow().p()).isLessThan(0.001);
  }

  private static Measurement at(String treatment, int block, double value) {
    return new Measurement(treatment, String.valueOf(block), "", value);
  }
}
