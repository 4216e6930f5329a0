package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.Contrast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.ChiSquaredDistribution;
import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * Lasting changes and slow trends over runs of several blocks each. Where to split is found by the
 * energy distance of the runs' means; whether a split holds is judged by a t test of those means,
 * which is exact however much two runs of the same differ. A mixed model of the blocks would find
 * more with few runs, but four runs that happen to agree do not show that runs do not differ: at 4
 * runs it raised 4 false alarms where 1 was allowed. A change must hold by the noise of the blocks
 * within their runs, too. The level is shared by steps and trends, by all splits that were tried,
 * and by all figures that are watched.
 */
final class RunChanges {
  /** A side of a change has at least so many runs. */
  private static final int LEAST_SIDE = 2;

  private static final double POWER = 0.95;
  private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);
  private static final double ERRORS = 8;
  private static final int STEPS = 200;
  private static final int HALVINGS = 30;

  private final List<double[]> runs;
  private final double[] means;
  private final double level;
  private final ChangeRule rule;

  /** The variance of ln y of a block within its run; 0 where runs have one block each. */
  private final double within;

  private final int free;

  RunChanges(List<double[]> runs, ChangeRule rule, int figures) {
    this.runs = runs.stream().map(Samples::ln).toList();
    this.means = this.runs.stream().mapToDouble(Samples::mean).toArray();
    this.rule = rule;
    this.level = rule.level() / figures / 2;
    this.free = runs.stream().mapToInt(run -> run.length - 1).sum();
    double squares = this.runs.stream().mapToDouble(Samples::sumOfSquares).sum();
    this.within = free > 0 ? squares / free : 0;
  }

  /** Change points by their index, in order. */
  NavigableMap<Integer, Contrast> changes() {
    NavigableMap<Integer, Contrast> changes = new TreeMap<>();
    split(new Energy(means), 0, means.length, changes);
    return changes;
  }

  private void split(Energy energy, int from, int to, Map<Integer, Contrast> changes) {
    int splits = to - from - 2 * LEAST_SIDE + 1;
    if (splits < 1) {
      return;
    }
    Energy.Split best = energy.best(from, to);
    int at = Math.max(from + LEAST_SIDE, Math.min(to - LEAST_SIDE, best.index()));
    Optional<Contrast> step = contrast(from, to, i -> i < at ? 0 : 1);
    if (step.isPresent() && holds(step.get(), splits)) {
      changes.put(at, step.get());
      split(energy, from, at, changes);
      split(energy, at, to, changes);
    }
  }

  private boolean holds(Contrast step, int splits) {
    boolean relevant = Math.abs(step.value()) >= -Math.log(1 - rule.smallest());
    return relevant && step.p() * splits < level;
  }

  /** The whole change from the first run to the last along a straight line, if it is sure. */
  Optional<Contrast> trend() {
    Optional<Contrast> line =
        contrast(0, means.length, i -> i / (double) Math.max(1, means.length - 1));
    return line.filter(found -> holds(found, 1));
  }

  /**
   * The change in the middle of the runs that would be found in 95 of 100 cases, if runs differ as
   * much as they seem to.
   */
  OptionalDouble visible() {
    int middle = means.length / 2;
    int splits = Math.max(1, means.length - 2 * LEAST_SIDE + 1);
    Optional<Contrast> step = contrast(0, means.length, i -> i < middle ? 0 : 1);
    if (step.isEmpty() || !(step.get().standardError() > 0)) {
      return OptionalDouble.empty();
    }
    double df = step.get().degreesOfFreedom();
    double size = found(StudentT.quantile(1 - level / splits / 2, df), df);
    double drop = 1 - Math.exp(-size * step.get().standardError());
    return OptionalDouble.of(Math.max(rule.smallest(), drop));
  }

  /**
   * How many standard errors a change must measure for its t to pass a limit in 95 of 100 cases:
   * the non-centrality, by the mean of the normal probability over the distribution of the error.
   */
  private static double found(double limit, double df) {
    ChiSquaredDistribution chi = new ChiSquaredDistribution(df);
    double half = ERRORS / Math.sqrt(2 * df);
    double lowest = Math.max(0, 1 - half);
    double[] errors = new double[STEPS];
    double[] weights = new double[STEPS];
    for (int i = 0; i < STEPS; i++) {
      errors[i] = lowest + (1 + half - lowest) * (i + 0.5) / STEPS;
      weights[i] = errors[i] * chi.density(errors[i] * errors[i] * df);
    }
    double all = Arrays.stream(weights).sum();
    double low = 0;
    double high = 10 * (limit + 1);
    for (int halving = 0; halving < HALVINGS; halving++) {
      double middle = (low + high) / 2;
      double power = 0;
      for (int i = 0; i < STEPS; i++) {
        power += weights[i] / all * NORMAL.cumulativeProbability(middle - limit * errors[i]);
      }
      low = power < POWER ? middle : low;
      high = power < POWER ? high : middle;
    }
    return high;
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
  List<Finding> findings(List<ChangePoint> points, String response) {
    List<Finding> findings = new ArrayList<>();
    points.forEach(
        point ->
            findings.add(
                finding(
                    Finding.Severity.NOTICE,
                    "From %s on %s is %s (95 %% interval %s to %s): %s before, %s after; confirm it by running the versions beside it again."
                        .formatted(
                            point.label(),
                            response,
                            Figures.change(point.ratio().value()),
                            Figures.change(point.ratio().low()),
                            Figures.change(point.ratio().high()),
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
              "%s drifts: %s from the first to the last of %s (95 %% interval %s to %s), without one step that explains it; run the oldest version again beside the newest."
                  .formatted(
                      Character.toUpperCase(response.charAt(0)) + response.substring(1),
                      Figures.change(whole.value()),
                      Figures.count(means.length, "run"),
                      Figures.change(whole.low()),
                      Figures.change(whole.high())),
              Map.of("last/first", whole)));
      return findings;
    }
    OptionalDouble visible = visible();
    String seen =
        visible.isPresent()
            ? "at this spread of runs a change of %s in the middle would be found in 95 of 100 cases"
                .formatted(Figures.percent(visible.getAsDouble()))
            : "what change would have been found is not known, as the values do not vary";
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
        "Further runs, or a repeat of those beside the change.");
  }
}
