package io.pyrometer.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.capacity.ClosedNetwork.Delay;
import io.pyrometer.analysis.capacity.ClosedNetwork.Queue;
import io.pyrometer.analysis.capacity.ClosedNetwork.Solution;
import io.pyrometer.analysis.capacity.ClosedNetwork.Station;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact mean value analysis against a published table and against birth and death. */
class ClosedNetworkTest {
  /** Jain, The Art of Computer Systems Performance Analysis (1991), example 34.2. */
  private static final List<Station> TIMESHARING =
      List.of(new Queue(2, 1, 1), new Queue(3, 1, 1), new Queue(1, 1, 1), new Delay(4));

  /** Table 34.1, all rows that the book prints. */
  @ParameterizedTest
  @CsvSource({
    "1, 6.000, 0.100, 0.200, 0.300, 0.100",
    "2, 7.400, 0.175, 0.421, 0.684, 0.193",
    "3, 9.088, 0.229, 0.651, 1.158, 0.273",
    "4, 11.051, 0.266, 0.878, 1.721, 0.338",
    "5, 13.256, 0.290, 1.088, 2.365, 0.388",
    "17, 47.045, 0.333, 1.974, 13.195, 0.499",
    "18, 50.032, 0.333, 1.981, 14.187, 0.499",
    "19, 53.022, 0.333, 1.987, 15.181, 0.500",
    "20, 56.016, 0.333, 1.991, 16.177, 0.500"
  })
  void jainsTableIsReproduced(
      int customers, double response, double throughput, double cpu, double a, double b) {
    Solution solved = ClosedNetwork.solve(TIMESHARING, customers);
    double waiting = solved.queues().stream().limit(3).mapToDouble(queue -> queue).sum();
    assertThat(waiting / solved.throughput()).isEqualTo(response, within(5.1e-4));
    assertThat(solved.throughput()).isEqualTo(throughput, within(5.1e-4));
    assertThat(solved.queues().get(0)).isEqualTo(cpu, within(5.1e-4));
    assertThat(solved.queues().get(1)).isEqualTo(a, within(5.1e-4));
    assertThat(solved.queues().get(2)).isEqualTo(b, within(5.1e-4));
  }

  /** One station with c servers and think time is a birth-and-death chain, solved directly. */
  @ParameterizedTest
  @CsvSource({"2, 1", "2, 2", "2, 5", "2, 40", "4, 3", "4, 20", "16, 64", "16, 300", "64, 500"})
  void severalServersAgreeWithBirthAndDeath(int servers, int customers) {
    double demand = 1;
    double think = 3;
    double[] weight = new double[customers + 1];
    weight[0] = 1;
    double sum = 1;
    for (int k = 1; k <= customers; k++) {
      weight[k] = weight[k - 1] * (customers - k + 1) / think / (Math.min(k, servers) / demand);
      sum += weight[k];
    }
    double throughput = 0;
    for (int k = 1; k <= customers; k++) {
      throughput += weight[k] / sum * Math.min(k, servers) / demand;
    }
    Solution solved =
        ClosedNetwork.solve(List.of(new Queue(demand, servers, 1), new Delay(think)), customers);
    assertThat(solved.throughput()).isEqualTo(throughput, within(1e-9 * throughput));
  }

  @Test
  void alikeStationsAreSolvedAsOneByOne() {
    Solution together = ClosedNetwork.solve(List.of(new Queue(3, 2, 3), new Delay(1)), 12);
    Solution apart =
        ClosedNetwork.solve(
            List.of(new Queue(1, 2, 1), new Queue(1, 2, 1), new Queue(1, 2, 1), new Delay(1)), 12);
    assertThat(together.throughput()).isEqualTo(apart.throughput(), within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 100, 1_000})
  void throughputStaysWithinTheAsymptoticBounds(int customers) {
    List<Station> stations = List.of(new Queue(2, 2, 4), new Queue(1, 4, 1), new Delay(0.5));
    double x = ClosedNetwork.solve(stations, customers).throughput();
    assertThat(x).isLessThanOrEqualTo(Math.min(4, customers / 3.5) * (1 + 1e-9));
    if (customers > 1) {
      assertThat(x)
          .isGreaterThanOrEqualTo(
              ClosedNetwork.solve(stations, customers - 1).throughput() * (1 - 1e-9));
    }
  }

  @Test
  void aNetworkWithoutCustomersOrDemandIsRefused() {
    assertThatThrownBy(() -> ClosedNetwork.solve(TIMESHARING, 0))
        .isInstanceOf(BadDataException.class);
    assertThatThrownBy(() -> ClosedNetwork.solve(List.of(new Delay(0)), 1))
        .isInstanceOf(BadDataException.class);
  }
}
