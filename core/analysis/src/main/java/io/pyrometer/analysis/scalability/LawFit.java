package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.scalability.BoundedLeastSquares.Linearised;
import io.pyrometer.analysis.scalability.BoundedLeastSquares.Solution;
import io.pyrometer.analysis.scalability.Profile.End;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.RealMatrix;

/** One model fitted to the points, with its intervals. */
public final class LawFit {
  /** A sum of squares from here on means that the curve does not exist at the points. */
  private static final double NO_CURVE = 1e9;

  /** An interval wider than e^±50 says no more than one of e^±50, and stays finite. */
  private static final double WIDEST_LOG = 50;

  /** On the logarithmic scale a smaller sum of squares is rounding. */
  private static final double EXACT = 1e-20;

  private static final double LARGEST_F = 1e150;

  private static final double SIGNIFICANT = 0.05;

  private final Model model;
  private final PooledPoints data;
  private final FitOptions options;
  private final BoundedLeastSquares engine;
  private final Solution best;
  private final int degreesOfFreedom;
  private final Linearised plane;
  private final List<Parameter> parameters;
  private final List<Point> points;

  /**
   * A fitted parameter.
   *
   * @param name as in the model's formula
   * @param estimate with its profile interval: all values whose best fit is not significantly worse
   * @param standardError from the Jacobian, for comparison with other tools; 0 at a bound
   * @param openLow whether the interval has no lower end, or ends at the parameter's bound
   * @param openHigh whether the interval has no upper end that the points determine: then the end
   *     given is only how far was looked
   */
  public record Parameter(
      String name, Estimate estimate, double standardError, boolean openLow, boolean openHigh) {}

  /**
   * A measured point beside its fit.
   *
   * @param n as measured
   * @param observed throughput
   * @param fitted throughput
   * @param standardised the residual over the residual standard deviation; 0 for a perfect fit
   */
  public record Point(double n, double observed, double fitted, double standardised) {}

  /**
   * Fits a model.
   *
   * @throws BadDataException if there are too few points for it, or it exists nowhere near them
   */
  LawFit(Model model, PooledPoints data) {
    if (!data.canFit(model)) {
      throw BadDataException.of(
          "The %s has %d parameters, so it needs more than %d points at %d or more different N; add levels.",
          model.label(), model.parameters(), model.parameters(), model.parameters());
    }
    this.model = model;
    this.data = data;
    options = data.options();
    engine = new BoundedLeastSquares(model, data);
    best = engine.best();
    if (!(best.rss() < NO_CURVE)) {
      throw BadDataException.of(
          "The %s model cannot be fitted to these points; check the throughputs.", model.label());
    }
    degreesOfFreedom = data.points().size() - model.parameters();
    double variance = best.rss() / degreesOfFreedom;
    RealMatrix jacobian = new Array2DRowRealMatrix(engine.jacobian(best), false);
    plane = Linearised.at(jacobian, best.all(), engine.lower(), Math.sqrt(variance));
    double[][] rows = data.whitened(model, best.all());
    parameters = parameters(rows, variance);
    points =
        IntStream.range(0, rows.length)
            .mapToObj(i -> point(data.points().get(i), rows[i][model.parameters()], variance))
            .toList();
  }

  private Point point(ScalePoint point, double residual, double variance) {
    double standardised = variance > 0 ? residual / Math.sqrt(variance) : 0;
    return new Point(point.n(), point.throughput(), throughput(point.n()), standardised);
  }

  /**
   * λ first.
   *
   * @param rows of every point the derivatives and the residual, blocks taken out
   * @param variance of a residual
   */
  private List<Parameter> parameters(double[][] rows, double variance) {
    Profile ofLevel = profileOfLevel();
    Profile ofShape =
        new Profile(engine, best, degreesOfFreedom, degreesOfFreedom, options.confidence());
    double half = data.isLog() ? levelHalfWidth(rows, variance) : 0;
    List<Parameter> intervals = new ArrayList<>();
    for (int k = 0; k < model.parameters(); k++) {
      double value = best.all()[k];
      double error = plane.standardError(k);
      double step = error > 0 ? error : 0.01 * Math.max(Math.abs(value), 0.01);
      double least = k == 0 ? data.leastLevel(value) : engine.lower()[k];
      double most = k == 0 ? data.mostLevel(value) : Double.POSITIVE_INFINITY;
      Profile profile = k == 0 ? ofLevel : ofShape;
      boolean byBlocks = k == 0 && half > 0;
      End low =
          byBlocks
              ? new End(Math.max(least, value - half), value - half < least)
              : profile.end(k, -step, least);
      End high =
          byBlocks
              ? new End(Math.min(most, value + half), value + half > most)
              : profile.end(k, step, most);
      intervals.add(
          k == 0
              ? lambda(error, low, high)
              : new Parameter(
                  model.shapeParameters().get(k - 1),
                  estimate(value, low.value(), high.value(), ""),
                  error,
                  low.open(),
                  high.open()));
    }
    return List.copyOf(intervals);
  }

