package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.mixed.Contrast;
import io.pyrometer.analysis.scalability.BoundedLeastSquares.Solution;
import io.pyrometer.analysis.scalability.LawFit.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The intervals of a model's parameters: by blocks for the level where there are any. */
final class ParameterIntervals {
  private final Model model;
  private final PooledPoints data;
  private final BoundedLeastSquares engine;
  private final Solution best;
  private final Linearised plane;
  private final Profile ofLevel;

  ParameterIntervals(
      Model model,
      PooledPoints data,
      BoundedLeastSquares engine,
      Solution best,
      Linearised plane,
      Profile ofLevel) {
    this.model = model;
    this.data = data;
    this.engine = engine;
    this.best = best;
    this.plane = plane;
    this.ofLevel = ofLevel;
  }

  /**
   * λ first.
   *
   * @param rows of every point the derivatives and the residual, blocks taken out
   * @param variance of a residual
   */
  List<Parameter> of(double[][] rows, double variance, int degreesOfFreedom) {
    double confidence = data.options().confidence();
    Profile ofShape = new Profile(engine, best, degreesOfFreedom, degreesOfFreedom, confidence);
    double half = data.isLog() ? levelHalfWidth(rows, variance) : 0;
    List<Parameter> intervals = new ArrayList<>();
    for (int k = 0; k < model.parameters(); k++) {
      double value = best.all()[k];
      double error = plane.standardError(k);
      double step = error > 0 ? error : 0.01 * Math.max(Math.abs(value), 0.01);
      double least = k == 0 ? data.leastLevel(best.level()) : engine.lower()[k];
      double most = k == 0 ? data.mostLevel(best.level()) : Double.POSITIVE_INFINITY;
      Profile profile = k == 0 ? ofLevel : ofShape;
      boolean byBlocks = k == 0 && half > 0;
      Profile.End low =
          byBlocks
              ? new Profile.End(Math.max(least, value - half), value - half < least)
              : profile.end(k, -step, least);
      Profile.End high =
          byBlocks
              ? new Profile.End(Math.min(most, value + half), value + half > most)
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
      double[] derivatives = Arrays.copyOf(rows[i], p);
      effects[i] = plane.covarianceOfLevel(derivatives) / variance * rows[i][p];
    }
    return data.blocks()
        .level(best.level(), effects)
        .map((Contrast level) -> level.halfWidth(data.options().confidence()))
        .orElse(0.0);
  }

  private Parameter lambda(double error, Profile.End low, Profile.End high) {
    double lambda = data.toLambda(best.level());
    return new Parameter(
        "λ",
        estimate(
            lambda,
            Math.max(0, data.toLambda(low.value())),
            data.toLambda(high.value()),
            data.options().unit()),
        error * (data.isLog() ? lambda : data.unitOfResiduals()),
        low.open(),
        high.open());
  }

  private Estimate estimate(double value, double low, double high, String unit) {
    return new Estimate(
        value,
        Math.min(low, value),
        Math.max(high, value),
        data.options().confidence(),
        data.points().size(),
        unit);
  }
}
