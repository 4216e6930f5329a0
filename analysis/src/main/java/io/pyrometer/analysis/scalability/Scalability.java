package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import java.util.ArrayList;
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
 * @param findings in words, the most important first
 */
public record Scalability(
    FitOptions options,
    LawFit law,
    LawFit chosen,
    List<Candidate> candidates,
    List<NestedTest> nested,
    Optional<Peak> peak,
    Optional<Hop> hop,
    int levels,
    int leastReplicates,
    List<Prediction> curve,
    List<Finding> findings) {
  /** Fewer different N than this give no verdict. */
  public static final int ENOUGH_LEVELS = 7;

  /** Fewer replicates at each N than this give no verdict. */
  public static final int ENOUGH_REPLICATES = 3;

  /** A condition number over this says that the points cannot tell the parameters apart. */
  public static final double WORST_CONDITION = 100;

  /** Models within this of the best AICc take part in extrapolation. */
  public static final double RIVALS = 6;

  /** Nothing is said beyond this many times the largest measured N. */
  public static final double FARTHEST = 4;

  /** Copies the lists. */
  public Scalability {
    candidates = List.copyOf(candidates);
    nested = List.copyOf(nested);
    curve = List.copyOf(curve);
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

  /**
   * The throughput at {@code n}.
   *
   * @throws BadDataException beyond four times the largest measured N, or below 0
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
    Estimate own = chosen.throughputInterval(n, options.confidence(), options.unit());
    if (!extrapolated) {
      return new Prediction(n, own, false, List.of(chosen.model()));
    }
    double low = own.low();
    double high = own.high();
    List<Model> models = new ArrayList<>();
    for (LawFit rival : rivals()) {
      Estimate other = rival.throughputInterval(n, options.confidence(), options.unit());
      low = Math.min(low, other.low());
      high = Math.max(high, other.high());
      models.add(rival.model());
    }
    Estimate union =
        new Estimate(
            own.value(), low, high, options.confidence(), own.replicates(), options.unit());
    return new Prediction(n, union, true, models);
  }

  /** The models that the points do not rule out, the chosen one among them. */
  public List<LawFit> rivals() {
    return candidates.stream()
        .filter(c -> c.fit().model() == chosen.model() || c.deltaAicc().orElse(RIVALS) <= RIVALS)
        .map(Candidate::fit)
        .toList();
  }
}
