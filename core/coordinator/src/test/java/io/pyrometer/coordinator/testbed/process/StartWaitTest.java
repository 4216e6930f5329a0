package io.pyrometer.coordinator.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.coordinator.testbed.WorkerException;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Waits for starts on a virtual clock, with processes whose CPU time is a function of it. */
class StartWaitTest {
  private static final Duration USUAL = Duration.ofSeconds(60);

  private final VirtualTime time = new VirtualTime();
  private final CompletableFuture<String> step = new CompletableFuture<>();

  private FakeProcess using(DoubleUnaryOperator cpuSeconds) {
    FakeProcess process = (FakeProcess) new FakeGrid(time).start("agent-0").get(0);
    process.uses(() -> OptionalDouble.of(cpuSeconds.applyAsDouble(time.seconds())));
    return process;
  }

  private void completeAfter(double seconds) {
    time.onTick(
        () -> {
          if (time.seconds() >= seconds) {
            step.complete("up");
          }
        });
  }

  private void assertGivenUp(FakeProcess process, double from, double to) {
    assertThatThrownBy(() -> StartWait.await(process, step, "start", USUAL))
        .isInstanceOfSatisfying(WorkerException.class, why -> assertThat(why.gone()).isTrue());
    assertThat(time.seconds()).isBetween(from, to);
    assertThat(process.killed()).isTrue();
  }

  @Test
  void aProcessThatUsesATenthOfACpuIsWaitedForBeyondTheUsualTime() {
    FakeProcess slow = using(seconds -> seconds / 10);
    completeAfter(240);
    assertThat(StartWait.await(slow, step, "start", USUAL)).isEqualTo("up");
    assertThat(slow.killed()).isFalse();
    assertThat(time.seconds()).isBetween(239.9, 240.2);
  }

  @Test
  void aProcessThatWorksForeverIsGivenUpAfterFiveMinutes() {
    assertGivenUp(using(seconds -> seconds), 300, 310);
  }

  @Test
  void aProcessThatUsesWhatAnIdleJvmUsesIsGivenUpSoonAfterTheUsualTime() {
    assertGivenUp(using(seconds -> 12 + seconds / 100), 60, 70.1);
  }
}
