package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Means over the runs with certain levels, with the common error where there is one. */
final class CellMeans {
  private final TwoLevelDesign design;
  private final Contrasts contrasts;
  private final FactorialOptions options;
  private final int replicates;
  private final double standardErrorOfQ;
  private final int df;

  CellMeans(
      TwoLevelDesign design,
      Contrasts contrasts,
      FactorialOptions options,
      int replicates,
      double standardErrorOfQ,
      int df) {
    this.design = design;
    this.contrasts = contrasts;
    this.options = options;
    this.replicates = replicates;
    this.standardErrorOfQ = standardErrorOfQ;
    this.df = df;
  }

  Estimate overall() {
    return estimate(contrasts.mean(), 1);
  }

  List<CellMean> main() {
    List<CellMean> means = new ArrayList<>();
    for (int f = 0; f < design.factors().size(); f++) {
      for (int sign : new int[] {-1, 1}) {
        means.add(cell(f, sign, f, sign));
      }
    }
    return means;
  }

  List<List<CellMean>> interactions() {
    List<List<CellMean>> pairs = new ArrayList<>();
    for (int a = 0; a < design.factors().size(); a++) {
      for (int b = a + 1; b < design.factors().size(); b++) {
        if (runsWith(a, 1, b, 1) > 0 && runsWith(a, 1, b, -1) > 0) {
          pairs.add(
              List.of(cell(a, -1, b, -1), cell(a, 1, b, -1), cell(a, -1, b, 1), cell(a, 1, b, 1)));
        }
      }
    }
    return pairs;
  }

  private CellMean cell(int a, int signA, int b, int signB) {
    Map<String, String> levels = new LinkedHashMap<>();
    levels.put(design.factors().get(a).name(), level(a, signA));
    levels.put(design.factors().get(b).name(), level(b, signB));
    double share = runsWith(a, signA, b, signB) / (double) design.runs();
    return new CellMean(levels, estimate(contrasts.meanWhere(a, signA, b, signB), share));
  }

  private String level(int factor, int sign) {
    return sign < 0 ? design.factors().get(factor).low() : design.factors().get(factor).high();
  }

  private int runsWith(int a, int signA, int b, int signB) {
    int count = 0;
    for (int run = 0; run < design.runs(); run++) {
      count += design.sign(run, a) == signA && design.sign(run, b) == signB ? 1 : 0;
    }
    return count;
  }

  /** The mean of a share of all values has the standard error of q over the root of that share. */
  private Estimate estimate(double mean, double share) {
    ResponseScale scale = options.scale();
    int values = (int) Math.round(share * design.runs() * replicates);
    if (df == 0) {
      double back = scale.back(mean);
      return new Estimate(back, back, back, 0, values, options.unit());
    }
    double half = StudentT.twoSided(options.confidence(), df) * standardErrorOfQ / Math.sqrt(share);
    return new Estimate(
        scale.back(mean),
        scale.back(mean - half),
        scale.back(mean + half),
        options.confidence(),
        values,
        options.unit());
  }
}
