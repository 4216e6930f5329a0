package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.changepoint.History.ChangePoint;
import io.pyrometer.analysis.changepoint.History.ChangeRule;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Lasting changes and slow trends over runs of several blocks each. The runs are divided at a step,
 * or around a stretch that differs from the runs on both sides of it, as a regression that was
 * repaired does; every division is then judged by a t test of the two neighbouring segments, with
 * one variance of the runs' means over all segments. That test is exact however much two runs of
 * the same differ. A mixed model of the blocks would find more with few runs, but four runs that
 * happen to agree do not show that runs do not differ: at 4 runs it raised 4 false alarms where 1
 * was allowed. A change must hold by the noise of the blocks within their runs, too, and must not
 * rest on one run: a single run on a busy machine is no lasting change. The level is shared by
 * steps, stretches and trends, by all divisions that were tried, and by all figures that are
 * watched.
 */
final class RunChanges {
  /** A segment has at least so many runs. */
  private static final int LEAST_SIDE = 2;

  private static final double POWER = 0.95;
  private static final int SIMULATIONS = 400;
  private static final int HALVINGS = 12;
  private static final double MAX_LOG_CHANGE = 5;
  private static final long SEED = 1;

  private final List<double[]> runs;
  private final double[] means;
  private final double[] sums;
  private final double level;
  private final ChangeRule rule;

  /** The variance of ln y of a block within its run; 0 where runs have one block each. */
  private final double within;

  private final int free;

  RunChanges(List<double[]> runs, ChangeRule rule, int figures) {
    this.runs = runs.stream().map(Samples::ln).toList();
    this.means = this.runs.stream().mapToDouble(Samples::mean).toArray();
    this.sums = sums(means);
    this.rule = rule;
    this.level = rule.level() / figures / (means.length < 3 * LEAST_SIDE ? 2 : 3);
    this.free = runs.stream().mapToInt(run -> run.length - 1).sum();
    double squares = this.runs.stream().mapToDouble(Samples::sumOfSquares).sum();
    this.within = free > 0 ? squares / free : 0;
  }

  private static double[] sums(double[] values) {
    double[] sums = new double[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      sums[i + 1] = sums[i] + values[i];
    }
    return sums;
  }

  /** The differences of neighbouring segments by the index where the later one begins. */
  NavigableMap<Integer, Contrast> changes() {
    TreeSet<Integer> starts = new TreeSet<>();
    divide(0, means.length, starts);
    while (!starts.isEmpty()) {
      NavigableMap<Integer, Contrast> steps = steps(starts);
      Optional<Map.Entry<Integer, Contrast>> weakest =
          steps.entrySet().stream()
              .filter(
                  step ->
                      !holds(step.getValue(), splits(means.length))
                          || restsOnOneRun(step.getKey(), starts))
              .max(Comparator.comparingDouble(step -> step.getValue().p()));
      if (weakest.isEmpty()) {
        return steps;
      }
      starts.remove(weakest.get().getKey());
    }
    return new TreeMap<>();
  }

  /** Whether less than half of a change is left without one of the runs of its two segments. */
  private boolean restsOnOneRun(int at, NavigableSet<Integer> starts) {
    Integer before = starts.lower(at);
    Integer after = starts.higher(at);
    int from = before == null ? 0 : before;
    int to = after == null ? means.length : after;
    double change = change(from, at, to);
    return IntStream.range(from, to)
        .anyMatch(
            run -> {
              boolean later = run >= at;
              double segment =
                  later ? (sums[to] - sums[at]) / (to - at) : (sums[at] - sums[from]) / (at - from);
              double moved = (means[run] - segment) / ((later ? to - at : at - from) - 1);
              double left = later ? change - moved : change + moved;
              return left / change < 0.5;
            });
  }

  private double change(int from, int at, int to) {
    return (sums[to] - sums[at]) / (to - at) - (sums[at] - sums[from]) / (at - from);
  }

  private static int splits(int runs) {
    return runs - 2 * LEAST_SIDE + 1;
  }

  private void divide(int from, int to, Set<Integer> starts) {
    if (splits(to - from) < 1) {
      return;
    }
    int at = bestSplit(sums, from, to);
    Optional<Contrast> step = contrast(from, to, i -> i < at ? 0 : 1);
    if (step.isPresent() && holds(step.get(), splits(to - from))) {
      starts.add(at);
      divide(from, at, starts);
      divide(at, to, starts);
      return;
    }
    int[] inner = bestStretch(from, to);
    Optional<Contrast> stretch = contrast(from, to, i -> i >= inner[0] && i < inner[1] ? 1 : 0);
    if (inner[2] > 0 && stretch.isPresent() && holds(stretch.get(), inner[2])) {
      starts.add(inner[0]);
      starts.add(inner[1]);
      divide(from, inner[0], starts);
      divide(inner[0], inner[1], starts);
      divide(inner[1], to, starts);
    }
  }

