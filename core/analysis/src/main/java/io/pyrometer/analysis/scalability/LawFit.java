package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.scalability.LogLeastSquares.Solution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.analysis.solvers.BracketingNthOrderBrentSolver;
import org.hipparchus.distribution.continuous.FDistribution;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.SingularValueDecomposition;

/** One model fitted to the points, with its intervals. */
public final class LawFit {
  /** A sum of squares from here on means that the curve does not exist at the points. */
  private static final double NO_CURVE = 1e9;

  /** An interval wider than e^±50 says no more than one of e^±50, and stays finite. */
  private static final double WIDEST_LOG = 50;

  /** Where λ may lie a billion times either way, the points say nothing about it. */
  private static final double WIDEST_LEVEL = 20;

  /** On the logarithmic scale a smaller sum of squares is rounding. */
  private static final double EXACT = 1e-20;

  private static final double LARGEST_F = 1e150;
  private static final double SIGNIFICANT = 0.05;

  /** A smaller singular value, of columns of length 1, is one of dependent parameters. */
  private static final double DEPENDENT = 1e-12;

  private static final int MAX_STEPS = 40;

  private final Model model;
  private final PooledPoints data;
  private final AnalysisOptions options;
  private final LogLeastSquares engine;
  private final Solution best;
  private final int degreesOfFreedom;

  /** The covariance of the parameters' logarithms is the product of this with its transpose. */
  private final RealMatrix factor;

  private final List<Parameter> parameters = new ArrayList<>();

  /** The solution, and those with one parameter at an end of its interval. */
  private final List<Solution> plausible = new ArrayList<>();

  private final List<Point> points;

  /**
   * A fitted parameter.
   *
   * @param name as in the model's formula
   * @param estimate with its profile interval {θ: RSS(θ) ≤ RSS_min(1 + F(1, n−p; c)/(n−p))}: all
   *     values whose best fit is not significantly worse
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

  /** An end of an interval, and whether the points leave it open there. */
  private record End(double value, boolean open) {}

  /**
   * Fits a model.
   *
   * @throws BadDataException if there are too few points for it, or it exists nowhere near them
   */
  LawFit(Model model, PooledPoints data) {
    if (!data.canFit(model)) {
      throw BadDataException.of(
          "The %s has %d parameters, so it needs more than %d points at %d or more different N; add"
              + " levels.",
          model.label(), model.parameters(), model.parameters(), model.parameters());
    }
    this.model = model;
    this.data = data;
    options = data.options;
    engine = new LogLeastSquares(model, data);
    best = engine.best();
    if (!(best.rss() < NO_CURVE)) {
      throw BadDataException.of(
          "The %s model cannot be fitted to these points; check the throughputs.", model.label());
    }
    degreesOfFreedom = data.size() - model.parameters();
    double sd = Math.sqrt(best.rss() / degreesOfFreedom);
    factor = linearised(sd);
    points = IntStream.range(0, data.points.size()).mapToObj(i -> point(i, sd)).toList();
  }

  private Point point(int i, double sd) {
    ScalePoint of = data.points.get(i);
    double curve = data.curve(model, of.n(), best.all(), new double[best.all().length]);
    double standardised = sd > 0 ? data.residual(i, curve) / sd : 0;
    return new Point(of.n(), of.throughput(), throughput(of.n()), standardised);
  }

