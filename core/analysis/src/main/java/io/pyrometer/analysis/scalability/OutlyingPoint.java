package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.scalability.PooledPoints.Blocks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A point that belongs to none of the models that the others allow.
 *
 * @param point as measured
 * @param expected by the model that comes nearest to it when fitted without it
 * @param studentised its externally studentised residual under that model
 * @param p corrected for the number of points (Bonferroni)
 */
public record OutlyingPoint(ScalePoint point, double expected, double studentised, double p) {
  private static final double SIGNIFICANT = 0.05;

  /**
   * A point that is as likely as this while blocks vary as they seem to with it is not looked at
   * with their variance estimated without it, which takes most of the time.
   */
  private static final double UNREMARKABLE = 0.5;

  /** Of each model so many points with the largest residuals are looked at, and both ends. */
  private static final int SUSPECTS = 2;

  /** With fewer points left too little is known of the noise. */
  private static final int FEWEST = 6;

  private static final int PARAMETERS = 3;
  private static final double FARTHEST = 1e6;

  /**
   * The farthest point that no model explains, if there is one, since it bends the fits by which
   * the others are judged. Each suspect is predicted by every model of three parameters, fitted
   * without it, and is outlying only if it is so for all of them that the other points do not rule
   * out.
   *
   * @param fits of all models to all points
   */
  static Optional<OutlyingPoint> find(PooledPoints points, List<LawFit> fits) {
    int n = points.points().size();
    if (n < FEWEST || points.options().scale() == ResponseScale.PLAIN) {
      return Optional.empty();
    }
    List<LawFit> flexible =
        fits.stream()
            .filter(fit -> fit.model().parameters() == PARAMETERS || fit.saturation().isPresent())
            .toList();
    return suspects(points.points(), flexible).stream()
        .flatMap(suspect -> nearest(points, suspect, flexible).stream())
        .filter(outlier -> outlier.p() < SIGNIFICANT)
        .filter(o -> Samples.differMaterially(o.point().throughput(), o.expected()))
        .min(Comparator.comparingDouble(o -> -Math.abs(o.studentised())));
  }

  private static Set<Integer> suspects(List<ScalePoint> points, List<LawFit> fits) {
    Set<Integer> suspects = new LinkedHashSet<>();
    for (LawFit fit : fits) {
      IntStream.range(0, points.size())
          .boxed()
          .sorted(Comparator.comparingDouble(i -> -Math.abs(fit.points().get(i).standardised())))
          .limit(SUSPECTS)
          .forEach(suspects::add);
    }
    Comparator<Integer> byN = Comparator.comparingDouble(i -> points.get(i).n());
    IntStream.range(0, points.size()).boxed().max(byN).ifPresent(suspects::add);
    IntStream.range(0, points.size()).boxed().min(byN).ifPresent(suspects::add);
    return suspects;
  }

  private static Optional<OutlyingPoint> nearest(
      PooledPoints points, int suspect, List<LawFit> fits) {
    ScalePoint point = points.points().get(suspect);
    List<ScalePoint> others = new ArrayList<>(points.points());
    others.remove(suspect);
    Blocks blocks = points.blocks();
    Optional<OutlyingPoint> roughly =
        nearest(point, new PooledPoints(others, points.options(), blocks.without(suspect)), fits);
    return blocks.matter() && roughly.filter(found -> found.p() < UNREMARKABLE).isPresent()
        ? nearest(point, new PooledPoints(others, points.options()), fits)
        : roughly;
  }

  private static Optional<OutlyingPoint> nearest(
      ScalePoint point, PooledPoints others, List<LawFit> fits) {
    try {
      List<LawFit> without = fits.stream().map(fit -> new LawFit(fit.model(), others)).toList();
      return Scalability.notRuledOut(without).stream()
          .map(fit -> judged(point, fit))
          .max(Comparator.comparingDouble(OutlyingPoint::p));
    } catch (BadDataException noCurve) {
      return Optional.empty();
    }
  }

  private static OutlyingPoint judged(ScalePoint point, LawFit without) {
    double expected = Math.max(without.throughput(point.n()), 1e-9 * point.throughput());
    double df = without.degreesOfFreedom();
    // At the ends the others say so little that only their likelihood has the right width.
    boolean between =
        without.points().stream().anyMatch(p -> p.n() <= point.n())
            && without.points().stream().anyMatch(p -> p.n() >= point.n());
    Estimate curve =
        between ? without.throughputInterval(point.n()) : without.throughputBeyond(point.n());
    double curveError =
        curve.low() > 0
            ? Math.log(curve.high() / curve.low()) / 2 / StudentT.twoSided(curve.confidence(), df)
            : 0;
    double error = Math.hypot(without.residualSd(), curveError);
    double residual = Math.log(point.throughput() / expected);
    double t = error > 0 ? residual / error : residual == 0 ? 0 : Math.copySign(FARTHEST, residual);
    double p = Math.min(1, (without.points().size() + 1) * StudentT.twoSidedP(t, df));
    return new OutlyingPoint(point, expected, t, p);
  }
}
