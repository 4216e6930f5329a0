package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.trial.AgentShares.Share;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Arrivals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentSharesTest {
  private static Share share(int agent, long records) {
    return share(agent, records, Optional.empty());
  }

  private static Share share(int agent, long records, long began) {
    return share(agent, records, Optional.of(began));
  }

  private static Share share(int agent, long records, Optional<Long> began) {
    Optional<Arrivals> arrivals = Optional.of(new Arrivals(1_000, records, records, 0, 0));
    return new Share(
        "agent-" + agent, FakeGrid.finished(5, records, 0, 0, arrivals, List.of()), began);
  }

  private static List<String> marks(Share... shares) {
    return new AgentShares(List.of(shares))
        .checks().stream()
            .filter(Check::disturbed)
            .map(check -> "%s %.0f".formatted(check.words(), check.value()))
            .toList();
  }

  @Test
  void theSlowestAgentIsNamedIfItIsFarFromTheMedian() {
    assertThat(marks(share(0, 1_000), share(1, 1_000), share(2, 700), share(3, 950)))
        .containsExactly("slowest rate of agent-2 72");
    assertThat(marks(share(0, 1_000), share(1, 850))).isEmpty();
    assertThat(marks(share(0, 9), share(1, 1))).as("few calls differ by chance").isEmpty();
  }

  @Test
  void theLastToBeginIsNamedIfItBeganMoreThanTenMillisecondsAfterTheFirst() {
    assertThat(marks(share(0, 1_000, 5_012_000L), share(1, 1_000, 5_000_000L), share(2, 1_000)))
        .containsExactly("late start of agent-0 12");
    assertThat(marks(share(0, 1_000, 5_009_000L), share(1, 1_000, 5_000_000L))).isEmpty();
  }

  @Test
  void figuresOfEveryAgentAreKept() {
    Map<String, Metric> metrics =
        new AgentShares(List.of(share(0, 1_000, 2_000L), share(1, 500, 4_500L))).metrics();
    assertThat(metrics.get("throughput.agent-1").value()).isEqualTo(100, within(1e-9));
    assertThat(metrics.get("offered-rate.agent-1").value()).isEqualTo(200, within(1e-9));
    assertThat(metrics.get("start.agent-1").value()).isEqualTo(2.5, within(1e-9));
    assertThat(metrics.get("start.agent-0").value()).isZero();
  }
}
