package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.ContentDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalTest {

  private static ContentDigest records(int count) {
    return new ContentDigest(count, 31L * count);
  }

  @Test
  void writesThatNoCopyAcknowledgesAreAwaitedUntilNothingChanges() {
    Deque<ContentDigest> seen =
        new ArrayDeque<>(List.of(records(3), records(5), records(5), records(9)));
    Agent.awaitArrival(seen::remove, Duration.ofMinutes(1));
    assertThat(seen).containsExactly(records(9));
  }

  @Test
  void theyAreNotAwaitedForEver() {
    int[] count = {0};
    Agent.awaitArrival(() -> records(count[0]++), Duration.ofMillis(1));
    // On a busy machine the time may be over before the second look.
    assertThat(count[0]).isBetween(1, 2);
  }
}
