package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZipfSamplerTest {
  private static final int DRAWS = 2_000_000;
  private static final double FEWEST_EXPECTED = 20;

  private static UniformRandomProvider random(long seed) {
    return RandomSource.XO_RO_SHI_RO_128_PP.create(seed);
  }

  /**
   * Pearson's chi-square over the ranks, rare ones joined with their neighbours. For the right
   * distribution its mean is the number of cells less one and its variance twice that; five
   * standard deviations are allowed.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "2, 0.99",
    "63, 1.0",
    "1000, 0.01",
    "1000, 0.5",
    "1000, 0.99",
    "1000, 1.0",
    "1000, 2.0",
    "1000, 5.0",
    "70001, 0.8",
    "1000003, 1.2"
  })
  void everyRankIsDrawnAsOftenAsTheDistributionSays(int ranks, double exponent) {
    int[] counts = new int[ranks];
    ZipfSampler sampler = new ZipfSampler(random(11), ranks, exponent);
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) sampler.next() - 1]++;
    }
    List<Double> terms = chiSquareTerms(counts, exponent);
    double cells = terms.size();
    double sum = terms.stream().mapToDouble(term -> term).sum();
    assertThat(sum).isLessThanOrEqualTo(cells - 1 + 5 * Math.sqrt(2 * cells));
    if (cells > 30) {
      assertThat(sum).isGreaterThan(cells - 1 - 5 * Math.sqrt(2 * cells));
    }
  }

  private static List<Double> chiSquareTerms(int[] counts, double exponent) {
    double total = 0;
    for (int rank = counts.length; rank > 0; rank--) {
      total += Math.pow(rank, -exponent);
    }
    List<Double> terms = new ArrayList<>();
    double expected = 0;
    double found = 0;
    for (int rank = counts.length; rank > 0; rank--) {
      expected += DRAWS * Math.pow(rank, -exponent) / total;
      found += counts[rank - 1];
      if (expected >= FEWEST_EXPECTED) {
        terms.add((found - expected) * (found - expected) / expected);
        expected = 0;
        found = 0;
      }
    }
    return terms;
  }
}
