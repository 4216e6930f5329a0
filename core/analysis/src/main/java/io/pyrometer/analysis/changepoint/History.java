package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalDouble;

/**
 * The changes in a history of runs, each with the difference of the segments next to it.
 *
 * @param series the geometric mean of each run
 * @param points the changes in order
 * @param visible the loss in the middle that would be found in 95 of 100 cases, 0.1 for 10 %; empty
 *     where that is not known
 * @param findings one for each change; or that there is none, or that the history is too short
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out; two histories are never compared
public record History(
    double[] series, List<ChangePoint> points, OptionalDouble visible, List<Finding> findings) {
  /** With fewer values no change can be found. */
  public static final int LEAST = 4;

  /** Copies. */
  public History {
    series = series.clone();
    points = List.copyOf(points);
    findings = List.copyOf(findings);
  }

  /** A copy of the series. */
  @Override
  public double[] series() {
    return series.clone();
  }

  /**
   * Finds the changes among runs of several blocks each, as {@link RunChanges} does.
   *
   * @param runs the blocks' values of each run, all above 0; the oldest run first
   * @param labels one for each run
   * @param rule its level is the rate of false changes over all figures and splits together
   * @param figures how many such histories are looked at
   */
  public static History ofRuns(
      List<double[]> runs, List<String> labels, String response, ChangeRule rule, int figures) {
    runs.forEach(run -> Samples.positive(run, 1, response));
    double[] series =
        runs.stream().mapToDouble(run -> Math.exp(Samples.mean(Samples.ln(run)))).toArray();
    if (labels.size() != series.length) {
      throw BadDataException.of(
          "There are %d labels for %d values of %s; each value needs one.",
          labels.size(), series.length, response);
    }
    if (series.length < LEAST) {
      return new History(
          series, List.of(), OptionalDouble.empty(), List.of(tooShort(series.length)));
    }
    RunChanges changes = new RunChanges(runs, rule, figures);
    NavigableMap<Integer, Contrast> found = changes.changes();
    List<ChangePoint> points = new ArrayList<>();
    int from = 0;
    for (int at : found.keySet()) {
      Integer next = found.higherKey(at);
      Contrast step = found.getOrDefault(at, new Contrast(0, 1, 1));
      points.add(
          new ChangePoint(
              at,
              labels.get(at),
              mean(series, from, at),
              mean(series, at, next == null ? series.length : next),
              step.estimate(0.95, series.length, "").exp(),
              step.p()));
      from = at;
    }
    OptionalDouble visible = changes.visible();
    return new History(series, points, visible, changes.findings(points, visible, response));
  }

  private static double mean(double[] series, int from, int to) {
    return Math.exp(Samples.mean(Samples.ln(Arrays.copyOfRange(series, from, to))));
  }

  private static Finding tooShort(int values) {
    return Finding.notice(
        Finding.Kind.NOT_ENOUGH_RUNS,
        "A history of %s is too short to show a change; at least %d runs are needed."
            .formatted(Figures.count(values, "run"), LEAST),
        "More runs.");
  }

  /**
   * A lasting change in a history.
   *
   * @param index of the first value after it
   * @param label of that value, for example a version
   * @param before the mean between the change before and this one
   * @param after the mean between this change and the next
   * @param ratio after/before of the geometric means, with its interval
   * @param p of means so far apart without a change
   */
  public record ChangePoint(
      int index, String label, double before, double after, Estimate ratio, double p) {}

  /**
   * What counts as a change.
   *
   * @param level the p below which it is sure
   * @param smallest the smallest relevant change, 0.05 for 5 %
   */
  public record ChangeRule(double level, double smallest) {
    /**
     * For runs of several blocks: a false change in at most one of twenty looks at all figures, at
     * least 5 %.
     */
    public static final ChangeRule OF_RUNS = new ChangeRule(0.05, 0.05);

    /** Throws {@link BadDataException} if the figures are out of range. */
    public ChangeRule {
      if (!(level > 0 && level < 1) || !(smallest >= 0 && smallest < 1)) {
        throw BadDataException.of(
            "A change cannot be judged at level %s and smallest size %s; the default is 0.05 and 0.05.",
            level, smallest);
      }
    }
  }
}
