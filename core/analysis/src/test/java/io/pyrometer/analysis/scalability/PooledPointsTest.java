package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.scalability.Scalability.Decline;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PooledPointsTest {
  private static List<ScalePoint> points(double[] levels, double missing) {
    Random random = new Random(10);
    List<ScalePoint> points = new ArrayList<>();
    for (int block = 0; block < levels.length; block++) {
      for (int n = 1; n <= 6; n++) {
        if (random.nextDouble() >= missing) {
          points.add(new ScalePoint(n, 1000 * Math.sqrt(n) * levels[block], "b" + block));
        }
      }
    }
    return points;
  }

  @Test
  void whatBlocksHaveInCommonIsTakenOutAlsoWherePointsAreMissing() {
    for (double missing : new double[] {0, 0.3}) {
      PooledPoints pooled =
          new PooledPoints(points(new double[] {1, 1.2, 0.7, 2}, missing), AnalysisOptions.DEFAULT);
      assertThat(pooled.within).isCloseTo(0, within(1e-18));
      assertThat(pooled.size()).isEqualTo(pooled.points.size() - 3);
      assertThat(pooled.blockHalfWidth).isPositive();
      double ofPlaces = Math.log(pooled.places[3] / pooled.places[0]) / 2;
      assertThat(pooled.means[3] - pooled.means[0]).isCloseTo(ofPlaces, within(1e-12));
    }
  }

  @Test
  void aDeclineCountsOnlyBeyondTheNoiseOfReplicates() {
    double[] x = {100, 190, 260, 300, 290, 270};
    assertThat(decline(x, 1, 0.01)).isEqualTo(Decline.UNKNOWN);
    assertThat(decline(x, 3, 0.01)).isEqualTo(Decline.MEASURED);
    assertThat(decline(x, 3, 0.2)).isEqualTo(Decline.NONE);
  }

  private static Decline decline(double[] x, int replicates, double noise) {
    Random random = new Random(3);
    List<ScalePoint> points = new ArrayList<>();
    for (int r = 0; r < replicates; r++) {
      for (int i = 0; i < x.length; i++) {
        points.add(new ScalePoint(i + 1, x[i] * Math.exp(noise * random.nextGaussian())));
      }
    }
    return new PooledPoints(points, AnalysisOptions.DEFAULT).decline();
  }

  @Test
  void blocksThatShareNoNumberTakeNothingOut() {
    List<ScalePoint> points =
        List.of(
            new ScalePoint(1, 100, "a"),
            new ScalePoint(2, 190, "a"),
            new ScalePoint(4, 350, "b"),
            new ScalePoint(8, 600, "b"));
    PooledPoints pooled = new PooledPoints(points, AnalysisOptions.DEFAULT);
    assertThat(pooled.size()).isEqualTo(4);
    assertThat(pooled.decline()).isEqualTo(Decline.UNKNOWN);
  }
}
