package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The values of the runs on one scale, their means, and their contrasts q_j = Σ x_ij ȳ_i / n. */
final class Contrasts {
  /** One row a run, one value a replicate. */
  final double[][] y;

  final double[] runMeans;
  final double[] blockMeans;
  final double mean;
  private final TwoLevelDesign design;

  Contrasts(FactorialData data, ResponseScale scale) {
    design = data.design();
    y = data.responses();
    for (int run = 0; run < y.length; run++) {
      for (int r = 0; r < y[run].length; r++) {
        if (scale == ResponseScale.LN && y[run][r] <= 0) {
          throw BadDataException.of(
              "Run %d has a response of %s, whose logarithm does not exist; analyse it as it is or repeat the run.",
              run + 1, Figures.plain(y[run][r]));
        }
        y[run][r] = scale.forward(y[run][r]);
      }
    }
    runMeans = Arrays.stream(y).mapToDouble(Samples::mean).toArray();
    blockMeans =
        IntStream.range(0, y[0].length)
            .mapToDouble(b -> Arrays.stream(y).mapToDouble(row -> row[b]).average().orElseThrow())
            .toArray();
    mean = Samples.mean(runMeans);
  }

  double q(int word) {
    return IntStream.range(0, y.length)
        .mapToDouble(run -> design.product(run, word) * runMeans[run] / y.length)
        .sum();
  }

  /** n·r·q². */
  double sumOfSquares(int word) {
    double q = q(word);
    return y.length * (double) y[0].length * q * q;
  }

  /** How much the word's contrast varies over the blocks: n·Σ(q_b − q)². */
  double betweenBlocks(int word) {
    double[] ofBlocks =
        IntStream.range(0, y[0].length)
            .mapToDouble(
                b ->
                    IntStream.range(0, y.length)
                        .mapToDouble(run -> design.product(run, word) * y[run][b] / y.length)
                        .sum())
            .toArray();
    return y.length * Samples.sumOfSquares(ofBlocks);
  }

  /** Σ over all values of the squared distance from their run's mean. */
  double withinRuns() {
    return Arrays.stream(y).mapToDouble(Samples::sumOfSquares).sum();
  }

  /** The part of {@link #withinRuns} that the blocks share. */
  double betweenBlocks() {
    return y.length * Samples.sumOfSquares(blockMeans);
  }
}
