package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Judged;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The gate and the verdicts of comparisons that are looked at after every block: one may stop
 * whenever it is clear, or go on for as long as one likes, and intervals and p hold at all looks at
 * once.
 *
 * <p>The interval is a confidence sequence: all means μ of ln ratio for which the mixture of
 * likelihood ratios over effect sizes δ ~ N(0, τ²), with the standard deviation unknown, never
 * reached 1/α. With n blocks and ν degrees of freedom that mixture is
 * √(1/(1+nτ²))·[(1+t²/ν)/(1+t²/(ν(1+nτ²)))]^((ν+1)/2), for pairs alone with ν = n−1: a martingale
 * for normal pairs of any spread, from the second pair on (Lai, Annals of Statistics 1976; Wang and
 * Ramdas, Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance,
 * 2024; with the noise of other rows pooled: Lindon, Ham, Tingley and Bojinov, Anytime-valid linear
 * models, 2022), so that by Ville's inequality it ever reaches 1/α with probability α. For pairs
 * that are not normal, and for errors from a mixed model or a bootstrap, it is simulated ({@code
 * docs/methods.md}).
 */
public final class SequentialComparison {
  /** The spread of effect sizes that the mixture is made for, in standard deviations of a pair. */
  private static final double TAU2 = 1;

  /** An interval wider than e^±50 says no more than one of e^±50, and stays finite. */
  private static final double WIDEST_LOG = 50;

  private static final double CONFIDENCE = 0.95;
  private static final double POWER = 0.95;

  /** With fewer blocks nothing is decided: skewed pairs mislead the first looks most. */
  public static final int FIRST_LOOK = 5;

  /** The fewest planned blocks with a look after each. */
  private static final int FEWEST_FOR_LOOKS = 10;

  /** More blocks than anybody will run: a plan that needs more is no plan. */
  private static final int MAX_BLOCKS = 1000;

  /** With blocks that depend on each other more than this, intervals are of no use, but finite. */
  private static final double MOST_CORRELATED = 0.9;

  private SequentialComparison() {}

  /**
   * Whether a comparison of so many planned blocks is looked at once, after the last of them, and
   * judged as after a number of blocks that was fixed before: the price of looking after every
   * block, an interval three times as wide after 5 blocks and 1.7 times after 10, is worth paying
   * only where much time can be saved.
   */
  public static boolean looksOnce(int planned) {
    return planned < FEWEST_FOR_LOOKS;
  }

  /**
   * Judges the rows at this look: with p corrected for all of them, and the interval of 95 % that
   * is valid at every look.
   *
   * @param rows with the model of all blocks so far
   * @return one test a row, in order; empty before the first look, or where the data give no
   *     interval
   */
  public static List<Optional<LossTest>> judgeAll(List<LossTest.Row> rows) {
    return rows.stream().map(row -> judge(row, rows.size())).toList();
  }

  private static Optional<LossTest> judge(LossTest.Row row, int rows) {
    int blocks = row.of().replicates();
    return row.of()
        .lnRatio()
        .filter(ln -> blocks >= FIRST_LOOK)
        .map(
            ln ->
                new LossTest(
                    row.rule(), Math.min(1, rows * p(ln, blocks)), ratio(ln, blocks, CONFIDENCE)));
  }

  /**
   * The verdicts of a table at this look, each false with a probability of 1 − confidence for all
   * of the table together, whenever one stops.
   */
  public static List<TreatmentComparisons.Row> verdicts(List<Judged> pairs) {
    return TreatmentComparisons.of(
        pairs,
        pair ->
            pair.of()
                .lnRatio()
                .map(ln -> ratio(ln, pair.of().replicates(), pair.rule().confidence())),
        pair ->
            pair.of()
                .lnRatio()
                .map(ln -> beyond(ln, pair.of().replicates(), pair.rule()))
                .orElse(1.0),
        p -> {
          double[] adjusted = p.clone();
          for (int i = 0; i < p.length; i++) {
            adjusted[i] = Math.min(1, p.length * p[i]);
          }
          return adjusted;
        },
        pairs.size());
  }

  private static double beyond(Contrast ln, int blocks, ComparisonRule rule) {
    double margin = ln.value() > 0 ? Math.log(1 + rule.delta()) : Math.log(1 - rule.delta());
    double further = (ln.value() - margin) * Math.signum(ln.value());
    return blocks < FIRST_LOOK || further <= 0
        ? 1
        : p(new Contrast(further, ln.standardError(), ln.degreesOfFreedom()), blocks);
  }

