package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import java.util.Arrays;
import java.util.List;
import org.hipparchus.analysis.solvers.BisectionSolver;
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
  private static final double ACCURACY = 1e-12;
  private static final int MOST_HALVINGS = 200;

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
    double[] aic = models.stream().mapToDouble(model -> model.aic(1)).toArray();
    double least = Arrays.stream(aic).min().orElseThrow();
    double[] shares = Arrays.stream(aic).map(each -> Math.exp((least - each) / 2)).toArray();
    double sum = Arrays.stream(shares).sum();
    weights = Arrays.stream(shares).map(share -> share / sum).toArray();
  }

  /** The end of the interval below which the models together put half of what it leaves out. */
  double low() {
    double share = (1 - confidence) / 2;
    return below(top - NOTHING) >= share ? 0 : Math.exp(quantile(share));
  }

  /** The other end. */
  double high() {
    return Math.exp(quantile((1 + confidence) / 2));
  }

  private double quantile(double share) {
    return new BisectionSolver(ACCURACY)
        .solve(MOST_HALVINGS, lnX -> below(lnX) - share, top - NOTHING, top + 1);
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