  /** Takes the fit as a straight plane at its solution; parameters at their bound are known. */
  private RealMatrix linearised(double sd) {
    double[] all = best.all();
    double[] places = data.places;
    int[] open = IntStream.range(0, all.length).filter(k -> all[k] > engine.lower(k)).toArray();
    RealMatrix scaled = new Array2DRowRealMatrix(places.length, open.length);
    for (int i = 0; i < places.length; i++) {
      double[] slopes = engine.slopes(places[i], all);
      for (int c = 0; c < open.length; c++) {
        scaled.setEntry(i, c, data.weights[i] * slopes[open[c]]);
      }
    }
    double[] lengths = new double[open.length];
    for (int c = 0; c < open.length; c++) {
      double norm = scaled.getColumnVector(c).getNorm();
      lengths[c] = norm > 0 ? norm : 1;
      scaled.setColumnVector(c, scaled.getColumnVector(c).mapDivide(lengths[c]));
    }
    SingularValueDecomposition svd = new SingularValueDecomposition(scaled);
    double[] singular = svd.getSingularValues();
    RealMatrix covariance = new Array2DRowRealMatrix(all.length, singular.length);
    for (int a = 0; a < open.length; a++) {
      for (int e = 0; e < singular.length; e++) {
        if (singular[e] >= DEPENDENT) {
          double entry = sd * svd.getV().getEntry(a, e) / (singular[e] * lengths[a]);
          covariance.setEntry(open[a], e, entry);
        }
      }
    }
    return covariance;
  }

  /** The standard error of a function of the parameters by its gradient in their logarithms. */
  private double standardError(double[] gradient) {
    return new ArrayRealVector(factor.preMultiply(gradient), false).getNorm();
  }

  private Parameter parameter(int k) {
    double value = best.all()[k];
    double[] unit = new double[model.parameters()];
    unit[k] = 1;
    double error = standardError(unit) * engine.scale(k, value);
    double step = error > 0 ? error : 0.01 * Math.max(Math.abs(value), 0.01);
    End low = end(k, -step, k == 0 ? value - WIDEST_LEVEL : engine.lower(k));
    End high = end(k, step, k == 0 ? value + WIDEST_LEVEL : Double.POSITIVE_INFINITY);
    if (k > 0) {
      String name = model.shapeParameters().get(k - 1);
      Estimate estimate = estimate(value, low.value(), high.value(), "");
      return new Parameter(name, estimate, error, low.open(), high.open());
    }
    double below = Math.hypot(value - low.value(), data.blockHalfWidth);
    double above = Math.hypot(high.value() - value, data.blockHalfWidth);
    Estimate lambda =
        estimate(
            lambda(),
            low.open() ? 0 : data.toLambda(value - below),
            data.toLambda(value + above),
            options.unit());
    return new Parameter("λ", lambda, error * lambda(), low.open(), high.open());
  }

  /** The amount by which the residual sum of squares may rise. */
  private double threshold() {
    double t = StudentT.twoSided(Estimate.CONFIDENCE, degreesOfFreedom);
    return t * t * best.rss() / degreesOfFreedom;
  }

  /**
   * The end of the profile interval of one parameter.
   *
   * @param index of the parameter, 0 for ln λ
   * @param step the first step from the best value, with its sign: about a standard error
   * @param bound that the parameter cannot pass, possibly infinite
   */
  private End end(int index, double step, double bound) {
    double from = best.all()[index];
    if (threshold() <= 0 || from == bound) {
      return new End(from, from == bound);
    }
    double outside = from;
    double stride = step;
    for (int i = 0; i < MAX_STEPS && Math.abs(outside) <= 1e9 * (1 + Math.abs(from)); i++) {
      double inside = outside;
      outside = step < 0 ? Math.max(outside + stride, bound) : Math.min(outside + stride, bound);
      if (excess(index, outside) > 0) {
        double end = crossing(index, inside, outside);
        plausible.add(engine.holding(index, end, best));
        return new End(end, false);
      }
      if (outside == bound) {
        break;
      }
      stride *= 2;
    }
    plausible.add(engine.holding(index, outside, best));
    return new End(outside, true);
  }

  /** The root of the share of the threshold is close to a straight line in the parameter. */
  private double excess(int index, double value) {
    double more = engine.holding(index, value, best).rss() - best.rss();
    return Math.sqrt(Math.max(0, more) / threshold()) - 1;
  }

