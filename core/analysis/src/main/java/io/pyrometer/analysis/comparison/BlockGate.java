package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Gate of a candidate against a baseline that were measured in the same blocks, judged once, after
 * the last block.
 *
 * <p>Each row (one metric of one treatment) is judged by its differences of ln y within the blocks
 * with Student's t. It is a regression if the loss is significant, its one-sided p below 1 % after
 * Holm's correction for all rows, and the estimated loss exceeds the smallest relevant difference;
 * it passes if the interval excludes a loss of that difference.
 */
public final class BlockGate {
  /** Blocks below which nothing is judged. */
  public static final int MIN_BLOCKS = 3;

  /** Rate of false alarms of all rows together. */
  public static final double LEVEL = 0.01;

  private static final int MAX_BLOCKS = 1000;
  private static final double CONFIDENCE = 0.95;
  private static final double POWER = 0.95;

  private BlockGate() {}

  /**
   * One metric of one treatment.
   *
   * @param lnRatios ln of candidate over baseline, one value a block
   * @param margin smallest relevant difference, 0.03 for 3 %
   * @param better direction in which the metric improves
   */
  @SuppressWarnings("ArrayRecordComponent") // copied in, never compared
  public record Row(double[] lnRatios, double margin, Direction better) {
    /** Throws {@link BadDataException} if a figure is not finite or the margin not in (0, 1). */
    public Row {
      lnRatios = Samples.checked(lnRatios.clone(), 0, "the differences");
      if (!(margin > 0 && margin < 1)) {
        throw BadDataException.of(
            "The smallest relevant difference must lie between 0 and 1, as 0.03 does, but is %s.",
            margin);
      }
    }

    /** ln y lost by a relative loss, above 0. */
    private double ln(double loss) {
      return better == Direction.HIGHER ? -Math.log1p(-loss) : Math.log1p(loss);
    }

    /** Losses of ln y, above 0 for the worse. */
    private double[] losses() {
      double[] losses = lnRatios.clone();
      for (int i = 0; better == Direction.HIGHER && i < losses.length; i++) {
        losses[i] = -losses[i];
      }
      return losses;
    }
  }

  /**
   * Outcome of a row.
   *
   * @param improvement whether the same rule applied to gains finds one
   * @param ratio candidate over baseline with its 95 % interval
   * @param p one-sided, of no loss, after Holm's correction
   * @param largestLoss largest relative loss that the interval does not exclude, at least 0
   * @param blocksToDecide number of blocks that would decide the row at its noise in 95 of 100
   *     cases, if the candidate equals the baseline where the estimate is within the smallest
   *     relevant difference, else if the loss is as estimated; empty if over a thousand, or decided
   */
  public record Judgement(
      GateVerdict verdict,
      boolean improvement,
      Estimate ratio,
      double p,
      double largestLoss,
      OptionalInt blocksToDecide) {}

  /**
   * Judges rows as one family.
   *
   * @return in the order of the rows; empty for one of fewer than {@link #MIN_BLOCKS} blocks
   */
  public static List<Optional<Judgement>> judge(List<Row> rows) {
    double[] losses = MultipleTesting.holm(p(rows, Fit::pOfNoLoss));
    double[] gains = MultipleTesting.holm(p(rows, fit -> 1 - fit.pOfNoLoss()));
    List<Optional<Judgement>> judged = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      double pLoss = losses[i];
      double pGain = gains[i];
      Row row = rows.get(i);
      judged.add(Fit.of(row).map(fit -> judge(row, fit, pLoss, pGain, rows.size())));
    }
    return List.copyOf(judged);
  }

  private static double[] p(List<Row> rows, ToDoubleFunction<Fit> of) {
    return rows.stream()
        .mapToDouble(row -> Fit.of(row).map(fit -> of.applyAsDouble(fit)).orElse(1.0))
        .toArray();
  }

  private static Judgement judge(Row row, Fit fit, double pLoss, double pGain, int rows) {
    double margin = row.ln(row.margin());
    boolean beyond = fit.loss() > margin;
    GateVerdict verdict =
        pLoss < LEVEL && beyond
            ? GateVerdict.REGRESSION
            : fit.largest() < margin ? GateVerdict.PASS : GateVerdict.NOT_DECIDED;
    OptionalInt blocks =
        verdict != GateVerdict.NOT_DECIDED
            ? OptionalInt.empty()
            : beyond
                ? blocks(fit.sd(), fit.loss(), 1 - LEVEL / rows)
                : blocks(fit.sd(), margin, (1 + CONFIDENCE) / 2);
    double largest =
        row.better() == Direction.HIGHER ? -Math.expm1(-fit.largest()) : Math.expm1(fit.largest());
    return new Judgement(
        verdict,
        pGain < LEVEL && -fit.loss() > row.ln(row.margin()),
        fit.ratio(row.better()),
        pLoss,
        Math.max(0, largest),
        blocks);
  }

  /**
   * Number of blocks after which a loss of the smallest relevant difference is excluded in 95 of
   * 100 cases, if there is none.
   *
   * @param sd standard deviation of ln of candidate over baseline between blocks
   */
  public static OptionalInt blocksToExclude(double sd, double margin, Direction better) {
    Row row = new Row(new double[0], margin, better);
    return blocks(sd, row.ln(margin), (1 + CONFIDENCE) / 2);
  }

  /** The least n with (t of the quantile + t of the power) × sd / √n ≤ room, by bisection. */
  private static OptionalInt blocks(double sd, double room, double quantile) {
    IntPredicate enough = n -> (halfWidth(quantile, n) + halfWidth(POWER, n)) * sd <= room;
    if (room <= 0 || !enough.test(MAX_BLOCKS)) {
      return OptionalInt.empty();
    }
    int low = MIN_BLOCKS - 1;
    int high = MAX_BLOCKS;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (enough.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return OptionalInt.of(high);
  }

  private static double halfWidth(double quantile, int n) {
    return new TDistribution(n - 1).inverseCumulativeProbability(quantile) / Math.sqrt(n);
  }

  /**
   * Mean loss of ln y over the blocks.
   *
   * @param half half-width of its 95 % interval
   */
  private record Fit(double loss, double sd, int blocks, double half) {
    static Optional<Fit> of(Row row) {
      int n = row.lnRatios().length;
      if (n < MIN_BLOCKS) {
        return Optional.empty();
      }
      double[] losses = row.losses();
      double sd = Math.sqrt(Samples.variance(losses));
      double half = halfWidth((1 + CONFIDENCE) / 2, n) * sd;
      return Optional.of(new Fit(Samples.mean(losses), sd, n, half));
    }

    double pOfNoLoss() {
      if (sd == 0) {
        return loss > 0 ? 0 : loss < 0 ? 1 : 0.5;
      }
      return new TDistribution(blocks - 1).cumulativeProbability(-loss / sd * Math.sqrt(blocks));
    }

    double largest() {
      return loss + half;
    }

    Estimate ratio(Direction better) {
      double mean = better == Direction.HIGHER ? -loss : loss;
      return new Estimate(mean, mean - half, mean + half, CONFIDENCE, blocks, "").exp();
    }
  }
}
