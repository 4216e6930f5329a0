package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.MaterialDifference;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Looks for points that no model explains: each suspect is predicted by every model of three
 * parameters, fitted without it, and is outlying only if it is so for all of them that the other
 * points do not rule out.
 */
final class OutlyingPoints {
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

  private OutlyingPoints() {}

  static List<OutlyingPoint> of(
      List<ScalePoint> points, FitOptions options, List<LawFit> fits, Blocks blocks) {
    if (points.size() < FEWEST || options.scale() == FitScale.LINEAR) {
      return List.of();
    }
    List<LawFit> flexible =
        fits.stream().filter(fit -> fit.model().parameters() == PARAMETERS).toList();
    List<OutlyingPoint> outliers = new ArrayList<>();
    for (int suspect : suspects(points, flexible)) {
      nearest(points, suspect, options, flexible, blocks)
          .filter(outlier -> outlier.p() < SIGNIFICANT)
          .filter(o -> MaterialDifference.between(o.point().throughput(), o.expected()))
          .ifPresent(outliers::add);
    }
    outliers.sort(Comparator.comparingDouble(o -> -Math.abs(o.studentised())));
    // The farthest one bends the fits by which the others are judged.
    return outliers.stream().limit(1).toList();
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
      List<ScalePoint> points, int suspect, FitOptions options, List<LawFit> fits, Blocks blocks) {
    ScalePoint point = points.get(suspect);
    List<ScalePoint> others = new ArrayList<>(points);
    others.remove(suspect);
    Optional<OutlyingPoint> roughly =
        nearest(point, new LawFitter(others, options, blocks.without(suspect)), fits);
    return blocks.matter() && roughly.filter(found -> found.p() < UNREMARKABLE).isPresent()
        ? nearest(point, new LawFitter(others, options), fits)
        : roughly;
  }

  private static Optional<OutlyingPoint> nearest(
      ScalePoint point, LawFitter fitter, List<LawFit> fits) {
    List<LawFit> without = new ArrayList<>();
    for (LawFit fit : fits) {
      if (!fitter.canFit(fit.model())) {
        return Optional.empty();
      }
      try {
        without.add(fitter.fit(fit.model()));
      } catch (BadDataException noCurve) {
        return Optional.empty();
      }
    }
    int points = fits.get(0).points().size();
    return Scalability.notRuledOut(without).stream()
        .map(fit -> judged(point, fit, points))
        .max(Comparator.comparingDouble(OutlyingPoint::p));
  }

  private static OutlyingPoint judged(ScalePoint point, LawFit without, int n) {
    double expected = Math.max(without.throughput(point.n()), 1e-9 * point.throughput());
    double df = without.degreesOfFreedom();
    // At the ends the others say so little that only their likelihood has the right width.
    boolean between =
        without.points().stream().anyMatch(p -> p.n() <= point.n())
            && without.points().stream().anyMatch(p -> p.n() >= point.n());
    Estimate curve =
        between
            ? without.throughputInterval(point.n(), 0.95, "")
            : without.throughputBeyond(point.n(), 0.95, "");
    double curveError =
        curve.low() > 0
            ? Math.log(curve.high() / curve.low()) / 2 / StudentT.twoSided(0.95, df)
            : 0;
    double error = Math.hypot(without.residualSd(), curveError);
    double residual = Math.log(point.throughput() / expected);
    double t = error > 0 ? residual / error : residual == 0 ? 0 : Math.copySign(FARTHEST, residual);
    double p = Math.min(1, n * StudentT.twoSidedP(t, df));
    return new OutlyingPoint(point, expected, t, p);
  }
}
