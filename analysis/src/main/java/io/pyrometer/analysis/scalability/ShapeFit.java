package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A shape fitted to throughputs: what is common to the laws of one and of two variables.
 *
 * @param lambda in the unit of the throughputs
 * @param rss on the scale of the fit, in the units of the data
 * @param left observed minus fitted at each point over the residual standard deviation
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record ShapeFit(
    double lambda,
    double[] theta,
    List<Parameter> parameters,
    double rss,
    int degreesOfFreedom,
    double condition,
    double[] left,
    Uncertainty uncertainty) {
  private static final double NO_CURVE = 1e9;

  /** Where λ may lie a billion times either way, the points say nothing about it. */
  private static final double WIDEST_LOG = 20;

  /** The work of one fit. */
  static final class Fitter {
    private final Shape shape;
    private final FitOptions options;
    private final double[] lower;
    private final Residuals residuals;
    private final int df;

    Fitter(Shape shape, double[][] at, double[] throughputs, FitOptions options) {
      this.shape = shape;
      this.options = options;
      this.residuals = new Residuals(shape, at, throughputs, options.scale());
      this.lower = shape.lowerBounds();
      if (!options.physical()) {
        Arrays.fill(lower, Double.NEGATIVE_INFINITY);
      }
      this.df = at.length - residuals.parameters();
    }

    ShapeFit fit(String label) {
      Engine engine = new Engine(residuals.pooled(), lower);
      Solution best = engine.best(shape.starts());
      if (!(best.rss() < NO_CURVE)) {
        throw BadDataException.of(
            "The %s model fits these points nowhere; look at the throughputs.", label);
      }
      double[][] jacobian = new double[residuals.points()][residuals.parameters()];
      double[] left = residuals.at(best.all(), jacobian);
      Linearised plane = Linearised.at(jacobian, best, lower, df);
      Profile profile = new Profile(engine, best, df, options.confidence());
      double sd = Math.sqrt(best.rss() / df);
      return new ShapeFit(
          residuals.toLambda(best.level()),
          best.theta(),
          parameters(best, plane, profile),
          residuals.toDataUnits(best.rss()),
          df,
          plane.condition(),
          Arrays.stream(left).map(r -> sd > 0 ? r / sd : 0).toArray(),
          uncertainty(plane, best));
    }

    private List<Parameter> parameters(Solution best, Linearised plane, Profile profile) {
      List<Parameter> parameters = new ArrayList<>();
      String[] names = shape.shapeParameters();
      for (int k = 0; k <= names.length; k++) {
        double bound = k == 0 ? leastLevel(best.level()) : lower[k - 1];
        double most = k == 0 ? mostLevel(best.level()) : Double.POSITIVE_INFINITY;
        double error = plane.standardErrors()[k];
        double value = best.all()[k];
        double step = error > 0 ? error : 0.01 * Math.max(Math.abs(value), 0.01);
        Profile.End low = profile.end(k, -step, bound);
        Profile.End high = profile.end(k, step, most);
        parameters.add(
            k == 0
                ? lambda(value, error, low, high)
                : new Parameter(
                    names[k - 1],
                    estimate(value, low.value(), high.value(), ""),
                    error,
                    low.open(),
                    high.open()));
      }
      return parameters;
    }

    private double leastLevel(double level) {
      return options.scale() == FitScale.LOG ? level - WIDEST_LOG : 0;
    }

    private double mostLevel(double level) {
      return options.scale() == FitScale.LOG ? level + WIDEST_LOG : level * Math.exp(WIDEST_LOG);
    }

    private Parameter lambda(double level, double error, Profile.End low, Profile.End high) {
      double lambda = residuals.toLambda(level);
      double inUnits = options.scale() == FitScale.LOG ? lambda * error : residuals.unit * error;
      double least = Math.max(0, residuals.toLambda(low.value()));
      double most = residuals.toLambda(high.value());
      return new Parameter(
          "λ", estimate(lambda, least, most, options.unit()), inUnits, low.open(), high.open());
    }

    private Estimate estimate(double value, double low, double high, String unit) {
      return new Estimate(
          value,
          Math.min(low, value),
          Math.max(high, value),
          options.confidence(),
          residuals.points(),
          unit);
    }

    /** The covariance with ln λ in place of the level. */
    private Uncertainty uncertainty(Linearised plane, Solution best) {
      double[][] covariance = plane.covariance();
      if (options.scale() == FitScale.LINEAR) {
        for (int k = 0; k < covariance.length; k++) {
          covariance[0][k] /= best.level();
          covariance[k][0] /= best.level();
        }
      }
      return new Uncertainty(covariance, df, residuals.points());
    }
  }
}
