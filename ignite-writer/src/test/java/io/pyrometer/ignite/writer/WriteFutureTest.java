package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WriteFutureTest {
  @Test
  void callersCannotCompleteIt() {
    WriteFuture ack = new WriteFuture();
    assertThat(ack.complete(null)).isFalse();
    assertThat(ack.cancel(true)).isFalse();
    assertThat(ack.completeExceptionally(new RuntimeException())).isFalse();
    assertThatThrownBy(() -> ack.obtrudeValue(null))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("copy()");
    assertThat(ack).isNotDone();
    ack.succeed();
    assertThat(ack).isCompleted();
  }

  @Test
  void aTimeoutTouchesOnlyTheCallersCopy() throws Exception {
    WriteFuture ack = new WriteFuture();
    CompletableFuture<Void> impatient = ack.orTimeout(1, TimeUnit.MILLISECONDS);
    assertThat(ack.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS).get(9, TimeUnit.SECONDS))
        .isNull();
    Eventually.holds("timed out", impatient::isCompletedExceptionally);
    assertThat(ack).isNotDone();
  }

  @Test
  void aGroupIsDoneWithTheLastOfItsEntries() {
    WriteFuture one = new WriteFuture();
    WriteFuture other = new WriteFuture();
    GroupFuture early = new GroupFuture();
    GroupFuture late = new GroupFuture();
    one.tell(early);
    one.tell(early);
    one.tell(late);
    other.tell(late);
    other.tell(early);
    CompletableFuture<Void> earlyDone = early.complete();
    CompletableFuture<Void> lateDone = late.complete();
    one.succeed();
    one.succeed();
    assertThat(earlyDone).isNotDone();
    IllegalStateException cause = new IllegalStateException("full");
    other.fail(cause);
    assertThat(earlyDone).isCompletedExceptionally();
    assertThatThrownBy(lateDone::join).hasCause(cause);
  }
}
