package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.trial.AgentShares.Share;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentSharesTest {
  /** In five seconds. */
  private static Share share(int agent, long records, Optional<Long> began) {
    return new Share(
        "agent-" + agent,
        new Answer.Finished(
            5,
            records,
            records,
            0,
            0,
            List.of(),
            List.of(),
            0,
            Optional.of(new Arrivals(1_000, records, records, 0, 0))),
        began);
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
    assertThat(
            marks(
                share(0, 1_000, Optional.empty()),
                share(1, 1_000, Optional.empty()),
                share(2, 700, Optional.empty()),
                share(3, 950, Optional.empty())))
        .containsExactly("slowest rate of agent-2 72");
    assertThat(marks(share(0, 1_000, Optional.empty()), share(1, 850, Optional.empty()))).isEmpty();
    assertThat(marks(share(0, 9, Optional.empty()), share(1, 1, Optional.empty())))
        .as("few calls differ by chance")
        .isEmpty();
  }

  @Test
  void theLastToBeginIsNamedIfItBeganMoreThanTenMillisecondsAfterTheFirst() {
    assertThat(
            marks(
                share(0, 1_000, Optional.of(5_012_000L)),
                share(1, 1_000, Optional.of(5_000_000L)),
                share(2, 1_000, Optional.empty())))
        .containsExactly("late start of agent-0 12");
    assertThat(
            marks(
                share(0, 1_000, Optional.of(5_009_000L)), share(1, 1_000, Optional.of(5_000_000L))))
        .isEmpty();
  }

  @Test
  void figuresOfEveryAgentAreKept() {
    Map<String, Metric> metrics =
        new AgentShares(
                List.of(share(0, 1_000, Optional.of(2_000L)), share(1, 500, Optional.of(4_500L))))
            .metrics();
    assertThat(metrics.get("throughput.agent-1").value()).isEqualTo(100, within(1e-9));
    assertThat(metrics.get("offered-rate.agent-1").value()).isEqualTo(200, within(1e-9));
    assertThat(metrics.get("start.agent-1").value()).isEqualTo(2.5, within(1e-9));
    assertThat(metrics.get("start.agent-0").value()).isZero();
  }

  @Test
  void aSingleAgentHasNoShare() {
    AgentShares one = new AgentShares(List.of(share(0, 1_000, Optional.of(2_000L))));
    assertThat(one.metrics()).isEmpty();
    assertThat(one.checks()).isEmpty();
  }
}
