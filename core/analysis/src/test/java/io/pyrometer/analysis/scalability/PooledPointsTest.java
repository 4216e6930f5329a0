package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.scalability.PooledPoints.Blocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PooledPointsTest {
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

  /** Sums of products of all columns, of derivatives and of what is left. */
  private static double[][] products(double[][] rows) {
    int columns = rows[0].length;
    double[][] sums = new double[columns][columns];
    for (double[] row : rows) {
      for (int a = 0; a < columns; a++) {
        for (int b = 0; b < columns; b++) {
          sums[a][b] += row[a] * row[b];
        }
      }
    }
    return sums;
  }

  private void pooledAreThoseOfAllPoints(PooledPoints pooled) {
    assertThat(pooled.places()).hasSize(6);
    for (int i = 0; i < 20; i++) {
      double[] at = {0.2 * random.nextGaussian(), random.nextDouble(), 0.02 * random.nextDouble()};
      double[] left = new double[6];
      double[][] jacobian = new double[6][3];
      assertThat(pooled.rows(Model.UNIVERSAL, at, left, jacobian)).isTrue();
      double[][] rows = new double[6][];
      for (int row = 0; row < 6; row++) {
        rows[row] = Arrays.copyOf(jacobian[row], 4);
        rows[row][3] = left[row];
      }
      double[][] found = products(rows);
      found[3][3] += pooled.within();
      double[][] expected = products(pooled.whitened(Model.UNIVERSAL, at));
      for (int a = 0; a < 4; a++) {
        assertThat(found[a]).containsExactly(expected[a], within(1e-9 * (1 + expected[3][3])));
      }
    }
  }

  @Test
  void pointsOfOnePlaceAreTakenTogetherWithoutChangingTheLeastSquares() {
    List<ScalePoint> points = points(12);
    FitOptions options = FitOptions.DEFAULT;
    pooledAreThoseOfAllPoints(new PooledPoints(points, options, Blocks.NONE));
    pooledAreThoseOfAllPoints(new PooledPoints(points, options.withScale(ResponseScale.PLAIN)));
  }

  @Test
  void soTheyAreWhereBlocksVary() {
    PooledPoints points = new PooledPoints(points(12), FitOptions.DEFAULT);
    assertThat(points.blocks().matter()).isTrue();
    pooledAreThoseOfAllPoints(points);
  }
}
