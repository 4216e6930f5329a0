package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.mixed.Contrast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A shape fitted to throughputs: what is common to the laws of one and of two variables.
 *
 * @param lambda in the unit of the throughputs
 * @param rss on the scale of the fit, in the units of the data
 * @param left observed minus fitted at each point over the residual standard deviation
 * @param thetaAtHighEnds of each parameter, θ where that parameter is at the high end of its
 *     interval
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record CurveFit(
    double lambda,
    double[] theta,
    List<Parameter> parameters,
    double rss,
    int degreesOfFreedom,
    double condition,
    double[] left,
    List<double[]> thetaAtHighEnds,
    Uncertainty uncertainty) {
  private static final double NO_CURVE = 1e9;

  /** Where λ may lie a billion times either way, the points say nothing about it. */
  private static final double WIDEST_LOG = 20;

  /** Beyond e^±4 times the value an interval of a throughput need not be followed. */
  private static final double WIDEST_AHEAD = 4;

  /** The work of one fit. */
  static final class Fitter {
    private final ThroughputCurve shape;
    private final FitOptions options;
    private final double[] lower;
    private final Residuals residuals;
    private final Residuals pooled;
    private final Blocks blocks;
    private final int df;

    Fitter(
        ThroughputCurve shape,
        double[][] at,
        double[] throughputs,
        FitOptions options,
        Blocks blocks) {
      this.blocks = blocks;
      this.shape = shape;
      this.options = options;
      this.residuals = new Residuals(shape, at, throughputs, options.scale(), blocks);
      this.pooled = residuals.pooled();
      this.lower = shape.lowerBounds();
      if (!options.physical()) {
        Arrays.fill(lower, Double.NEGATIVE_INFINITY);
      }
      this.df = at.length - residuals.parameters();
    }

    CurveFit fit(String label) {
      BoundedLeastSquares engine = new BoundedLeastSquares(pooled, lower);
      Solution best = engine.best(shape.starts());
      if (!(best.rss() < NO_CURVE)) {
        throw BadDataException.of(
            "The %s model cannot be fitted to these points; check the throughputs.", label);
      }
      double[][] ofPlaces = new double[pooled.points()][pooled.parameters()];
      pooled.at(best.all(), ofPlaces);
      Linearised plane = Linearised.at(ofPlaces, best, lower, df);
      double[][] jacobian = new double[residuals.points()][residuals.parameters()];
      double[] left = residuals.at(best.all(), jacobian);
      Optional<Contrast> level =
          options.scale() == FitScale.LOG
              ? blocks.level(best.level(), left, plane.weights(jacobian, best.rss() / df))
              : Optional.empty();
      Profile profile = new Profile(engine, best, df, df, options.confidence());
      Profile ofLevel = new Profile(engine, best, df, levelDf(), options.confidence());
      List<double[]> atHighEnds = new ArrayList<>();
      double sd = Math.sqrt(best.rss() / df);
      return new CurveFit(
          residuals.toLambda(best.level()),
          best.theta(),
          parameters(best, plane, engine, profile, ofLevel, level, atHighEnds),
          residuals.toDataUnits(best.rss()),
          df,
          plane.condition(),
          Arrays.stream(left).map(r -> sd > 0 ? r / sd : 0).toArray(),
          atHighEnds,
          uncertainty(plane, best));
    }

    /** Of what depends on the level. */
    private double levelDf() {
      return Math.min(df, blocks.levelDegreesOfFreedom());
    }

    private List<Parameter> parameters(
        Solution best,
        Linearised plane,
        BoundedLeastSquares engine,
        Profile ofShape,
        Profile ofLevel,
        Optional<Contrast> ofBlocks,
        List<double[]> atHighEnds) {
      List<Parameter> parameters = new ArrayList<>();
      String[] names = shape.shapeParameters();
      for (int k = 0; k <= names.length; k++) {
        double bound = k == 0 ? leastLevel(best.level()) : lower[k - 1];
        double most = k == 0 ? mostLevel(best.level()) : Double.POSITIVE_INFINITY;
        double error = plane.standardErrors()[k];
        double value = best.all()[k];
        double step = error > 0 ? error : 0.01 * Math.max(Math.abs(value), 0.01);
        Profile profile = k == 0 ? ofLevel : ofShape;
        double half = k == 0 ? ofBlocks.map(c -> c.halfWidth(options.confidence())).orElse(0.0) : 0;
        Profile.End low =
            half > 0
                ? new Profile.End(Math.max(bound, value - half), value - half < bound)
                : profile.end(k, -step, bound);
        Profile.End high =
            half > 0
                ? new Profile.End(Math.min(most, value + half), value + half > most)
                : profile.end(k, step, most);
        atHighEnds.add(engine.holding(k, high.value(), best).theta());
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
      return new Uncertainty(
          covariance, levelDf(), residuals.points(), new Ahead(this, best, plane));
    }

    /**
     * All throughputs at a place with which the points are not significantly at odds: the profile
     * interval of the curve there. It bends with the model and knows the parameters' bounds, where
     * the delta method takes a parameter at its bound as known.
     */
    double[] profileAt(Solution best, double[] place, double x, double step, double confidence) {
      double threshold = Profile.threshold(best, df, levelDf(), confidence);
      double low = profileEnd(best, place, Math.log(x), -step, threshold);
      double high = profileEnd(best, place, Math.log(x), step, threshold);
      return new double[] {Math.exp(low), Math.exp(high)};
    }

    private double profileEnd(
        Solution best, double[] place, double from, double step, double threshold) {
      double inside = from;
      Solution near = best;
      for (double stride = step; Math.abs(inside - from) < WIDEST_AHEAD; stride *= 1.6) {
        double outside = inside + stride;
        Solution there = through(place, outside, near);
        if (there.rss() - best.rss() > threshold) {
          return crossing(best, place, inside, outside, near, threshold);
        }
        inside = outside;
        near = there;
      }
      return inside;
    }

    private double crossing(
        Solution best, double[] place, double in, double out, Solution near, double threshold) {
      double inside = in;
      double outside = out;
      while (Math.abs(outside - inside) > 2e-3) {
        double middle = (inside + outside) / 2;
        boolean within = through(place, middle, near).rss() - best.rss() <= threshold;
        inside = within ? middle : inside;
        outside = within ? outside : middle;
      }
      return outside;
    }

    private Solution through(double[] place, double lnX, Solution near) {
      Residuals aimed = pooled.through(place, Math.exp(lnX));
      return new BoundedLeastSquares(aimed, lower).near(near);
    }
  }

  /** Profile intervals of the curve at places beyond the points. */
  record Ahead(Fitter fitter, Solution best, Linearised plane) {
    double[] interval(double place, double x, double step, double confidence) {
      return fitter.profileAt(best, new double[] {place}, x, step, confidence);
    }
  }
}
