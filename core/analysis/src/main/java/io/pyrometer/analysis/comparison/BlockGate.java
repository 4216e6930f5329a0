package io.pyrometer.analysis.comparison;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

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

    /** The mean loss of ln y, above 0 for the worse; empty of too few blocks. */
    private Optional<Contrast> loss() {
      int sign = better == Direction.HIGHER ? -1 : 1;
      return lnRatios.length < MIN_BLOCKS
          ? Optional.empty()
          : Optional.of(
              Contrast.ofMean(Arrays.stream(lnRatios).map(ratio -> sign * ratio).toArray()));
    }
  }

  /**
   * Outcome of a row.
   *
   * @param improvement whether the same rule applied to gains finds one
   * @param ratio candidate over baseline with its 95 % interval
   * @param p one-sided, of no loss, after Holm's correction
   * @param blocksToDecide number of blocks that would decide the row at its noise in 95 of 100
   *     cases, if the candidate equals the baseline where the estimate is within the smallest
   *     relevant difference, else if the loss is as estimated; empty if over a thousand, or decided
   */
  public record Judgement(
      GateVerdict verdict,
      boolean improvement,
      Estimate ratio,
      double p,
      OptionalInt blocksToDecide) {}

  /**
   * Judges rows as one family.
   *
   * @return in the order of the rows; empty for one of fewer than {@link #MIN_BLOCKS} blocks
   */
  public static List<Optional<Judgement>> judge(List<Row> rows) {
    List<Optional<Contrast>> losses = rows.stream().map(Row::loss).toList();
    double[] pLoss =
        MultipleTesting.holm(p(losses, loss -> StudentT.below(-loss.t(), loss.degreesOfFreedom())));
    double[] pGain = MultipleTesting.holm(p(losses, loss -> loss.pLower(0)));
    return IntStream.range(0, rows.size())
        .mapToObj(
            i ->
                losses
                    .get(i)
                    .map(loss -> judge(rows.get(i), loss, pLoss[i], pGain[i], rows.size())))
        .toList();
  }

  private static double[] p(List<Optional<Contrast>> losses, ToDoubleFunction<Contrast> of) {
    return losses.stream()
        .mapToDouble(loss -> loss.map(each -> of.applyAsDouble(each)).orElse(1.0))
        .toArray();
  }

  private static Judgement judge(Row row, Contrast loss, double pLoss, double pGain, int rows) {
    double margin = row.ln(row.margin());
    boolean beyond = loss.value() > margin;
    GateVerdict verdict =
        pLoss < LEVEL && beyond
            ? GateVerdict.REGRESSION
            : loss.value() + loss.halfWidth(Estimate.CONFIDENCE) < margin
                ? GateVerdict.PASS
                : GateVerdict.NOT_DECIDED;
    int n = row.lnRatios().length;
    double sd = loss.standardError() * Math.sqrt(n);
    OptionalInt blocks =
        verdict != GateVerdict.NOT_DECIDED
            ? OptionalInt.empty()
            : beyond
                ? blocks(sd, loss.value(), 1 - LEVEL / rows)
                : blocks(sd, margin, (1 + Estimate.CONFIDENCE) / 2);
    return new Judgement(
        verdict,
        pGain < LEVEL && -loss.value() > margin,
        Contrast.ofMean(row.lnRatios()).estimate(Estimate.CONFIDENCE, n, "").exp(),
        pLoss,
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
    return blocks(sd, row.ln(margin), (1 + Estimate.CONFIDENCE) / 2);
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
    return StudentT.quantile(quantile, n - 1.0) / Math.sqrt(n);
  }
}