  /** By what each block alone makes of the level; 0 without blocks. */
  private double levelHalfWidth(double[][] rows, double variance) {
    int p = model.parameters();
    double[] effects = new double[rows.length];
    for (int i = 0; i < rows.length && variance > 0; i++) {
      double ofLevel = plane.covarianceOfLevel(Arrays.copyOf(rows[i], p));
      effects[i] = ofLevel / variance * rows[i][p];
    }
    return data.blocks().levelHalfWidth(effects, options.confidence());
  }

  private Parameter lambda(double error, End low, End high) {
    double from = Math.max(0, data.toLambda(low.value()));
    Estimate lambda = estimate(lambda(), from, data.toLambda(high.value()), options.unit());
    double inUnit = error * (data.isLog() ? lambda() : data.unitOfResiduals());
    return new Parameter("λ", lambda, inUnit, low.open(), high.open());
  }

  private Estimate estimate(double value, double low, double high, String unit) {
    double from = Math.min(low, value);
    double to = Math.max(high, value);
    return new Estimate(value, from, to, options.confidence(), data.points().size(), unit);
  }

  private Profile profileOfLevel() {
    return new Profile(engine, best, degreesOfFreedom, levelDf(), options.confidence());
  }

  private double levelDf() {
    return Math.min(degreesOfFreedom, data.blocks().levelDegreesOfFreedom());
  }

  public Model model() {
    return model;
  }

  /** λ first, then those of the model's formula. */
  public List<Parameter> parameters() {
    return parameters;
  }

  public List<Point> points() {
    return points;
  }

  /** The residual sum of squares, on the scale of the fit. */
  public double rss() {
    return best.rss() * Math.pow(data.unitOfResiduals(), 2);
  }

  /** Points less parameters. */
  public int degreesOfFreedom() {
    return degreesOfFreedom;
  }

  /** √(RSS/(n−p)): on the logarithmic scale the coefficient of variation. */
  public double residualSd() {
    return Math.sqrt(rss() / degreesOfFreedom);
  }

  /**
   * The condition number of the Jacobian with columns of length 1: over 100 the points cannot tell
   * the parameters apart.
   */
  public double condition() {
    return plane.condition();
  }

  /** The share of the throughput's variation explained, on the scale of the fit. */
  public double r2() {
    double total = Samples.sumOfSquares(onScale());
    return total > 0 ? 1 - rss() / total : 0;
  }

  /** n ln(RSS/n)+2K+2K(K+1)/(n−K−1), K = p+1; empty where n is too small for it. */
  public OptionalDouble aicc() {
    int n = points.size();
    int k = model.parameters() + 1;
    if (n - k - 1 <= 0) {
      return OptionalDouble.empty();
    }
    double meanSquare =
        data.isLog() ? 1 : Arrays.stream(onScale()).map(x -> x * x).average().orElseThrow();
    return OptionalDouble.of(aic(meanSquare) + 2.0 * k * (k + 1) / (n - k - 1));
  }

  /** n ln(RSS/n)+2K; a perfect fit would have ln 0, and rounding leaves about so much. */
  double aic(double meanSquare) {
    int n = points.size();
    double least = 1e-24 * n * meanSquare;
    return n * Math.log(Math.max(rss(), least) / n) + 2.0 * (model.parameters() + 1);
  }

  private double[] onScale() {
    return data.points().stream()
        .mapToDouble(point -> options.scale().forward(point.throughput()))
        .toArray();
  }

  /** A parameter by its name in the model's formula. */
  public Parameter parameter(String name) {
    return parameters.get(1 + model.shapeParameters().indexOf(name));
  }

  /** The fitted value of a parameter. */
  public double value(String name) {
    return parameter(name).estimate().value();
  }

  /** λ. */
  public double lambda() {
    return data.toLambda(best.level());
  }

  double[] theta() {
    return best.theta();
  }

  /**
   * Of the scalability law the least N* that the interval of κ allows; empty of other models, or
   * where κ allows none.
   */
  public OptionalDouble earliestPeak() {
    if (model != Model.UNIVERSAL || parameters.get(2).openHigh()) {
      return OptionalDouble.empty();
    }
    double kappa = parameters.get(2).estimate().high();
    double sigma = engine.holding(2, kappa, best).theta()[0];
    return kappa > 0 && sigma < 1
        ? OptionalDouble.of(Math.sqrt((1 - sigma) / kappa))
        : OptionalDouble.empty();
  }

  /**
   * The probability, if this model were true, that another one with at least one parameter more
   * fits so much better (F test).
   */
  double pAgainst(LawFit larger) {
    int extra = Math.max(1, larger.model.parameters() - model.parameters());
    double gained = isExact() ? 0 : Math.max(0, rss() - larger.rss()) / extra;
    double left = Math.max(larger.rss() / larger.degreesOfFreedom, Double.MIN_NORMAL);
    double f = gained == 0 ? 0 : Math.min(LARGEST_F, gained / left);
    return 1 - new FDistribution(extra, larger.degreesOfFreedom).cumulativeProbability(f);
  }