  private double crossing(int index, double inside, double outside) {
    double accuracy = 1e-9 * Math.max(Math.abs(outside - inside), 1e-300);
    try {
      return new BracketingNthOrderBrentSolver(1e-12, accuracy, 1e-10, 5)
          .solve(
              100,
              value -> excess(index, value),
              Math.min(inside, outside),
              Math.max(inside, outside));
    } catch (MathRuntimeException e) {
      return outside; // the profile has a step here: the wider end is the honest one
    }
  }

  private Estimate estimate(double value, double low, double high, String unit) {
    double from = Math.min(low, value);
    double to = Math.max(high, value);
    return new Estimate(value, from, to, Estimate.CONFIDENCE, data.points.size(), unit);
  }

  public Model model() {
    return model;
  }

  /** λ first, then those of the model's formula; their intervals are worked out when asked for. */
  public List<Parameter> parameters() {
    if (parameters.isEmpty()) {
      plausible.add(best);
      for (int k = 0; k < model.parameters(); k++) {
        parameters.add(parameter(k));
      }
    }
    return List.copyOf(parameters);
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

  /** The share of the throughput's variation explained, on the scale of the fit. */
  public double r2() {
    double total = Samples.sumOfSquares(onScale());
    return total > 0 ? 1 - rss() / total : 0;
  }

  /** n ln(RSS/n)+2K+2K(K+1)/(n−K−1), K = p+1; empty where n is too small for it. */
  public OptionalDouble aicc() {
    int n = data.size();
    int k = model.parameters() + 1;
    return n - k - 1 <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(aic() + 2.0 * k * (k + 1) / (n - k - 1));
  }

  /** n ln(RSS/n)+2K; a perfect fit would have ln 0, and rounding leaves about so much. */
  double aic() {
    int n = data.size();
    double meanSquare =
        data.isLog() ? 1 : Arrays.stream(onScale()).map(x -> x * x).average().orElseThrow();
    double least = 1e-24 * n * meanSquare;
    return n * Math.log(Math.max(rss(), least) / n) + 2.0 * (model.parameters() + 1);
  }

  private double[] onScale() {
    return data.points.stream()
        .mapToDouble(point -> options.scale().forward(point.throughput()))
        .toArray();
  }

  /** A parameter by its name in the model's formula. */
  public Parameter parameter(String name) {
    return parameters().get(1 + model.shapeParameters().indexOf(name));
  }

  /** The fitted value of a parameter. */
  public double value(String name) {
    return best.all()[1 + model.shapeParameters().indexOf(name)];
  }

  /** λ. */
  public double lambda() {
    return data.toLambda(best.all()[0]);
  }

  /**
   * The maximum of the scalability law; empty of other models and where it has none.
   *
   * @see Scalability.Peak
   */
  Optional<Scalability.Peak> peak() {
    if (model != Model.UNIVERSAL || value("σ") >= 1 || value("κ") == 0) {
      return Optional.empty();
    }
    Estimate n = ofShape(LawFit::peakN, options.name());
    return Optional.of(
        new Scalability.Peak(
            n, throughputInterval(n.value()), ofShape(LawFit::kneeN, options.name())));
  }

  private static double peakN(double[] theta) {
    return Math.sqrt((1 - theta[0]) / theta[1]);
  }

  private static double kneeN(double[] theta) {
    double b = theta[0] - theta[1];
    double root = Math.sqrt(b * b + 12 * theta[1] * (1 - theta[0]));
    return (root - b) / (6 * theta[1]);
  }

  /**
   * The least N* of the scalability law that the interval of κ allows; empty of other models, or
   * where κ allows none.
   */
  public OptionalDouble earliestPeak() {
    if (model != Model.UNIVERSAL || parameter("κ").openHigh()) {
      return OptionalDouble.empty();
    }
    double[] theta = engine.holding(2, parameter("κ").estimate().high(), best).theta();
    return theta[1] > 0 && theta[0] < 1 ? OptionalDouble.of(peakN(theta)) : OptionalDouble.empty();
  }

  /**
   * The probability, if this model were true, that the means at each N lie so far from it, by the
   * noise of the replicates (F test of the lack of fit; Montgomery, Design and Analysis of
   * Experiments); empty without replicates, or where the model has a parameter for each N.
   */
  public OptionalDouble lackOfFit() {
    int pure = data.pureDegreesOfFreedom();
    int lack = data.places.length - model.parameters();
    if (pure < 1 || lack < 1 || (data.isLog() && rss() < EXACT)) {
      return OptionalDouble.empty();
    }
    double misfit = Math.max(0, best.rss() - data.within) / lack;
    double f = Math.min(LARGEST_F, misfit / Math.max(data.within / pure, Double.MIN_NORMAL));
    return OptionalDouble.of(1 - new FDistribution(lack, pure).cumulativeProbability(f));
  }

  /** True where the replicates show that the model does not fit. */
  public boolean misfits() {
    return lackOfFit().orElse(1) < SIGNIFICANT;
  }

  /** The N from which on the model gives no more, if that lies within the measured range. */
  public Optional<Estimate> saturation() {
    double largest = points.stream().mapToDouble(Point::n).max().orElseThrow();
    return Optional.of(model)
        .filter(own -> own == Model.BOUNDS && value("s") < largest)
        .map(own -> parameter("s").estimate());
  }

  /** The throughput that the model gives at {@code n}; never below 0. */
  public double throughput(double n) {
    return throughput(n, best);
  }

  private double throughput(double n, Solution at) {
    double[] theta = at.theta();
    double g = model.at(n, theta, new double[theta.length]);
    return g > 0 ? data.toLambda(at.all()[0]) * g : 0;
  }

  /**
   * The throughput with the interval of the curve (not of a single run): by the delta method on ln
   * X, and as wide as the curves at the ends of the parameters' profile intervals, which know the
   * bounds.
   */
  public Estimate throughputInterval(double n) {
    double x = throughput(n);
    parameters();
    double[] ends = plausible.stream().mapToDouble(at -> throughput(n, at)).sorted().toArray();
    double low = ends[0];
    double high = ends[ends.length - 1];
    if (x > 0) {
      double[] gradient = engine.slopes(n, best.all());
      double perLog = data.isLog() ? 1 : data.unitOfResiduals() / x;
      double half = halfWidth(Arrays.stream(gradient).map(d -> d * perLog).toArray(), 1);
      double blocks = data.blockHalfWidth;
      low = Math.min(x * Math.exp(-half), low > 0 ? byBlocks(x, low, blocks) : 0);
      high = Math.max(x * Math.exp(half), byBlocks(x, high, blocks));
    }
    return estimate(x, low, high, options.unit());
  }

  private static double byBlocks(double x, double end, double blocks) {
    double log = Math.log(end / x);
    return x * Math.exp(Math.copySign(Math.hypot(log, blocks), log));
  }

  /**
   * The interval of a positive function of θ alone, symmetric on its logarithm; its gradient is
   * taken by differences.
   */
  private Estimate ofShape(ToDoubleFunction<double[]> function, String unit) {
    double[] theta = best.theta();
    double[] gradient = new double[theta.length + 1];
    for (int k = 0; k < theta.length; k++) {
      double[] up = theta.clone();
      double[] down = theta.clone();
      double step = 1e-5 * Math.max(Math.abs(up[k]), 1e-9);
      up[k] += step;
      down[k] -= step;
      double change = Math.log(function.applyAsDouble(up) / function.applyAsDouble(down));
      double scale = engine.scale(k + 1, theta[k]) / (2 * step);
      gradient[k + 1] = Double.isFinite(change) ? change * scale : 0;
    }
    double value = function.applyAsDouble(theta);
    double half = halfWidth(gradient, 0);
    return estimate(value, value * Math.exp(-half), value * Math.exp(half), unit);
  }

  private double halfWidth(double[] gradient, double ofLevel) {
    double t = StudentT.twoSided(Estimate.CONFIDENCE, degreesOfFreedom);
    double half = Math.hypot(t * standardError(gradient), ofLevel * data.blockHalfWidth);
    return Math.min(WIDEST_LOG, half);
  }
}
