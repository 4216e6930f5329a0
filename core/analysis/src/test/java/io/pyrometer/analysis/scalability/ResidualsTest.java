package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResidualsTest {
  private final Random random = new Random(10);

  /** So many blocks over 1 to 6 nodes, blocks and points with noise, some points missing. */
  private List<ScalePoint> points(int blocks) {
    List<ScalePoint> points = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      double level = Math.exp(0.1 * random.nextGaussian());
      for (int n = 1; n <= 6; n++) {
        if (random.nextInt(5) > 0) {
          double x =
              1000 * n / (1 + 0.3 * (n - 1)) * level * Math.exp(0.05 * random.nextGaussian());
          points.add(new ScalePoint(n, x, String.valueOf(block)));
        }
      }
    }
    return points;
  }

  private static Residuals residuals(List<ScalePoint> points, FitScale scale, Blocks blocks) {
    return new Residuals(
        Model.UNIVERSAL,
        points.stream().map(p -> new double[] {p.n()}).toArray(double[][]::new),
        points.stream().mapToDouble(ScalePoint::throughput).toArray(),
        scale,
        blocks);
  }

  private static double[][] normal(double[][] jacobian, double[] left) {
    int p = jacobian[0].length;
    double[][] sums = new double[p][p + 1];
    for (int i = 0; i < left.length; i++) {
      for (int a = 0; a < p; a++) {
        sums[a][p] += jacobian[i][a] * left[i];
        for (int b = 0; b < p; b++) {
          sums[a][b] += jacobian[i][a] * jacobian[i][b];
        }
      }
    }
    return sums;
  }

  private void pooledAreThoseOfAllPoints(Residuals all) {
    Residuals pooled = all.pooled();
    assertThat(pooled.points()).isEqualTo(6);
    for (int i = 0; i < 20; i++) {
      double[] at = {0.2 * random.nextGaussian(), random.nextDouble(), 0.02 * random.nextDouble()};
      double[][] jacobian = new double[all.points()][3];
      double[][] pooledJacobian = new double[6][3];
      double[] left = all.at(at, jacobian);
      double[] pooledLeft = pooled.at(at, pooledJacobian);
      double squares = all.squares(left);
      assertThat(pooled.squares(pooledLeft)).isCloseTo(squares, within(1e-10 * squares));
      double[][] expected = normal(jacobian, left);
      double[][] found = normal(pooledJacobian, pooledLeft);
      for (int a = 0; a < 3; a++) {
        assertThat(found[a]).containsExactly(expected[a], within(1e-9 * (1 + squares)));
      }
    }
  }

  @Test
  void pointsOfOnePlaceAreTakenTogetherWithoutChangingTheLeastSquares() {
    List<ScalePoint> points = points(12);
    pooledAreThoseOfAllPoints(residuals(points, FitScale.LOG, Blocks.NONE));
    pooledAreThoseOfAllPoints(residuals(points, FitScale.LINEAR, Blocks.NONE));
  }

  @Test
  void soTheyAreWhereBlocksVary() {
    List<ScalePoint> points = points(12);
    Blocks blocks = Blocks.of(points, FitScale.LOG);
    assertThat(blocks.matter()).isTrue();
    pooledAreThoseOfAllPoints(residuals(points, FitScale.LOG, blocks));
  }
}
