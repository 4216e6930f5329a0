package io.pyrometer.analysis.scalability;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How throughput goes with N: all that the fits of the scalability law and its rivals say.
 *
 * @param options as fitted
 * @param replicates how many points there are at each N
 * @param fits all models that could be fitted, the least AICc first
 * @param law the scalability law, whether it won or not
 * @param chosen the model that explains the points best
 * @param outlier the point farthest off, if it belongs to none of the models
 * @param declines whether a decline was measured: throughput at the largest N is lower than where
 *     it is largest. A fitted law with a peak does not show one: it also fits curves that approach
 *     a limit without declining.
 */
public record Scalability(
    FitOptions options,
    SortedMap<Double, Long> replicates,
    List<LawFit> fits,
    LawFit law,
    LawFit chosen,
    Optional<OutlyingPoint> outlier,
    boolean declines) {
  /** Fewer different N than this give no verdict. */
  public static final int ENOUGH_LEVELS = 7;

  /** Fewer replicates at each N than this give no verdict. */
  public static final int ENOUGH_REPLICATES = 3;

  /** A condition number over this says that the points cannot tell the parameters apart. */
  public static final double WORST_CONDITION = 100;

  /** With fewer points nothing is said beyond the measured range. */
  public static final int ENOUGH_TO_EXTRAPOLATE = 6;

  /** Nothing is said beyond this many times the largest measured N. */
  public static final double FARTHEST = 4;

  /** A model is ruled out where the points are as unlikely under it as this. */
  private static final double RULED_OUT = 0.01;

  /** AICc leans on large n; below this many points nested models are compared by F instead. */
  private static final int FEW_POINTS = 10;

  private static final double SIGNIFICANT = 0.05;

  /** Each contains the one before. */
  private static final List<Model> NESTED = List.of(Model.LINEAR, Model.AMDAHL, Model.UNIVERSAL);

  private static final int CURVE_POINTS = 65;
  private static final int CURVE_POINTS_BEYOND = 8;

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
   * @param throughput by the chosen model; beyond the measured range its interval is that of all
   *     models together which the points do not rule out, each with its weight
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
  public static Scalability of(List<ScalePoint> points, FitOptions options) {
    long distinct = points.stream().mapToDouble(ScalePoint::n).distinct().count();
    if (points.size() < 4 || distinct < 3) {
      throw BadDataException.of(
          "The scalability law needs at least 4 points at 3 different numbers of %s, but there are %d at %d; add levels.",
          options.what(), points.size(), distinct);
    }
    if (points.stream().mapToDouble(ScalePoint::throughput).distinct().count() == 1) {
      throw BadDataException.of(
          "The throughput is the same to the last digit for every number of %s; look at how it was measured.",
          options.what());
    }
    PooledPoints pooled = new PooledPoints(points, options);
    List<LawFit> fits =
        Stream.of(Model.values())
            .filter(pooled::canFit)
            .flatMap(model -> fitted(model, pooled).stream())
            .sorted(Comparator.comparingDouble(fit -> fit.aicc().orElse(Double.MAX_VALUE)))
            .toList();
    return new Scalability(
        options,
        points.stream().collect(groupingBy(ScalePoint::n, TreeMap::new, counting())),
        fits,
        fit(fits, Model.UNIVERSAL),
        points.size() < FEW_POINTS ? byNestedTests(fits) : fits.get(0),
        OutlyingPoint.find(pooled, fits),
        pooled.declines());
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

  private static LawFit fit(List<LawFit> fits, Model model) {
    return fits.stream().filter(fit -> fit.model() == model).findFirst().orElseThrow();
  }

  /**
   * The largest of the nested models that is significantly better than the one that it contains; if
   * the points rule that one out, the closest of all models.
   */
  private static LawFit byNestedTests(List<LawFit> fits) {
    LawFit best = fit(fits, NESTED.get(0));
    for (int i = 1; i < NESTED.size(); i++) {
      LawFit larger = fit(fits, NESTED.get(i));
      best = fit(fits, NESTED.get(i - 1)).pAgainst(larger) < SIGNIFICANT ? larger : best;
    }
    LawFit closest = closest(fits);
    return best.pAgainst(closest) < RULED_OUT ? closest : best;
  }

  private static LawFit closest(List<LawFit> fits) {
    return fits.stream().min(Comparator.comparingDouble(LawFit::rss)).orElseThrow();
  }

  /** In words, the most important first. */
  public List<Finding> findings() {
    return new ScalabilitySentences(this).findings();
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
  double measuredAt(double n) {
    return Math.exp(
        chosen.points().stream()
            .filter(point -> point.n() == n)
            .mapToDouble(point -> Math.log(point.observed()))
            .average()
            .orElseThrow());
  }

  /** Whether there are enough levels and replicates for a verdict. */
  public boolean enough() {
    return levels() >= ENOUGH_LEVELS && leastReplicates() >= ENOUGH_REPLICATES;
  }

  /**
   * Whether the parameters of the scalability law mean anything: no other model rules it out, and
   * the replicates show no lack of fit.
   */
  public boolean lawHolds() {
    return !law.misfits() && rivals().contains(law);
  }

  /**
   * The maximum of the law; empty if the law does not fit, if no decline was measured, since then a
   * peak is only bounded from below, or if κ is not significantly above 0. Empty too where it lies
   * beyond four times the measured range, of which nothing is said, or beyond the range at all if
   * there are too few points to extrapolate from.
   */
  public Optional<Peak> peak() {
    if (!declines()
        || !lawHolds()
        || law.value("σ") >= 1
        || law.parameter("κ").estimate().low() <= 0) {
      return Optional.empty();
    }
    double limit = (noExtrapolation().isPresent() ? 1 : FARTHEST) * largestN();
    if (peakN(law.theta()) > limit) {
      return Optional.empty();
    }
    Estimate n = law.ofShape(Scalability::peakN, options.what());
    Estimate knee = law.ofShape(Scalability::kneeN, options.what());
    return Optional.of(new Peak(n, law.throughputInterval(n.value()), knee));
  }

  private static double peakN(double[] theta) {
    return Math.sqrt((1 - theta[0]) / theta[1]);
  }

  private static double kneeN(double[] theta) {
    double b = theta[0] - theta[1];
    double root = Math.sqrt(b * b + 12 * theta[1] * (1 - theta[0]));
    return (root - b) / (6 * theta[1]);
  }

  /** Why nothing is said beyond the measured range; empty where something is. */
  public Optional<String> noExtrapolation() {
    int points = chosen.points().size();
    return points < ENOUGH_TO_EXTRAPOLATE
        ? Optional.of(
            "%s do not tell the models apart, so nothing is said beyond the measured %s; measure %d or more"
                .formatted(Figures.count(points, "point"), options.what(), ENOUGH_TO_EXTRAPOLATE))
        : Optional.empty();
  }

  /**
   * The throughput at {@code n}. Beyond the measured range its interval is that of all models
   * together which the points do not rule out, each with its weight.
   *
   * @throws BadDataException beyond four times the largest measured N, below 0, or anywhere beyond
   *     the measured range of fewer than 6 points
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
      return new Prediction(n, chosen.throughputInterval(n), false, List.of(chosen.model()));
    }
    Optional<String> obstacle = noExtrapolation();
    if (obstacle.isPresent()) {
      throw new BadDataException(obstacle.get() + ".");
    }
    List<LawFit> rivals = rivals();
    List<Estimate> each = rivals.stream().map(rival -> rival.throughputBeyond(n)).toList();
    Estimate own = each.get(rivals.indexOf(chosen));
    ModelAverage average = new ModelAverage(rivals, each, options.confidence());
    return new Prediction(
        n,
        new Estimate(
            own.value(),
            Math.min(own.value(), average.low()),
            Math.max(own.value(), average.high()),
            options.confidence(),
            own.replicates(),
            options.unit()),
        true,
        rivals.stream().map(LawFit::model).toList());
  }

  /**
   * The models that the points do not rule out, the chosen one among them. A model is ruled out by
   * an F test at 1 % against the model that leaves least, whatever its number of parameters:
   * Akaike's criterion for few points takes so much for a parameter that below about ten points it
   * leaves no model of three, however well it fits.
   */
  public List<LawFit> rivals() {
    List<LawFit> left = notRuledOut(fits);
    return fits.stream().filter(fit -> fit == chosen || left.contains(fit)).toList();
  }

  /** Those of some fits to the same points that the closest one does not rule out. */
  static List<LawFit> notRuledOut(List<LawFit> fits) {
    LawFit closest = closest(fits);
    return fits.stream().filter(fit -> fit.pAgainst(closest) >= RULED_OUT).toList();
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
    int ahead = noExtrapolation().isPresent() ? 0 : CURVE_POINTS_BEYOND;
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
