package io.pyrometer.analysis.changepoint;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.mixed.MixedFit;
import io.pyrometer.analysis.mixed.MixedModel;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * Lasting changes and slow trends over runs of several blocks each. Where to split is found by the
 * energy distance of the runs' means; whether a split holds is judged by a mixed model in which
 * runs are random and blocks lie within them, so that what blocks say of a run's precision counts,
 * and few runs can show a great change. The level is shared by all splits that were tried and by
 * all figures that are watched.
 */
final class RunChanges {
  /** A side of a change has at least so many runs. */
  private static final int LEAST_SIDE = 2;

  private static final double POWER = 0.95;

  private final List<double[]> runs;
  private final double[] means;
  private final double level;
  private final ChangeRule rule;

  RunChanges(List<double[]> runs, ChangeRule rule, int figures) {
    this.runs = runs.stream().map(Samples::ln).toList();
    this.means = this.runs.stream().mapToDouble(Samples::mean).toArray();
    this.rule = rule;
    this.level = rule.level() / figures;
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

  /** The change in the middle of the runs that would be found in 95 of 100 cases. */
  OptionalDouble visible() {
    int middle = means.length / 2;
    int splits = Math.max(1, means.length - 2 * LEAST_SIDE + 1);
    Optional<Contrast> step = contrast(0, means.length, i -> i < middle ? 0 : 1);
    if (step.isEmpty() || !(step.get().standardError() > 0)) {
      return OptionalDouble.empty();
    }
    double df = step.get().degreesOfFreedom();
    double sure = StudentT.quantile(1 - level / splits / 2, df);
    double size = (sure + StudentT.quantile(POWER, df)) * step.get().standardError();
    return OptionalDouble.of(Math.max(rule.smallest(), 1 - Math.exp(-size)));
  }

  /** What goes with a number that is known of each run; empty where nothing is left to judge by. */
  private Optional<Contrast> contrast(int from, int to, IntToDoubleFunction of) {
    List<Double> y = new ArrayList<>();
    List<double[]> x = new ArrayList<>();
    List<Integer> run = new ArrayList<>();
    for (int i = from; i < to; i++) {
      for (double value : runs.get(i)) {
        y.add(value);
        x.add(new double[] {1, of.applyAsDouble(i)});
        run.add(i);
      }
    }
    double[] values = y.stream().mapToDouble(Double::doubleValue).toArray();
    if (values.length < 4 || Arrays.stream(values).distinct().count() < 2) {
      return Optional.empty();
    }
    Grouping runsOfValues = Grouping.of("run", run);
    boolean blocks = runsOfValues.groups() < values.length;
    try {
      MixedFit fit =
          MixedModel.fit(
              values, x.toArray(new double[0][]), blocks ? List.of(runsOfValues) : List.of());
      return Optional.of(fit.coefficient(1));
    } catch (BadDataException nothingToJudgeBy) {
      return Optional.empty();
    }
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
    String seen =
        visible().isPresent()
            ? "a change of %s in the middle would have been found in 95 of 100 cases"
                .formatted(Figures.percent(visible().getAsDouble()))
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
