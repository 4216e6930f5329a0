package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Samples;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The best split of a series into stretches of one mean and one variance each (Killick, Fearnhead
 * and Eckley, Optimal detection of changepoints with a linear computational cost, 2012), with
 * normal cost n(ln 2π + ln variance + 1) and penalty 15·ln n a stretch.
 */
public final class Pelt {
  private static final int LEAST_LENGTH = 2;
  private static final double PENALTY_PER_LOG_N = 15;

  private final double[] sums;
  private final double[] squares;
  private final double centre;
  private final double leastVariance;
  private final double penalty;

  /**
   * A stretch of samples with one mean and one variance.
   *
   * @param from index of its first sample
   * @param to index after its last
   * @param mean in the samples' unit
   * @param variance the maximum-likelihood one (divided by n), in the unit squared
   */
  public record Segment(int from, int to, double mean, double variance) {}

  private Pelt(double[] samples) {
    int n = samples.length;
    centre = Samples.mean(samples);
    sums = new double[n + 1];
    squares = new double[n + 1];
    for (int i = 0; i < n; i++) {
      double x = samples[i] - centre;
      sums[i + 1] = sums[i] + x;
      squares[i + 1] = squares[i] + x * x;
    }
    leastVariance = leastVariance(samples);
    penalty = PENALTY_PER_LOG_N * Math.log(n);
  }

  /**
   * Splits the series.
   *
   * @return the stretches in order, together the whole series
   * @throws io.pyrometer.analysis.BadDataException if there are fewer than 4 samples
   */
  public static List<Segment> segments(double[] samples) {
    Samples.checked(samples, 2 * LEAST_LENGTH, "the time series");
    return new Pelt(samples).split(samples.length);
  }

  /** The sum of all stretches' costs and penalties; what {@link #segments} makes least. */
  static double objective(double[] samples, List<Segment> segments) {
    Pelt pelt = new Pelt(samples);
    return segments.stream().mapToDouble(s -> pelt.cost(s.from(), s.to()) + pelt.penalty).sum()
        - pelt.penalty;
  }

  private List<Segment> split(int n) {
    double[] best = new double[n + 1];
    int[] previous = new int[n + 1];
    best[0] = -penalty;
    List<Integer> candidates = new ArrayList<>(List.of(0));
    for (int end = LEAST_LENGTH; end <= n; end++) {
      double least = Double.POSITIVE_INFINITY;
      for (int start : candidates) {
        double total = best[start] + cost(start, end) + penalty;
        if (total < least) {
          least = total;
          previous[end] = start;
        }
      }
      best[end] = least;
      int next = end - LEAST_LENGTH + 1;
      if (next >= LEAST_LENGTH) {
        // Judged at the newcomer, not at the end: a start that it beats there never wins again.
        candidates.removeIf(
            start -> next - start >= LEAST_LENGTH && best[start] + cost(start, next) > best[next]);
        candidates.add(next);
      }
    }
    Deque<Segment> segments = new ArrayDeque<>();
    for (int end = n; end > 0; end = previous[end]) {
      segments.addFirst(segment(previous[end], end));
    }
    return List.copyOf(segments);
  }

  private double cost(int from, int to) {
    int n = to - from;
    double variance = Math.max(rawVariance(from, to), leastVariance);
    return n * (Math.log(2 * Math.PI) + Math.log(variance) + 1);
  }

  private double rawVariance(int from, int to) {
    int n = to - from;
    double mean = (sums[to] - sums[from]) / n;
    return Math.max(0, (squares[to] - squares[from]) / n - mean * mean);
  }

  private Segment segment(int from, int to) {
    double mean = centre + (sums[to] - sums[from]) / (to - from);
    return new Segment(from, to, mean, rawVariance(from, to));
  }

  /**
   * Samples are counts: a few equal ones in a row have no variance, and ln 0 would make each a
   * stretch of its own. A hundredth of the noise between neighbours is as small as variance gets.
   */
  private static double leastVariance(double[] samples) {
    double[] steps = new double[samples.length - 1];
    for (int i = 0; i < steps.length; i++) {
      double step = samples[i + 1] - samples[i];
      steps[i] = step * step;
    }
    double noise = Samples.median(steps) / (2 * 0.4549);
    double size = Math.abs(Samples.mean(samples));
    return Math.max(0.01 * noise, Math.max(1e-8 * size * size, Double.MIN_NORMAL));
  }
}