  /** The division of [from, to) in two with the largest t. */
  private static int bestSplit(double[] sums, int from, int to) {
    int best = from + LEAST_SIDE;
    for (int at = best + 1; at <= to - LEAST_SIDE; at++) {
      best = between(sums, at, to, from, to) > between(sums, best, to, from, to) ? at : best;
    }
    return best;
  }

  /** The stretch within [from, to) with the largest t against the rest, and how many were tried. */
  private int[] bestStretch(int from, int to) {
    int[] best = {from, from, 0};
    double most = -1;
    for (int start = from + LEAST_SIDE; start <= to - 2 * LEAST_SIDE; start++) {
      for (int end = start + LEAST_SIDE; end <= to - LEAST_SIDE; end++) {
        best[2]++;
        double squares = between(sums, start, end, from, to);
        if (squares > most) {
          most = squares;
          best[0] = start;
          best[1] = end;
        }
      }
    }
    return best;
  }

  /** The sum of squares between [start, end) and the rest of [from, to). */
  private static double between(double[] sums, int start, int end, int from, int to) {
    double in = sums[end] - sums[start];
    double out = sums[to] - sums[from] - in;
    int inside = end - start;
    int outside = to - from - inside;
    double difference = in / inside - out / outside;
    return difference * difference * inside * outside / (to - from);
  }

  private NavigableMap<Integer, Contrast> steps(Set<Integer> starts) {
    List<Integer> ends = new ArrayList<>(starts);
    ends.add(0, 0);
    ends.add(means.length);
    double squares = 0;
    for (int k = 1; k < ends.size(); k++) {
      squares += Samples.sumOfSquares(Arrays.copyOfRange(means, ends.get(k - 1), ends.get(k)));
    }
    double df = means.length - starts.size() - 1.0;
    NavigableMap<Integer, Contrast> steps = new TreeMap<>();
    for (int k = 1; k < ends.size() - 1; k++) {
      int from = ends.get(k - 1);
      int at = ends.get(k);
      int to = ends.get(k + 1);
      double change = change(from, at, to);
      double error = Math.sqrt(squares / df * (1.0 / (at - from) + 1.0 / (to - at)));
      Contrast byRuns = new Contrast(change, error, df);
      double ofBlocks = Math.hypot(errorOfBlocks(from, at), errorOfBlocks(at, to));
      Contrast byBlocks = new Contrast(change, ofBlocks, Math.max(1, free));
      steps.put(at, free == 0 || byRuns.p() >= byBlocks.p() ? byRuns : byBlocks);
    }
    return steps;
  }

  private double errorOfBlocks(int from, int to) {
    double variance = 0;
    for (int i = from; i < to; i++) {
      variance += within / runs.get(i).length;
    }
    return Math.sqrt(variance) / (to - from);
  }

  private boolean holds(Contrast step, int tried) {
    return relevant(step.value()) && step.p() * tried < level;
  }

  private boolean relevant(double change) {
    return Math.abs(change) >= -Math.log(1 - rule.smallest());
  }

  /** The whole change from the first run to the last along a straight line, if it is sure. */
  Optional<Contrast> trend() {
    Optional<Contrast> line =
        contrast(0, means.length, i -> i / (double) Math.max(1, means.length - 1));
    return line.filter(found -> holds(found, 1));
  }

  /**
   * The loss in the middle of the runs that is found in 95 of 100 simulated histories whose runs
   * differ as these do, their variance being known only as well as these show it; empty where the
   * runs do not vary, or if no loss is found so often.
   */
  OptionalDouble visible() {
    int n = means.length;
    int middle = n / 2;
    Optional<Contrast> step = contrast(0, n, i -> i < middle ? 0 : 1);
    if (splits(n) < 1 || step.isEmpty() || !(step.get().standardError() > 0)) {
      return OptionalDouble.empty();
    }
    double df = step.get().degreesOfFreedom();
    double sd = step.get().standardError() / Math.sqrt(1.0 / middle + 1.0 / (n - middle));
    Random random = new Random(SEED);
    List<double[]> noise = new ArrayList<>();
    for (int k = 0; k < SIMULATIONS; k++) {
      double chiSquared = random.doubles((long) df).map(u -> square(random.nextGaussian())).sum();
      double sigma = sd * Math.sqrt(df / chiSquared);
      noise.add(random.doubles(n).map(u -> sigma * random.nextGaussian()).toArray());
    }
    double low = 0;
    double high = MAX_LOG_CHANGE;
    if (shareFound(noise, high) < POWER) {
      return OptionalDouble.empty();
    }
    for (int i = 0; i < HALVINGS; i++) {
      double change = (low + high) / 2;
      boolean enough = shareFound(noise, change) >= POWER;
      low = enough ? low : change;
      high = enough ? change : high;
    }
    return OptionalDouble.of(1 - Math.exp(-high));
  }

