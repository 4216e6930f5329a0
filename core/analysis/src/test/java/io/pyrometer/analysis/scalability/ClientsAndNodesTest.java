package io.pyrometer.analysis.scalability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientsAndNodesTest {
  private static final double[] THETA = {0.8, 0.02, 0.3, 0.002};

  private static List<GridPoint> grid(double spread, int replicates) {
    Random random = new Random(17);
    List<GridPoint> points = new ArrayList<>();
    for (double c : new double[] {1, 4, 16, 64}) {
      for (double n : new double[] {1, 2, 4, 8}) {
        for (int r = 0; r < replicates; r++) {
          double x = 5000 * new GridCurve().value(new double[] {c, n}, THETA, new double[4]);
          points.add(new GridPoint(c, n, x * Math.exp(spread * random.nextGaussian())));
        }
      }
    }
    return points;
  }

  private static Optional<Double> best(ClientsAndNodes fit, double nodes) {
    Estimate kappa = fit.parameters().get(4).estimate();
    return ClientsAndNodes.bestClients(fit.parameters().get(3).estimate().value(), kappa, nodes);
  }

  @Test
  void anExactGridGivesItsParametersBack() {
    ClientsAndNodes fit = ClientsAndNodes.of(grid(0, 1), "ops/s", 0.95);
    double[] expected = {5000, 0.8, 0.02, 0.3, 0.002};
    for (int k = 0; k < expected.length; k++) {
      assertThat(fit.parameters().get(k).estimate().value())
          .isCloseTo(expected[k], within(1e-5 * expected[k]));
    }
    assertThat(best(fit, 8).orElseThrow()).isCloseTo(Math.sqrt((8 - 0.3) / 0.002), within(1e-3));
  }

  @Test
  void theBestNumberOfClientsIsWhereThroughputTurns() {
    ClientsAndNodes fit = ClientsAndNodes.of(grid(0.02, 3), "ops/s", 0.95);
    double best = best(fit, 4).orElseThrow();
    assertThat(fit.throughput(best, 4)).isGreaterThan(fit.throughput(best * 0.98, 4));
    assertThat(fit.throughput(best, 4)).isGreaterThan(fit.throughput(best * 1.02, 4));
  }

  @Test
  void aNoisyGridHoldsTheTruthInItsIntervals() {
    ClientsAndNodes fit = ClientsAndNodes.of(grid(0.04, 3), "ops/s", 0.99);
    assertThat(fit.parameters().get(1).estimate().contains(0.8)).isTrue();
    assertThat(fit.parameters().get(4).estimate().contains(0.002)).isTrue();
    assertThat(fit.residualSd()).isBetween(0.025, 0.055);
    assertThat(fit.points()).hasSize(48);
    assertThat(fit.findings().get(0).sentence()).contains("8 nodes give most with about");
  }

  @Test
  void aGridOfFewerThanFourByFourIsRefused() {
    List<GridPoint> three = grid(0, 1).stream().filter(p -> p.nodes() < 8).toList();
    assertThatThrownBy(() -> ClientsAndNodes.of(three, "", 0.95))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("4 of clients and 3 of nodes");
  }
}