  /** The confidence sequence of a ratio at this look. */
  public static Estimate ratio(Contrast ln, int blocks, double confidence) {
    double half = halfWidth(ln, blocks, 1 - confidence);
    return new Estimate(ln.value(), ln.value() - half, ln.value() + half, confidence, blocks, "")
        .exp();
  }

  /** Half the width of the confidence sequence of the contrast at this look. */
  static double halfWidth(Contrast ln, int blocks, double alpha) {
    double c = 1 + blocks * TAU2;
    double df = ln.degreesOfFreedom();
    double k = Math.exp((2 * Math.log(1 / alpha) + Math.log(c)) / (df + 1));
    if (!(k < c)) {
      return WIDEST_LOG;
    }
    double u = (k - 1) / (1 - k / c);
    return Math.min(WIDEST_LOG, Math.sqrt(df * u) * ln.standardError());
  }

  /** Two-sided and valid at every look: the level at which the confidence sequence excludes 0. */
  static double p(Contrast ln, int blocks) {
    double c = 1 + blocks * TAU2;
    double df = ln.degreesOfFreedom();
    double x = ln.t() * ln.t() / df;
    double logMixture = (df + 1) / 2 * (Math.log1p(x) - Math.log1p(x / c)) - Math.log(c) / 2;
    return Math.min(1, Math.exp(-logMixture));
  }

  /**
   * How much wider an interval is than that of independent blocks: √((1 + r)/(1 − r)), where r is
   * the first autocorrelation of ln ratio, a mean over the treatments, plus 1/n for its bias with n
   * blocks. One below 0 does not narrow intervals.
   *
   * @param treatments ln ratio of each block, in the order of time
   */
  public static double widening(Collection<double[]> treatments) {
    double mean =
        treatments.stream().mapToDouble(SequentialComparison::autocorrelation).average().orElse(0);
    double r = Math.max(0, Math.min(MOST_CORRELATED, mean));
    return Math.sqrt((1 + r) / (1 - r));
  }

  private static double autocorrelation(double[] blocks) {
    double mean = Arrays.stream(blocks).average().orElse(0);
    double squares = 0;
    double products = 0;
    for (int i = 0; i < blocks.length; i++) {
      double left = blocks[i] - mean;
      squares += left * left;
      products += i == 0 ? 0 : left * (blocks[i - 1] - mean);
    }
    return squares > 0 ? products / squares + 1.0 / blocks.length : 0;
  }

  /**
   * After how many planned blocks a loss of {@link GateRule#toFind} is found in 95 of 100 cases;
   * empty if not after a thousand.
   *
   * @param sd of ln ratio in one block
   * @param rows that share the level
   */
  public static OptionalInt blocksToFind(double sd, int rows, GateRule rule) {
    double loss = -Math.log(1 - rule.toFind());
    double margin = -Math.log(1 - rule.margin());
    return blocks(sd, rule.level() / rows, (half, slack) -> Math.max(half, margin) + slack <= loss);
  }

  /**
   * After how many planned blocks a loss of the margin is excluded in 95 of 100 cases if there is
   * none; empty if not after a thousand.
   *
   * @param sd of ln ratio in one block
   */
  public static OptionalInt blocksToExclude(double sd, GateRule rule) {
    double margin = -Math.log(1 - rule.margin());
    return blocks(sd, 1 - CONFIDENCE, (half, slack) -> half + slack <= margin);
  }

  private interface Enough {
    boolean test(double half, double slack);
  }

  /** The slack is what the estimate and the width of its interval stray together. */
  private static OptionalInt blocks(double sd, double alpha, Enough enough) {
    for (int n = FIRST_LOOK; n <= MAX_BLOCKS; n++) {
      double error = sd / Math.sqrt(n);
      Contrast none = new Contrast(0, error, n - 1.0);
      double half = looksOnce(n) ? none.halfWidth(1 - alpha) : halfWidth(none, n, alpha);
      double widths = half / error;
      double slack =
          StudentT.normal(POWER) * error * Math.sqrt(1 + widths * widths / (2 * (n - 1.0)));
      if (enough.test(half, slack)) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }
}
