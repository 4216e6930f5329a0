package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.ignite.internal.processors.cache.CacheStoppedException;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final Fault ofKey =
      new Fault(Fault.Kind.KEYS, List.of(1), new IllegalStateException("failed"), false);
  private volatile Readiness.State state = Readiness.State.READY;
  private final Readiness readiness = new Readiness("orders", () -> state);

  @Test
  void aFaultInAReadyClusterIsThatOfItsKeys() {
    assertThat(readiness.judge(ofKey)).isSameAs(ofKey);
  }

  @Test
  void aServerMayStopACacheBeforeTheClientSeesIt() {
    Throwable answer = new IllegalStateException("failed");
    answer.addSuppressed(new CacheStoppedException("orders"));
    Fault fault = new Fault(Fault.Kind.KEYS, List.of(1), answer, false);
    assertThat(readiness.judge(fault).kind).isEqualTo(Fault.Kind.PASSING);
  }

  @Test
  void aFaultPassesWhileTheClusterIsNotReadyAndForSomeTimeAfter() throws Exception {
    state = Readiness.State.UNREADY;
    Fault fault = readiness.judge(ofKey);
    assertThat(fault.kind).isEqualTo(Fault.Kind.PASSING);
    assertThat(fault.failedKeys.size()).as("the others were applied").isEqualTo(1);
    readiness.look();
    state = Readiness.State.READY;
    assertThat(readiness.judge(ofKey).kind).isEqualTo(Fault.Kind.PASSING);
    Eventually.holds("settled", () -> readiness.judge(ofKey) == ofKey);
  }

  @Test
  void aCacheThatIsSeenAbsentForSomeTimeWasDestroyed() throws Exception {
    state = Readiness.State.ABSENT;
    assertThat(readiness.judge(ofKey).kind)
        .as("it may not have started")
        .isEqualTo(Fault.Kind.PASSING);
    Eventually.holds("destroyed", () -> readiness.judge(ofKey).kind == Fault.Kind.FINAL);
    assertThat(readiness.judge(ofKey).cause).hasMessageContaining("orders").hasCause(ofKey.cause);
  }
}
