package io.pyrometer.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What pairing within blocks gains while the machine drifts. */
class CoverageTest {
  private static final Subject SUBJECT = new Subject("throughput", "ops/s", "a", "b");

  @Test
  void randomisedPairsCoverTheTruthWhileTheMachineDrifts() {
    Random random = new Random(9);
    int paired = 0;
    int wholeVerdicts = 0;
    int experiments = 1000;
    for (int e = 0; e < experiments; e++) {
      double[] a = new double[6];
      double[] b = new double[6];
      for (int i = 0; i < 6; i++) {
        boolean first = random.nextBoolean();
        a[i] = drift(2 * i + (first ? 0 : 1)) * noise(random);
        b[i] = 1.05 * drift(2 * i + (first ? 1 : 0)) * noise(random);
      }
      Comparison comparison = Comparisons.paired(SUBJECT, a, b, ComparisonRule.HIGHER_IS_BETTER);
      paired += comparison.ratio().contains(1.05) ? 1 : 0;
      wholeVerdicts += comparison.verdict() == Verdict.WORSE ? 1 : 0;
    }
    assertThat(paired / (double) experiments).isBetween(0.935, 0.975);
    assertThat(wholeVerdicts).isZero();
  }

  /** Eight percent lost over twelve runs. */
  private static double drift(int run) {
    return 1000 * (1 - 0.08 * run / 11);
  }

  private static double noise(Random random) {
    return Math.exp(0.02 * random.nextGaussian());
  }
}
