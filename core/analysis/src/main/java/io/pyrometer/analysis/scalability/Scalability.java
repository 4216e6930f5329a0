package io.pyrometer.analysis.scalability;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Fits of the scalability law and its rivals to throughput against N.
 *
 * @param options as fitted
 * @param replicates how many points there are at each N
 * @param fits all models that could be fitted, the best first
 * @param law the scalability law, whether it won or not
 * @param outlier the point farthest off, if it belongs to none of the models
 * @param decline whether a decline was measured. A fitted law with a peak does not show one: it
 *     also fits curves that approach a limit without declining.
 * @param bestN the N with the largest mean
 */
public record Scalability(
    AnalysisOptions options,
    SortedMap<Double, Long> replicates,
    List<LawFit> fits,
    LawFit law,
    Optional<OutlyingPoint> outlier,
    Decline decline,
    double bestN) {
  /** Fewer different N than this give no verdict. */
  public static final int ENOUGH_LEVELS = 7;

  /** Fewer replicates at each N than this give no verdict. */
  public static final int ENOUGH_REPLICATES = 3;

  /** With fewer points nothing is said beyond the measured range: AICc favours fewer parameters. */
  public static final int ENOUGH_TO_EXTRAPOLATE = 10;

  /** Nothing is said beyond this many times the largest measured N. */
  public static final double FARTHEST = 4;

  /** A model is ruled out where its criterion lies further behind than this. */
  private static final double RULED_OUT = 6;

  /** Each contains the one before. */
  private static final List<Model> NESTED = List.of(Model.LINEAR, Model.AMDAHL, Model.UNIVERSAL);

  private static final int CURVE_POINTS = 65;
  private static final int CURVE_POINTS_BEYOND = 8;

  /** Comparison of the throughput at the largest N with that where it is largest. */
  public enum Decline {
    /** Without replicates nothing tells a decline from noise. */
    UNKNOWN,
    /** No decline beyond the noise. */
    NONE,
    /** Lower by more than the noise. */
    MEASURED
  }

  /**
   * The maximum of the scalability law.
   *
   * @param n N* = √((1−σ)/κ), beyond which throughput falls
   * @param throughput at N*
   * @param knee the N of the largest X²/N, beyond which each further node costs more than it gives
   */
  public record Peak(Estimate n, Estimate throughput, Estimate knee) {}

  /**
   * Throughput at an N that was perhaps not measured.
   *
   * @param throughput by the chosen model; beyond the measured range its interval is the union of
   *     those of the models that the points do not rule out
   * @param extrapolated whether N lies beyond the measured range
   * @param models those in that interval
   */
  public record Prediction(
      double n, Estimate throughput, boolean extrapolated, List<Model> models) {}

  /**
   * Fits all models.
   *
   * @param points one for each replicate at each N
   * @throws BadDataException if there are fewer than 4 points, fewer than 3 different N, or all
   *     throughputs are the same
   */
  public static Scalability of(List<ScalePoint> points, AnalysisOptions options) {
    long distinct = points.stream().mapToDouble(ScalePoint::n).distinct().count();
    if (points.size() < 4 || distinct < 3) {
      throw BadDataException.of(
          "The scalability law needs at least 4 points at 3 different numbers of %s, but the data"
              + " have %d at %d; add levels.",
          options.name(), points.size(), distinct);
    }
    if (points.stream().mapToDouble(ScalePoint::throughput).distinct().count() == 1) {
      throw BadDataException.of(
          "The throughput is the same to the last digit for every number of %s; look at how it was"
              + " measured.",
          options.name());
    }
    PooledPoints pooled = new PooledPoints(points, options);
    List<LawFit> fitted =
        Stream.of(Model.values())
            .filter(pooled::canFit)
            .flatMap(model -> fitted(model, pooled).stream())
            .toList();
    List<LawFit> fits =
        fitted.stream().sorted(Comparator.comparingDouble(criterion(fitted))).toList();
    return new Scalability(
        options,
        points.stream().collect(groupingBy(ScalePoint::n, TreeMap::new, counting())),
        fits,
        fits.stream().filter(fit -> fit.model() == Model.UNIVERSAL).findFirst().orElseThrow(),
        OutlyingPoint.find(pooled, fits),
        pooled.decline(),
        pooled.bestPlace());
  }

  /**
   * By AICc, or by AIC where the points are too few for the AICc of one of the models: the order of
   * the table, the choice of the model and what is ruled out follow from the same figure.
   */
  private static ToDoubleFunction<LawFit> criterion(List<LawFit> fits) {
    boolean corrected = isCorrected(fits);
    return fit -> corrected ? fit.aicc().orElseThrow() : fit.aic();
  }

  private static boolean isCorrected(List<LawFit> fits) {
    return fits.stream().allMatch(fit -> fit.aicc().isPresent());
  }

  /** The name of the criterion: AICc, or AIC where the points are too few for some model's AICc. */
  public String criterionName() {
    return isCorrected(fits) ? "AICc" : "AIC";
  }

  /** The figure by which models are ordered: AICc, or AIC where a model has none. */
  public double criterion(LawFit fit) {
    return criterion(fits).applyAsDouble(fit);
  }

  /** The model that explains the points best. */
  public LawFit chosen() {
    return fits.get(0);
  }

  /** Empty where a model cannot be fitted; for the law and its special cases that is an error. */
  private static Optional<LawFit> fitted(Model model, PooledPoints points) {
    try {
      return Optional.of(new LawFit(model, points));
    } catch (BadDataException nowhere) {
      if (NESTED.contains(model)) {
        throw nowhere;
      }
      return Optional.empty();
    }
  }

  /** The number of different N. */
  public int levels() {
    return replicates.size();
  }

  /** The number of points at the N that has fewest. */
  public int leastReplicates() {
    return Collections.min(replicates.values()).intValue();
  }

  /** The largest measured N. */
  public double largestN() {
    return replicates.lastKey();
  }

  /** The smallest measured N. */
  public double smallestN() {
    return replicates.firstKey();
  }

  /** The geometric mean of what was measured at an N. */
  public double measuredAt(double n) {
    return Math.exp(
        chosen().points().stream()
            .filter(point -> point.n() == n)
            .mapToDouble(point -> Math.log(point.observed()))
            .average()
            .orElseThrow());
  }

  /** Condition for a verdict: enough levels and replicates. */
  public boolean enough() {
    return levels() >= ENOUGH_LEVELS && leastReplicates() >= ENOUGH_REPLICATES;
  }

  /**
   * Condition for interpreting the parameters of the scalability law: the replicates show no lack
   * of fit, and no model that it does not contain rules it out.
   */
  public boolean lawHolds() {
    return !law.misfits() && (rivals().contains(law) || NESTED.contains(chosen().model()));
  }

  /**
   * The maximum of the law; empty if the law does not fit, if no decline was measured, since then a
   * peak is only bounded from below, or if κ is not significantly above 0. Empty too where it lies
   * beyond four times the measured range, of which nothing is said, or beyond the range at all if
   * there are too few points to extrapolate from.
   */
  public Optional<Peak> peak() {
    double limit = (extrapolates() ? FARTHEST : 1) * largestN();
    return lawHolds() && law.parameter("κ").estimate().low() > 0
        ? law.peak()
            .filter(peak -> peak.n().value() <= limit)
            .filter(peak -> decline == Decline.MEASURED || fallsFromTheFirst(peak))
        : Optional.empty();
  }

  /** True where all of the measured range lies beyond the maximum, which then needs no test. */
  private boolean fallsFromTheFirst(Peak peak) {
    return decline == Decline.UNKNOWN && bestN == smallestN() && peak.n().high() < smallestN();
  }

  /**
   * True where the points show a limit or a peak, but not which: throughput was largest between the
   * ends, or saturates by the chosen model, and without replicates nothing tells a decline from
   * noise.
   */
  public boolean saturatesOrPeaks() {
    return decline == Decline.UNKNOWN
        && bestN > smallestN()
        && (bestN < largestN() || chosen().saturation().isPresent());
  }

  /** True where there are enough points to predict throughput beyond the measured range. */
  public boolean extrapolates() {
    return chosen().points().size() >= ENOUGH_TO_EXTRAPOLATE;
  }

  /**
   * The throughput at {@code n}. Beyond the measured range its interval is that of all models
   * together which the points do not rule out, each with its weight.
   *
   * @throws BadDataException beyond four times the largest measured N, below 0, or anywhere beyond
   *     the measured range of fewer than 10 points
   */
  public Prediction at(double n) {
    if (!(n > 0) || n > FARTHEST * largestN()) {
      throw BadDataException.of(
          "N = %s is too far from the measured %s…%s to say anything; measure up to %s or more.",
          Figures.plain(n),
          Figures.plain(smallestN()),
          Figures.plain(largestN()),
          Figures.plain(Math.ceil(n / FARTHEST)));
    }
    if (n >= smallestN() && n <= largestN()) {
      return new Prediction(n, chosen().throughputInterval(n), false, List.of(chosen().model()));
    }
    if (!extrapolates()) {
      throw BadDataException.of(
          "%d points are too few to predict beyond the measured range; measure %d or more.",
          chosen().points().size(), ENOUGH_TO_EXTRAPOLATE);
    }
    List<Estimate> each = rivals().stream().map(rival -> rival.throughputInterval(n)).toList();
    Estimate own = each.get(0);
    return new Prediction(
        n,
        new Estimate(
            own.value(),
            each.stream().mapToDouble(Estimate::low).min().orElseThrow(),
            each.stream().mapToDouble(Estimate::high).max().orElseThrow(),
            Estimate.CONFIDENCE,
            own.replicates(),
            options.unit()),
        true,
        rivals().stream().map(LawFit::model).toList());
  }

  /** The models that the points do not rule out, the chosen one first. */
  public List<LawFit> rivals() {
    return notRuledOut(fits);
  }

  /** Fits whose information criterion exceeds the smallest one by 6 at most, in their order. */
  static List<LawFit> notRuledOut(List<LawFit> fits) {
    ToDoubleFunction<LawFit> criterion = criterion(fits);
    double least = fits.stream().mapToDouble(criterion).min().orElseThrow();
    return fits.stream().filter(fit -> criterion.applyAsDouble(fit) <= least + RULED_OUT).toList();
  }

  /**
   * The chosen model over the measured range at many places, and half as far again at some, for the
   * plot.
   */
  public List<Prediction> curve() {
    double from = smallestN();
    double to = largestN();
    DoubleStream within =
        IntStream.range(0, CURVE_POINTS)
            .mapToDouble(i -> from + i * (to - from) / (CURVE_POINTS - 1));
    DoubleStream measured = replicates.keySet().stream().mapToDouble(Double::doubleValue);
    int ahead = extrapolates() ? CURVE_POINTS_BEYOND : 0;
    DoubleStream beyond =
        IntStream.rangeClosed(1, ahead).mapToDouble(i -> to * (1 + 0.5 * i / ahead));
    return Stream.of(within, measured, beyond)
        .flatMapToDouble(places -> places)
        .sorted()
        .distinct()
        .mapToObj(this::at)
        .toList();
  }
}