  private static double square(double x) {
    return x * x;
  }

  /** The share of simulated histories in which a step holds if it has this size. */
  private double shareFound(List<double[]> noise, double change) {
    int n = means.length;
    double limit = StudentT.quantile(1 - level / splits(n) / 2, n - 2.0);
    int found = 0;
    for (double[] of : noise) {
      double[] y = of.clone();
      for (int i = n / 2; i < n; i++) {
        y[i] -= change;
      }
      double[] total = sums(y);
      int at = bestSplit(total, 0, n);
      double step = (total[n] - total[at]) / (n - at) - total[at] / at;
      double squares = between(total, at, n, 0, n);
      double left = Math.max(0, Samples.sumOfSquares(y) - squares) / (n - 2);
      found += relevant(step) && squares > limit * limit * left ? 1 : 0;
    }
    return found / (double) noise.size();
  }

  /**
   * The slope of the runs' means along a number that is known of each; empty where they do not
   * vary. It is judged by the means and by the noise of their blocks alone, of which the one that
   * makes it less sure counts.
   */
  private Optional<Contrast> contrast(int from, int to, IntToDoubleFunction of) {
    double[] y = Arrays.copyOfRange(means, from, to);
    int n = y.length;
    if (Arrays.stream(y).distinct().count() < 2) {
      return Optional.empty();
    }
    double[] x = IntStream.range(from, to).mapToDouble(of).toArray();
    double middle = Samples.mean(x);
    double mean = Samples.mean(y);
    double spread = Samples.sumOfSquares(x);
    double products = 0;
    double ofBlocks = 0;
    for (int i = 0; i < n; i++) {
      products += (x[i] - middle) * (y[i] - mean);
      ofBlocks += (x[i] - middle) * (x[i] - middle) * within / runs.get(from + i).length;
    }
    double slope = products / spread;
    double left = Math.max(0, Samples.sumOfSquares(y) - slope * products);
    Contrast byRuns = new Contrast(slope, Math.sqrt(left / (n - 2) / spread), n - 2.0);
    if (free == 0) {
      return Optional.of(byRuns);
    }
    Contrast byBlocks = new Contrast(slope, Math.sqrt(ofBlocks) / spread, free);
    return Optional.of(byRuns.p() >= byBlocks.p() ? byRuns : byBlocks);
  }

  /** The findings of a history by its runs' blocks. */
  List<Finding> findings(List<ChangePoint> points, OptionalDouble visible, String response) {
    List<Finding> findings = new ArrayList<>();
    points.forEach(
        point ->
            findings.add(
                finding(
                    Finding.Severity.NOTICE,
                    "From %s on %s is %s (%s): %s before, %s after; confirm it by rerunning the versions before and after it."
                        .formatted(
                            point.label(),
                            response,
                            Figures.change(point.ratio().value()),
                            point.ratio().interval(Figures::change),
                            Figures.plain(point.before()),
                            Figures.plain(point.after())),
                    Map.of("after/before", point.ratio()))));
    if (!points.isEmpty()) {
      return findings;
    }
    Optional<Contrast> trend = trend();
    if (trend.isPresent()) {
      Estimate whole = trend.get().estimate(0.95, means.length, "").exp();
      findings.add(
          finding(
              Finding.Severity.NOTICE,
              "%s drifts: %s from the first to the last of %s (%s), without a single step that explains it; measure the oldest version interleaved with the newest."
                  .formatted(
                      Character.toUpperCase(response.charAt(0)) + response.substring(1),
                      Figures.change(whole.value()),
                      Figures.count(means.length, "run"),
                      whole.interval(Figures::change)),
              Map.of("last/first", whole)));
      return findings;
    }
    String seen =
        visible.isPresent()
            ? "at this spread of runs a change of %s in the middle would be found in 95 of 100 cases"
                .formatted(Figures.percent(visible.getAsDouble()))
            : "the change that would have been found is not known, because the runs do not vary or are too few";
    findings.add(
        finding(
            Finding.Severity.INFO,
            "No lasting change of %s by %s or more was found over %s; %s."
                .formatted(
                    response,
                    Figures.percent(rule.smallest()),
                    Figures.count(means.length, "run"),
                    seen),
            Map.of()));
    return findings;
  }

  private static Finding finding(
      Finding.Severity severity, String sentence, Map<String, Estimate> estimates) {
    return new Finding(
        Finding.Kind.CHANGE_POINT,
        severity,
        sentence,
        estimates,
        "Further runs, or a repeat of those next to the change.");
  }
}
