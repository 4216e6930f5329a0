package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.hipparchus.distribution.continuous.NormalDistribution;

/**
 * The interval of a throughput that several models predict: the quantiles of their mixture on ln X,
 * each model with its Akaike weight exp(−AIC/2) (Burnham and Anderson, Model Selection and
 * Multimodel Inference, 2002, chapter 4) and with the normal distribution on either side of its
 * value that has its profile interval. The correction of AIC for few points is left out, since it
 * takes the weight from every model of three parameters.
 */
final class ModelAverage {
  private static final NormalDistribution NORMAL = new NormalDistribution();

  /** A throughput of e^−60 times the largest is none. */
  private static final double NOTHING = 60;

  private static final double LEAST_SPREAD = 1e-9;
  private static final int HALVINGS = 80;

  private final List<Estimate> predictions;
  private final double[] weights;
  private final double top;
  private final double confidence;

  /**
   * @param predictions of the models, with profile intervals of this confidence
   */
  ModelAverage(List<LawFit> models, List<Estimate> predictions, double confidence) {
    this.predictions = predictions;
    this.confidence = confidence;
    this.top = Math.log(predictions.stream().mapToDouble(Estimate::high).max().orElseThrow());
    double[] aic = models.stream().mapToDouble(ModelAverage::aic).toArray();
    double least = Double.POSITIVE_INFINITY;
    for (double each : aic) {
      least = Math.min(least, each);
    }
    double sum = 0;
    weights = new double[aic.length];
    for (int i = 0; i < aic.length; i++) {
      weights[i] = Math.exp((least - aic[i]) / 2);
      sum += weights[i];
    }
    for (int i = 0; i < aic.length; i++) {
      weights[i] /= sum;
    }
  }

  private static double aic(LawFit fit) {
    int n = fit.points().size();
    // A perfect fit would have ln 0; rounding alone leaves about this much.
    return n * Math.log(Math.max(fit.rss(), 1e-24 * n) / n) + 2.0 * (fit.model().parameters() + 1);
  }

  /** The end of the interval below which the models together put half of what it leaves out. */
  double low() {
    double share = (1 - confidence) / 2;
    return below(top - NOTHING) >= share ? 0 : Math.exp(quantile(this::below, share));
  }

  /** The other end. */
  double high() {
    return Math.exp(quantile(this::below, (1 + confidence) / 2));
  }

  private double quantile(DoubleUnaryOperator below, double share) {
    double low = top - NOTHING;
    double high = top + 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      boolean left = below.applyAsDouble(middle) < share;
      low = left ? middle : low;
      high = left ? high : middle;
    }
    return (low + high) / 2;
  }

  private double below(double lnX) {
    double z = NORMAL.inverseCumulativeProbability((1 + confidence) / 2);
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      Estimate own = predictions.get(i);
      if (!(own.value() > 0)) {
        // The curve has come down to nothing: it lies below its high end or, rarely, above.
        sum += weights[i] * (lnX < Math.log(own.high()) ? (1 + confidence) / 2 : 1);
        continue;
      }
      double from = lnX - Math.log(own.value());
      double end = from < 0 ? own.value() / own.low() : own.high() / own.value();
      double spread = Math.max(LEAST_SPREAD, Math.min(Math.log(end), NOTHING) / z);
      sum += weights[i] * NORMAL.cumulativeProbability(from / spread);
    }
    return sum;
  }
}
