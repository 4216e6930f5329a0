package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.Arrays;
import org.hipparchus.util.MathArrays;

/**
 * How much the end of a series still moves: the last quarter against the one before, by medians of
 * small batches, with an interval that counts how much neighbouring batches resemble each other.
 */
public final class Drift {
  /** Drift of less than so many percent does not matter. */
  public static final double EQUIVALENT_PERCENT = 3;

  /**
   * Confidence of an interval that shows equivalence at 5 %: two one-sided tests (Schuirmann,
   * 1987).
   */
  private static final double EQUIVALENCE_CONFIDENCE = 0.90;

  private static final double CONFIDENCE = 0.99;

  /** Less movement than this does not matter to a mean. */
  private static final double RELEVANT = 0.02;

  /** Where the interval is wider than this, the series moves between levels. */
  private static final double TOO_WIDE = 0.25;

  private static final int LEAST_BATCH = 3;
  private static final int BATCHES_A_HALF = 12;
  private static final int WINDOW = 7;

  /** So many standard deviations from the median around it, a sample is of a pause. */
  private static final double FAR = 5;

  /** The standard deviation of normal samples over their median absolute deviation. */
  private static final double NORMAL = 1.4826;

  private Drift() {}

  /** Outlying samples replaced by the median around them (Hampel's filter). */
  static double[] withoutPauses(double[] samples) {
    double[] calm = samples.clone();
    double[] medians = new double[samples.length];
    double[] distances = new double[samples.length];
    for (int i = 0; i < samples.length; i++) {
      int from = Math.max(0, Math.min(samples.length, i + WINDOW + 1) - 2 * WINDOW - 1);
      int to = Math.min(samples.length, from + 2 * WINDOW + 1);
      medians[i] = Samples.median(Arrays.copyOfRange(samples, from, to));
      distances[i] = Math.abs(samples[i] - medians[i]);
    }
    double scale = NORMAL * Samples.median(distances);
    for (int i = 0; scale > 0 && i < samples.length; i++) {
      calm[i] = distances[i] > FAR * scale ? medians[i] : samples[i];
    }
    return calm;
  }

  /**
   * The remaining drift of a series: by how many percent it would change over a part that follows,
   * at the pace of its last half, and at least by as much as its last two quarters differ.
   *
   * @param samples at least 40
   * @param following samples of that part
   * @return with a 90 % interval; it spans ±100 % where half of the last samples are 0
   */
  public static Estimate remaining(double[] samples, int following) {
    double[] calm = withoutPauses(samples);
    double[] last = Arrays.copyOfRange(calm, calm.length / 2, calm.length);
    if (Samples.median(last) <= 0) {
      return new Estimate(0, -100, 100, EQUIVALENCE_CONFIDENCE, 1, "%");
    }
    Estimate ratio = ratio(last, EQUIVALENCE_CONFIDENCE);
    double scale = 100 * Math.max(1, 4.0 * following / samples.length);
    return ratio.map(each -> scale * (each - 1), "%");
  }

  /** True where an interval of the remaining drift shows that the drift does not matter. */
  public static boolean isEquivalent(Estimate percent) {
    return percent.low() >= -EQUIVALENT_PERCENT && percent.high() <= EQUIVALENT_PERCENT;
  }

  /** The ratio of the last quarter to the one before. */
  static Estimate lastQuarter(double[] calm) {
    return ratio(Arrays.copyOfRange(calm, calm.length / 2, calm.length), CONFIDENCE);
  }

  /**
   * True where the second half surely differs from the first, so that the first is to be dropped.
   */
  static boolean differs(double[] calm) {
    return moves(ratio(calm, CONFIDENCE));
  }

  /** True where it surely moves, by more than matters. */
  static boolean moves(Estimate ratio) {
    return !ratio.contains(1) && Math.abs(ratio.value() - 1) > RELEVANT;
  }

  /** True where it neither surely moves nor is too restless to tell. */
  static boolean still(Estimate ratio) {
    return !moves(ratio) && ratio.halfWidth() <= TOO_WIDE;
  }

  /** The second half over the first. */
  private static Estimate ratio(double[] part, double confidence) {
    int size = Math.max(LEAST_BATCH, part.length / (2 * BATCHES_A_HALF));
    int each = part.length / (2 * size);
    double[] first = batches(part, 0, size, each);
    double[] second = batches(part, part.length - each * size, size, each);
    double a = Samples.mean(first);
    double b = Samples.mean(second);
    if (a == 0 || b == 0) {
      double same = a == b ? 1 : b == 0 ? 0 : 2;
      return new Estimate(same, same, same, confidence, 2 * each, "");
    }
    double[] both = MathArrays.concatenate(first, second);
    double[] aroundMeans = new double[both.length];
    Arrays.setAll(aroundMeans, i -> both[i] - (i < each ? a : b));
    Contrast jump = difference(b - a, aroundMeans);
    Contrast rise = difference(b - a, Line.through(both).residuals());
    Contrast least = rise.standardError() < jump.standardError() ? rise : jump;
    double half = least.halfWidth(confidence) / Math.abs(a);
    double ratio = b / a;
    return new Estimate(ratio, ratio - half, ratio + half, confidence, 2 * each, "");
  }

  /** The difference of the means of two halves, by what a jump or a line between them leaves. */
  private static Contrast difference(double value, double[] left) {
    int n = left.length;
    double squares = Arrays.stream(left).map(each -> each * each).sum();
    double inflation = Line.inflation(left, 1);
    double error = Math.sqrt(squares / (n - 2) * inflation * 4 / n);
    return new Contrast(value, error, Math.max(2, (n - 2) / inflation));
  }

  private static double[] batches(double[] part, int from, int size, int count) {
    double[] medians = new double[count];
    for (int i = 0; i < count; i++) {
      int start = from + i * size;
      medians[i] = Samples.median(Arrays.copyOfRange(part, start, start + size));
    }
    return medians;
  }
}
