package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NanoClockTest {
  private static final long NOW_MICROS = 1_000_000_000;

  /** Each reading takes a microsecond; a parked thread wakes up late. */
  private static final class Fake implements NanoClock {
    private final List<Long> parked = new ArrayList<>();
    private long nanos;

    @Override
    public long nanoTime() {
      nanos += 1_000;
      return nanos;
    }

    @Override
    public long epochMicros() {
      return NOW_MICROS + nanos / 1_000;
    }

    @Override
    public void park(long time) {
      parked.add(time);
      nanos += time + 60_000;
    }
  }

  private final Fake clock = new Fake();

  @Test
  void anInstantIsWaitedForByParkingAndThenSpinning() {
    assertThat(clock.await(NOW_MICROS + 5_000)).isZero();
    assertThat(clock.epochMicros()).isBetween(NOW_MICROS + 5_000, NOW_MICROS + 5_005);
    assertThat(clock.parked).hasSize(1).allMatch(time -> time < 4_000_000);
  }

  @Test
  void anInstantThatHasPassedIsNotWaitedFor() {
    assertThat(clock.await(NOW_MICROS - 70)).isEqualTo(70);
    assertThat(clock.parked).isEmpty();
  }
}
