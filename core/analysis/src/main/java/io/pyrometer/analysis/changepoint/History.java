package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.Ratios;
import io.pyrometer.analysis.mixed.Contrast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The changes in a history: split where the energy distance is largest, again within both sides,
 * and so on; then changes that are not sure or too small against their neighbours are taken back,
 * the weakest first. Feed it medians of interleaved runs over a reference's: raw series, whose
 * neighbours resemble each other, give false changes in 40–86 of 100 cases.
 *
 * @param series as given
 * @param points the changes in order
 * @param visible the change in the middle that would have been found in 95 of 100 cases, 0.1 for 10
 *     %; empty where that is not known
 * @param findings one for each change; or that there is none, or that the history is too short
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out; two histories are never compared
public record History(
    double[] series, List<ChangePoint> points, OptionalDouble visible, List<Finding> findings) {
  /** Fewer values hold no two stretches to compare. */
  /** With fewer values no change can be found. */
  public static final int LEAST = 4;

  /** Splits are tried at this level; what does not hold in the end is taken back. */
  private static final double FIRST_LEVEL = 0.05;

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
   * Finds the changes.
   *
   * @param series values above 0, oldest first
   * @param labels one for each value, for example versions
   * @param response its name for the sentences
   * @throws BadDataException if a value is not above 0 or labels are missing
   */
  public static History of(double[] series, List<String> labels, String response, ChangeRule rule) {
    Samples.positive(series, 1, response);
    if (labels.size() != series.length) {
      throw BadDataException.of(
          "There are %d labels for %d values of %s; each value needs one.",
          labels.size(), series.length, response);
    }
    if (series.length < LEAST) {
      return new History(
          series, List.of(), OptionalDouble.empty(), List.of(tooShort(series.length)));
    }
    List<Integer> indices = indices(series, rule);
    List<ChangePoint> points = new ArrayList<>();
    for (int i = 0; i < indices.size(); i++) {
      points.add(point(series, labels, indices, i));
    }
    return new History(series, points, OptionalDouble.empty(), findings(points, response, rule));
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
    List<Integer> indices = List.copyOf(found.keySet());
    List<ChangePoint> points = new ArrayList<>();
    for (int i = 0; i < indices.size(); i++) {
      Contrast step = found.getOrDefault(indices.get(i), new Contrast(0, 1, 1));
      points.add(
          new ChangePoint(
              indices.get(i),
              labels.get(indices.get(i)),
              before(series, indices, i).mean(),
              after(series, indices, i).mean(),
              step.estimate(0.95, series.length, "").exp(),
              step.p()));
    }
    return new History(series, points, changes.visible(), changes.findings(points, response));
  }

  /** The indices at which changes hold. */
  static List<Integer> indices(double[] series, ChangeRule rule) {
    TreeSet<Integer> indices = new TreeSet<>();
    split(new Energy(series), series, 0, series.length, indices);
    List<Integer> kept = new ArrayList<>(indices);
    while (!kept.isEmpty()) {
      List<Integer> now = List.copyOf(kept);
      int weakest =
          IntStream.range(0, now.size())
              .filter(i -> !holds(series, now, i, rule))
              .reduce((a, b) -> p(series, now, a) >= p(series, now, b) ? a : b)
              .orElse(-1);
      if (weakest < 0) {
        break;
      }
      kept.remove(weakest);
    }
    return List.copyOf(kept);
  }

  private static void split(
      Energy energy, double[] series, int from, int to, TreeSet<Integer> indices) {
    Energy.Split best = energy.best(from, to);
    if (best.q() <= 0) {
      return;
    }
    double p = PooledT.p(side(series, from, best.index()), side(series, best.index(), best.end()));
    if (p < FIRST_LEVEL) {
      indices.add(best.index());
      split(energy, series, from, best.index(), indices);
      split(energy, series, best.index(), to, indices);
    }
  }

  static PooledT.Side side(double[] series, int from, int to) {
    double[] part = Arrays.copyOfRange(series, from, to);
    return new PooledT.Side(Samples.mean(part), Samples.variance(part), part.length);
  }

  private static PooledT.Side before(double[] series, List<Integer> indices, int i) {
    return side(series, i == 0 ? 0 : indices.get(i - 1), indices.get(i));
  }

  private static PooledT.Side after(double[] series, List<Integer> indices, int i) {
    return side(
        series, indices.get(i), i + 1 == indices.size() ? series.length : indices.get(i + 1));
  }

  private static double p(double[] series, List<Integer> indices, int i) {
    return PooledT.p(before(series, indices, i), after(series, indices, i));
  }

  private static boolean holds(double[] series, List<Integer> indices, int i, ChangeRule rule) {
    double ratio = after(series, indices, i).mean() / before(series, indices, i).mean();
    boolean relevant = Math.max(ratio, 1 / ratio) >= 1 / (1 - rule.smallest());
    return relevant && p(series, indices, i) < rule.level();
  }

  private static ChangePoint point(
      double[] series, List<String> labels, List<Integer> indices, int i) {
    int from = i == 0 ? 0 : indices.get(i - 1);
    int at = indices.get(i);
    int to = i + 1 == indices.size() ? series.length : indices.get(i + 1);
    Estimate ratio =
        Ratios.welch(Arrays.copyOfRange(series, from, at), Arrays.copyOfRange(series, at, to), 0.95)
            .ratio();
    return new ChangePoint(
        at,
        labels.get(at),
        before(series, indices, i).mean(),
        after(series, indices, i).mean(),
        ratio,
        p(series, indices, i));
  }

  private static List<Finding> findings(
      List<ChangePoint> points, String response, ChangeRule rule) {
    if (points.isEmpty()) {
      return List.of(
          finding(
              Finding.Severity.INFO,
              "No lasting change of %s by %s or more was found."
                  .formatted(response, Figures.percent(rule.smallest())),
              Map.of()));
    }
    return points.stream()
        .map(
            point ->
                finding(
                    Finding.Severity.NOTICE,
                    "From %s on %s is %s: %s before, %s after; confirm it by running the versions beside it again."
                        .formatted(
                            point.label(),
                            response,
                            Figures.change(point.after() / point.before()),
                            Figures.plain(point.before()),
                            Figures.plain(point.after())),
                    Map.of("after/before", point.ratio())))
        .toList();
  }

  private static Finding finding(
      Finding.Severity severity, String sentence, Map<String, Estimate> estimates) {
    return new Finding(
        Finding.Kind.CHANGE_POINT,
        severity,
        sentence,
        estimates,
        "Further runs, or a repeat of those beside the change.");
  }

  private static Finding tooShort(int values) {
    return new Finding(
        Finding.Kind.NOT_ENOUGH_RUNS,
        Finding.Severity.NOTICE,
        "A history of %s shows no change yet; it takes at least %d."
            .formatted(Figures.count(values, "run"), LEAST),
        Map.of(),
        "More runs.");
  }
}
