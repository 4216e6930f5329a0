package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.estimate.StudentT;
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

  /** For each model so many points with the largest residuals are looked at, and both ends. */
  private static final int SUSPECTS = 2;

  /** With fewer points left too little is known of the noise. */
  private static final int FEWEST = 6;

  private static final int PARAMETERS = 3;
  private static final double NOTHING = 1e-6;

  /**
   * The farthest point that no model explains, if there is one, since it bends the fits by which
   * the others are judged. Each suspect is predicted by every model of three parameters and by one
   * that saturates, fitted without it, and is outlying only if it is so for all of them that the
   * other points do not rule out.
   *
   * @param fits of all models to all points
   */
  static Optional<OutlyingPoint> find(PooledPoints pooled, List<LawFit> fits) {
    List<ScalePoint> points = pooled.points;
    if (points.size() < FEWEST || pooled.options.scale() == ResponseScale.PLAIN) {
      return Optional.empty();
    }
    List<LawFit> flexible =
        fits.stream()
            .filter(fit -> fit.model().parameters() == PARAMETERS || fit.saturation().isPresent())
            .toList();
    Set<Integer> suspects = new LinkedHashSet<>();
    for (LawFit fit : flexible) {
      IntStream.range(0, points.size())
          .boxed()
          .sorted(Comparator.comparingDouble(i -> -Math.abs(fit.points().get(i).standardised())))
          .limit(SUSPECTS)
          .forEach(suspects::add);
    }
    Comparator<Integer> byN = Comparator.comparingDouble(i -> points.get(i).n());
    IntStream.range(0, points.size()).boxed().max(byN).ifPresent(suspects::add);
    IntStream.range(0, points.size()).boxed().min(byN).ifPresent(suspects::add);
    return suspects.stream()
        .flatMap(suspect -> nearest(pooled, suspect, flexible).stream())
        .filter(outlier -> outlier.p() < SIGNIFICANT)
        .filter(o -> Samples.differMaterially(o.point().throughput(), o.expected()))
        .min(Comparator.comparingDouble(o -> -Math.abs(o.studentised())));
  }

  private static Optional<OutlyingPoint> nearest(
      PooledPoints pooled, int suspect, List<LawFit> fits) {
    ScalePoint point = pooled.points.get(suspect);
    List<ScalePoint> left = new ArrayList<>(pooled.points);
    left.remove(suspect);
    PooledPoints others = new PooledPoints(left, pooled.options);
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
    double expected = without.throughput(point.n());
    if (expected <= NOTHING * point.throughput()) {
      return new OutlyingPoint(point, expected, 0, 1); // the curve has ended before
    }
    double residual = Math.log(point.throughput() / expected);
    int df = without.degreesOfFreedom();
    if (p(new Contrast(residual, without.residualSd(), df), without) > SIGNIFICANT) {
      return new OutlyingPoint(point, expected, 0, 1); // the curve's own error adds to that
    }
    Estimate curve = without.throughputInterval(point.n());
    double curveError =
        curve.low() > 0
            ? Math.log(curve.high() / curve.low()) / 2 / StudentT.twoSided(Estimate.CONFIDENCE, df)
            : 0;
    Contrast whole = new Contrast(residual, Math.hypot(without.residualSd(), curveError), df);
    return new OutlyingPoint(point, expected, whole.t(), p(whole, without));
  }

  private static double p(Contrast residual, LawFit without) {
    return Math.min(1, (without.points().size() + 1) * residual.p());
  }
}
