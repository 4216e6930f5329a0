package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.blocks.Grouping;
import io.pyrometer.analysis.estimate.StudentT;
import io.pyrometer.analysis.scalability.Scalability.Decline;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The points of a fit, pooled by N. Throughputs are divided by their largest X/N, so that λ is
 * about 1. On the logarithmic scale what a block has in common is taken out first, by the additive
 * model y = N + block + e (a randomised block design; Montgomery, ch. 4), so that no model's misfit
 * is taken for it.
 */
final class PooledPoints {
  private static final int SWEEPS = 200;
  private static final double CONVERGED = 1e-13;

  final List<ScalePoint> points;
  final AnalysisOptions options;
  private final double unit;

  /** On the scale of the fit, with the blocks taken out. */
  private final double[] y;

  /** The different N; there are as many rows of least squares. */
  final double[] places;

  /** The mean at each place, on the scale of the fit. */
  final double[] means;

  /** The root of the number of points at each place. */
  final double[] weights;

  /** The sum of squares around the means of the places. */
  final double within;

  private final int blockParameters;

  /** Half the interval of the level by the blocks alone; 0 without blocks. */
  final double blockHalfWidth;

  PooledPoints(List<ScalePoint> points, AnalysisOptions options) {
    this.points = points;
    this.options = options;
    unit = points.stream().mapToDouble(p -> p.throughput() / p.n()).max().orElseThrow();
    y = points.stream().mapToDouble(p -> options.scale().forward(p.throughput() / unit)).toArray();
    places = points.stream().mapToDouble(ScalePoint::n).distinct().toArray();
    Grouping ofPlaces = Grouping.of("N", points.stream().map(ScalePoint::n).toList());
    Grouping blocks = Grouping.of("block", points.stream().map(ScalePoint::block).toList());
    int[] place = ofPlaces.group();
    int[] block = blocks.group();
    int groups = blocks.groups();
    blockParameters =
        isLog() && groups > 1 && groups < points.size()
            ? groups - blocks.parts(ofPlaces).groups()
            : 0;
    double[] effects = new double[groups];
    double moved = blockParameters > 0 ? 1 : 0;
    for (int sweep = 0; sweep < SWEEPS && moved > CONVERGED; sweep++) {
      double[] ofPlace = ofPlaces.means(minus(effects, block));
      double[] next = blocks.means(minus(ofPlace, place));
      double centre = Samples.mean(next);
      moved = 0;
      for (int b = 0; b < groups; b++) {
        moved = Math.max(moved, Math.abs(next[b] - centre - effects[b]));
        effects[b] = next[b] - centre;
      }
    }
    blockHalfWidth =
        blockParameters == 0
            ? 0
            : StudentT.twoSided(Estimate.CONFIDENCE, groups - 1.0)
                * Math.sqrt(Samples.variance(effects) / groups);
    System.arraycopy(minus(effects, block), 0, y, 0, y.length);
    means = ofPlaces.means(y);
    weights = new double[places.length];
    Arrays.stream(place).forEach(p -> weights[p]++);
    Arrays.setAll(weights, p -> Math.sqrt(weights[p]));
    within =
        IntStream.range(0, y.length).mapToDouble(i -> Math.pow(y[i] - means[place[i]], 2)).sum();
  }

  private double[] minus(double[] effects, int[] group) {
    return IntStream.range(0, y.length).mapToDouble(i -> y[i] - effects[group[i]]).toArray();
  }

  /** The number of points less what the blocks take. */
  int size() {
    return points.size() - blockParameters;
  }

  /** The number of values that the noise is known from, whatever the curve. */
  int pureDegreesOfFreedom() {
    return size() - places.length;
  }

  /**
   * True where the mean at the largest N lies below the largest mean by more than the replicates'
   * noise, for all N that might have been the largest (Bonferroni).
   */
  Decline decline() {
    int df = pureDegreesOfFreedom();
    if (df < 1) {
      return Decline.UNKNOWN;
    }
    int best = largest(means);
    int last = largest(places);
    double error =
        Math.sqrt(within / df * (Math.pow(weights[best], -2) + Math.pow(weights[last], -2)));
    double t = StudentT.quantile(1 - (1 - Estimate.CONFIDENCE) / (places.length - 1), df);
    return means[best] - means[last] > t * error ? Decline.MEASURED : Decline.NONE;
  }

  /** The N with the largest mean. */
  double bestPlace() {
    return places[largest(means)];
  }

  private static int largest(double[] values) {
    return IntStream.range(0, values.length).reduce(0, (a, b) -> values[b] > values[a] ? b : a);
  }

  /** True where there are more points, and as many different N, as the model has parameters. */
  boolean canFit(Model model) {
    return size() > model.parameters() && places.length >= model.parameters();
  }

  boolean isLog() {
    return options.scale() == ResponseScale.LN;
  }

  /** λ in the unit of the data. */
  double toLambda(double level) {
    return unit * Math.exp(level);
  }

  /** The value in the data of 1 on the scale of the fit. */
  double unitOfResiduals() {
    return isLog() ? 1 : unit;
  }

  /** A point's residual from a curve on the scale of the fit, its block's effect taken out. */
  double residual(int point, double curve) {
    return y[point] - curve;
  }

  /** The best ln λ for some θ. */
  double bestLevel(Model model, double[] theta) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < places.length; i++) {
      double g = model.at(places[i], theta, new double[theta.length]);
      double weight = weights[i] * weights[i];
      sum += isLog() ? weight * (means[i] - Math.log(g)) : weight * g * means[i];
      squares += isLog() ? weight : weight * g * g;
    }
    double level = isLog() ? sum / squares : Math.log(sum / squares);
    return Double.isFinite(level) ? level : 0;
  }

  /**
   * A curve on the scale of the fit.
   *
   * @param parameters ln λ, then θ
   * @param slopes receives the derivatives by them
   * @return NaN where the curve does not exist
   */
  double curve(Model model, double n, double[] parameters, double[] slopes) {
    double[] theta = Arrays.copyOfRange(parameters, 1, parameters.length);
    double[] gradient = new double[theta.length];
    double g = model.at(n, theta, gradient);
    if (!(g > 0) || !Double.isFinite(g)) {
      return Double.NaN;
    }
    double lambda = Math.exp(parameters[0]);
    slopes[0] = isLog() ? 1 : lambda * g;
    for (int k = 0; k < theta.length; k++) {
      slopes[k + 1] = gradient[k] * (isLog() ? 1 / g : lambda);
    }
    return isLog() ? parameters[0] + Math.log(g) : lambda * g;
  }
}
