package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
  @Test
  void theTargetGrowsWhileWritesQueueUpAndFallsWhenTheyTrickle() {
    BatchSize sizes = new BatchSize(64, 2_000, 9_000);
    sizes.sent(64);
    sizes.sent(500);
    assertThat(sizes.target()).isEqualTo(256);
    sizes.sent(255);
    assertThat(sizes.target()).isEqualTo(256);
    sizes.lingered();
    sizes.lingered();
    sizes.lingered();
    assertThat(sizes.target()).isEqualTo(64);
  }

  @Test
  void writesAreWorthWaitingForWhereATenthWasMerged() {
    BatchSize sizes = new BatchSize(64, 2_000, 9_000);
    assertThat(sizes.isMerging()).isFalse();
    sizes.taking(1_000, 100);
    assertThat(sizes.isMerging()).isTrue();
    sizes.taking(1_000, 99);
    assertThat(sizes.isMerging()).isFalse();
    assertThat(sizes.patience()).as("half of the lane's share").isEqualTo(4_500);
    assertThat(new BatchSize(64, 2_000, 3_000).patience()).as("a whole batch").isEqualTo(2_000);
  }

  @Property(tries = 200)
  void sizesStayWithinTheirBounds(
      @ForAll @IntRange(min = 1, max = 100) int smallest,
      @ForAll @IntRange(min = 1, max = 3_000) int largest,
      @ForAll @IntRange(min = 1, max = 9_000) int share,
      @ForAll @Size(max = 50) int[] events) {
    BatchSize sizes = new BatchSize(smallest, largest, share);
    for (int event : events) {
      int waiting = Math.floorMod(event, share + 1);
      switch (Math.floorMod(event, 4)) {
        case 0 -> sizes.lingered();
        case 1 -> sizes.sent(waiting);
        default -> sizes.taking(waiting, 0);
      }
      assertThat(sizes.largest()).isBetween(1, Math.min(largest, share));
      assertThat(sizes.target()).isBetween(1, sizes.largest());
    }
  }
}