  /**
   * The probability, if this model were true, that the means at each N lie so far from it, by the
   * noise of the replicates (F test of the lack of fit; Montgomery, Design and Analysis of
   * Experiments); empty without replicates, or where the model has a parameter for each N.
   */
  public OptionalDouble lackOfFit() {
    int places = data.places().length;
    int pure = points.size() - places;
    int lack = places - model.parameters();
    if (pure < 1 || lack < 1 || isExact()) {
      return OptionalDouble.empty();
    }
    double misfit = Math.max(0, best.rss() - data.within()) / lack;
    double f = Math.min(LARGEST_F, misfit / Math.max(data.within() / pure, Double.MIN_NORMAL));
    return OptionalDouble.of(1 - new FDistribution(lack, pure).cumulativeProbability(f));
  }

  /** Whether it leaves nothing but rounding. */
  private boolean isExact() {
    return data.isLog() && rss() < EXACT;
  }

  /** Whether the replicates show that the model does not fit. */
  boolean misfits() {
    return lackOfFit().orElse(1) < SIGNIFICANT;
  }

  /**
   * The N from which on the model gives no more, if that lies within the measured range. It grows
   * with the only parameter, so the ends of its interval are those of the parameter's.
   */
  Optional<Estimate> saturation() {
    double largest = points.stream().mapToDouble(Point::n).max().orElseThrow();
    double from = model.saturation(theta()).orElse(Double.POSITIVE_INFINITY);
    if (from >= largest) {
      return Optional.empty();
    }
    Estimate parameter = parameters.get(1).estimate();
    double shift = from - parameter.value();
    return Optional.of(
        estimate(from, parameter.low() + shift, parameter.high() + shift, options.what()));
  }

  /** The throughput that the model gives at {@code n}; never below 0. */
  public double throughput(double n) {
    double g = model.at(n, theta(), new double[theta().length]);
    return g > 0 ? lambda() * g : 0;
  }

  /** The same with the interval of the curve (not of a single run) by the delta method on ln X. */
  public Estimate throughputInterval(double n) {
    double[] gradient = new double[theta().length];
    double g = model.at(n, theta(), gradient);
    return g > 0
        ? byDelta(
            lambda() * g, Arrays.stream(gradient).map(d -> d / g).toArray(), 1, options.unit())
        : estimate(0, 0, 0, options.unit());
  }

  /** The same beyond the measured range, by profile likelihood; 0 where there is no curve. */
  Estimate throughputBeyond(double n) {
    double x = throughput(n);
    double most = points.stream().mapToDouble(Point::observed).max().orElse(0);
    if (!(x > 1e-6 * most)) {
      // The curve has come down to nothing: how high could it still be?
      return estimate(0, 0, profileOfLevel().curveEnd(n, 0.05 * most, 0.3), options.unit());
    }
    double step = Math.min(0.3, Math.max(0.004, Math.log(throughputInterval(n).high() / x) / 2));
    Profile profile = profileOfLevel();
    double low = profile.curveEnd(n, x, -step);
    return estimate(x, low, profile.curveEnd(n, x, step), options.unit());
  }

  /**
   * The interval of a positive function of θ alone, symmetric on its logarithm; its gradient is
   * taken by differences.
   */
  Estimate ofShape(ToDoubleFunction<double[]> function, String unit) {
    double[] logGradient = new double[theta().length];
    for (int k = 0; k < logGradient.length; k++) {
      double[] up = theta();
      double[] down = theta();
      double step = 1e-5 * Math.max(Math.abs(up[k]), 1e-9);
      up[k] += step;
      down[k] -= step;
      double change = Math.log(function.applyAsDouble(up) / function.applyAsDouble(down));
      logGradient[k] = Double.isFinite(change) ? change / (2 * step) : 0;
    }
    return byDelta(function.applyAsDouble(theta()), logGradient, 0, unit);
  }

  /**
   * By the delta method with Student's t.
   *
   * @param byTheta the derivatives of the value's logarithm
   * @param byLnLambda the same by ln λ
   */
  private Estimate byDelta(double value, double[] byTheta, double byLnLambda, String unit) {
    double byLevel = data.isLog() ? byLnLambda : byLnLambda / best.level();
    double[] gradient =
        DoubleStream.concat(DoubleStream.of(byLevel), Arrays.stream(byTheta)).toArray();
    double t = StudentT.twoSided(options.confidence(), levelDf());
    double half = Math.min(WIDEST_LOG, t * plane.standardError(gradient));
    return estimate(value, value * Math.exp(-half), value * Math.exp(half), unit);
  }
}
