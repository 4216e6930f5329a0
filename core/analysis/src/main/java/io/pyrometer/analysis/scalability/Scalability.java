package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How throughput goes with N: all that the fits of the scalability law and its rivals say.
 *
 * @param options as fitted
 * @param law the scalability law, whether it won or not
 * @param chosen the model that explains the points best
 * @param candidates all models that could be fitted, best first
 * @param nested linear against Amdahl, Amdahl against the law
 * @param peak where the law turns; empty if it does not, or if κ is not told from 0
 * @param hop the law as service times; present if σ &gt; 1
 * @param levels the number of different N
 * @param leastReplicates the number of points at the N that has fewest
 * @param curve the chosen model over the measured range and half as far again, for the plot
 * @param outliers points that belong to none of the models, the farthest first
 * @param findings in words, the most important first
 */
public record Scalability(
    FitOptions options,
    LawFit law,
    LawFit chosen,
    List<Candidate> candidates,
    List<NestedModelTest> nested,
    Optional<Peak> peak,
    Optional<RemoteAccessCost> hop,
    int levels,
    int leastReplicates,
    List<Prediction> curve,
    List<OutlyingPoint> outliers,
    List<Finding> findings) {
  /** Fewer different N than this give no verdict. */
  public static final int ENOUGH_LEVELS = 7;

  /** Fewer replicates at each N than this give no verdict. */
  public static final int ENOUGH_REPLICATES = 3;

  /** A condition number over this says that the points cannot tell the parameters apart. */
  public static final double WORST_CONDITION = 100;

  /** With fewer points nothing is said beyond the measured range. */
  public static final int ENOUGH_TO_EXTRAPOLATE = 6;

  /** A model is ruled out where the points are as unlikely under it as this. */
  static final double RULED_OUT = 0.01;

  /** Nothing is said beyond this many times the largest measured N. */
  public static final double FARTHEST = 4;

  /** Copies the lists. */
  public Scalability {
    candidates = List.copyOf(candidates);
    nested = List.copyOf(nested);
    curve = List.copyOf(curve);
    outliers = List.copyOf(outliers);
    findings = List.copyOf(findings);
  }

  /**
   * Fits all models.
   *
   * @param points one for each replicate at each N
   * @throws BadDataException if there are fewer than 4 points, fewer than 3 different N, or all
   *     throughputs are the same
   */
  public static Scalability of(List<ScalePoint> points, FitOptions options) {
    return new ScalabilityAnalysis(points, options).analyse();
  }

  /** Without the curve and the sentences, which take most of the time. */
  static Scalability fitted(List<ScalePoint> points, FitOptions options) {
    return new ScalabilityAnalysis(points, options).fitted();
  }

  /** The largest measured N. */
  public double largestN() {
    return chosen.points().stream().mapToDouble(FittedPoint::n).max().orElseThrow();
  }

  /** The smallest measured N. */
  public double smallestN() {
    return chosen.points().stream().mapToDouble(FittedPoint::n).min().orElseThrow();
  }

  /** Whether there are enough levels and replicates for a verdict. */
  public boolean enough() {
    return levels >= ENOUGH_LEVELS && leastReplicates >= ENOUGH_REPLICATES;
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
    boolean extrapolated = n > largestN() || n < smallestN();
    if (!extrapolated) {
      Estimate own = chosen.throughputInterval(n, options.confidence(), options.unit());
      return new Prediction(n, own, false, List.of(chosen.model()));
    }
    Optional<String> obstacle = noExtrapolation();
    if (obstacle.isPresent()) {
      throw new BadDataException(obstacle.get() + ".");
    }
    Estimate own = chosen.throughputBeyond(n, options.confidence(), options.unit());
    List<LawFit> rivals = rivals();
    List<Estimate> predictions = new ArrayList<>();
    for (LawFit rival : rivals) {
      predictions.add(
          rival.model() == chosen.model()
              ? own
              : rival.throughputBeyond(n, options.confidence(), options.unit()));
    }
    ModelAverage average = new ModelAverage(rivals, predictions, options.confidence());
    Estimate ofAll =
        new Estimate(
            own.value(),
            Math.min(own.value(), average.low()),
            Math.max(own.value(), average.high()),
            options.confidence(),
            own.replicates(),
            options.unit());
    List<Model> models = rivals.stream().map(LawFit::model).toList();
    return new Prediction(n, ofAll, true, models);
  }

  /**
   * The models that the points do not rule out, the chosen one among them. A model is ruled out by
   * an F test at 1 % against the model that leaves least, whatever its number of parameters:
   * Akaike's criterion for few points takes so much for a parameter that below about ten points it
   * leaves no model of three, however well it fits.
   */
  public List<LawFit> rivals() {
    List<LawFit> fits = candidates.stream().map(Candidate::fit).toList();
    List<LawFit> left = notRuledOut(fits);
    return fits.stream()
        .filter(fit -> fit.model() == chosen.model() || left.contains(fit))
        .toList();
  }

  /** Those of some fits to the same points that the closest one does not rule out. */
  static List<LawFit> notRuledOut(List<LawFit> fits) {
    LawFit closest = fits.stream().min(Comparator.comparingDouble(LawFit::rss)).orElseThrow();
    return fits.stream()
        .filter(fit -> NestedModelTest.of(fit, closest, 1).p() >= RULED_OUT)
        .toList();
  }
}
