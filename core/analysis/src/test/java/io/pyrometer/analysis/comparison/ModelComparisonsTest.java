package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.blocks.BlockModel;
import io.pyrometer.analysis.blocks.BlockModel.Measurement;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tables and gates over many rows that share blocks and noise. */
class ModelComparisonsTest {

  /** Rows A and B of every treatment in the same blocks; B of the first loses a share. */
  private static BlockModel interleaved(
      int rows, int blocks, double noise, double loss, Random random) {
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      double level = 0.05 * random.nextGaussian();
      for (int row = 0; row < rows; row++) {
        for (String build : List.of("A", "B")) {
          boolean worse = row == 0 && build.equals("B");
          double y = level + noise * random.nextGaussian() + (worse ? Math.log(1 - loss) : 0);
          measured.add(new Measurement(row + build, "b" + block, 1000 * (row + 1) * Math.exp(y)));
        }
      }
    }
    return BlockModel.of(measured);
  }

  private static List<Pair> pairs(int rows) {
    return IntStream.range(0, rows).mapToObj(row -> new Pair(row + "A", row + "B")).toList();
  }

  @Test
  void aRealLossIsStillNamedAmongMany() {
    Random random = new Random(43);
    List<TreatmentComparisons.Row> rows =
        TreatmentComparisons.of(
            interleaved(42, 8, 0.04, 0.2, random), pairs(42), ComparisonRule.HIGHER_IS_BETTER, 42);
    assertThat(rows.get(0).verdict()).isEqualTo(Verdict.WORSE);
    assertThat(rows.stream().filter(r -> r.verdict() == Verdict.WORSE)).hasSize(1);
  }
}
