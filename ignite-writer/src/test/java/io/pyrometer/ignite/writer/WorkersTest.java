package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks while the machine cannot start a thread. */
@Timeout(60)
class WorkersTest {
  private static final int FEW_CALLS = 25;

  private final AtomicInteger unstartable = new AtomicInteger(); // of the next threads
  private final Workers workers =
      new Workers(8) {
        @Override
        Thread newThread(Runnable task, String name, ClassLoader loader, long stackBytes) {
          return unstartable.getAndUpdate(left -> Math.max(0, left - 1)) == 0
              ? super.newThread(task, name, loader, stackBytes)
              : new Unstartable();
        }
      };
  private final CompletableFuture<Integer> callDepth = new CompletableFuture<>();

  private static final class Unstartable extends Thread {
    @Override
    public synchronized void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  private void run() {
    callDepth.complete(new Throwable().getStackTrace().length);
  }

  @BeforeEach
  void startTheClock() {
    Future<?> unused = workers.after(0, () -> {});
  }

  @AfterEach
  void close() {
    workers.close();
  }

  @Test
  void aTaskIsTriedAgainUntilAThreadStartsAndIsNotWrappedEachTime() throws Exception {
    unstartable.set(100);
    workers.execute(this::run);
    assertThat(callDepth.get(40, TimeUnit.SECONDS)).isLessThan(FEW_CALLS);
    assertThat(unstartable).hasValue(0);
  }

  @Test
  void aStageIsRunByTheFirstTickThatCanStartAThread() throws Exception {
    unstartable.set(3);
    workers.executeStages(this::run);
    assertThat(workers.tick()).isFalse();
    assertThat(workers.tick()).isFalse();
    assertThat(workers.tick()).isTrue();
    assertThat(callDepth.get(40, TimeUnit.SECONDS)).isLessThan(FEW_CALLS);
  }

  @Test
  void aThreadForStagesThatCannotBeStartedIsLate() throws Exception {
    unstartable.set(1);
    workers.startStages(this::run);
    assertThat(workers.tick()).isTrue();
    assertThat(callDepth.get(40, TimeUnit.SECONDS)).isLessThan(FEW_CALLS);
  }

  @Test
  void theListenerHasItsThreadFromTheStart() throws Exception {
    unstartable.set(Integer.MAX_VALUE);
    workers.listen(this::run);
    assertThat(callDepth.get(40, TimeUnit.SECONDS)).isLessThan(FEW_CALLS);
  }

  @Test
  void whatIsLateAtTheEndIsRunByTheThreadOfTheListener() throws Exception {
    unstartable.set(Integer.MAX_VALUE);
    workers.executeStages(this::run);
    workers.close();
    assertThat(callDepth.get(40, TimeUnit.SECONDS)).isLessThan(FEW_CALLS);
  }
}
