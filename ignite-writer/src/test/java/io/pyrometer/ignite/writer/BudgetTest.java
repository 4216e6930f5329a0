package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private final Budget.Share share = new Budget.Share(100);

  @Test
  void refusesTheEntryAfterTheLast() {
    Budget budget = new Budget(2, Long.MAX_VALUE);
    assertThat(budget.tryTake(share, 0)).isTrue();
    assertThat(budget.tryTake(share, 0)).isTrue();
    assertThat(budget.tryTake(share, 0)).isFalse();
    budget.release(share, 1, 0);
    assertThat(budget.tryTake(share, 0)).isTrue();
  }

  @Test
  void refusesBytesBeyondTheBoundAndTakesNoEntryForThem() {
    Budget budget = new Budget(10, 100);
    assertThat(budget.tryTake(share, 60)).isTrue();
    assertThat(budget.tryTake(share, 60)).isFalse();
    assertThat(budget.tryGrow(41)).isFalse();
    assertThat(budget.tryGrow(-30)).isTrue();
    assertThat(budget.tryTake(share, 60)).isTrue();
    assertThat(budget.entries()).isEqualTo(2);
    assertThat(budget.bytes()).isEqualTo(90);
  }

  @Test
  void anEntryLargerThanAllRoomIsTakenWhenAlone() {
    Budget budget = new Budget(10, 100);
    assertThat(budget.tryTake(share, 1_000)).isTrue();
    assertThat(budget.tryTake(share, 1)).isFalse();
  }

  private Thread waiting(Budget budget, long bytes, List<Long> granted)
      throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              try {
                if (budget.await(share, bytes, Nanos.deadline(Nanos.FOREVER), () -> {})) {
                  granted.add(bytes);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
    Eventually.waits(thread);
    return thread;
  }

  @Test
  void roomGoesToThoseWhoWaitInTheirOrderAndNobodyPassesThem() throws Exception {
    Budget budget = new Budget(10, 100);
    assertThat(budget.tryTake(share, 90)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread large = waiting(budget, 60, granted);
    Thread small = waiting(budget, 5, granted);
    assertThat(budget.tryTake(share, 1)).as("there is room, and somebody waits").isFalse();
    assertThat(budget.tryGrow(1)).isFalse();
    assertThat(granted).isEmpty();
    budget.release(share, 1, 90);
    large.join();
    small.join();
    assertThat(granted).containsExactlyInAnyOrder(60L, 5L);
    assertThat(budget.bytes()).isEqualTo(65);
    assertThat(budget.tryTake(share, 1)).isTrue();
  }

  @Test
  void whoGivesUpWaitingLetsTheNextOnePass() throws Exception {
    Budget budget = new Budget(10, 100);
    assertThat(budget.tryTake(share, 90)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread large = waiting(budget, 60, granted);
    Thread small = waiting(budget, 5, granted);
    large.interrupt();
    small.join();
    large.join();
    assertThat(granted).containsExactly(5L);
    assertThat(budget.bytes()).isEqualTo(95);
    assertThat(budget.entries()).isEqualTo(2);
  }

  @Test
  void waitingEndsWithTheDeadlineAndWhenTheBudgetIsClosed() throws Exception {
    Budget budget = new Budget(1, 1);
    assertThat(budget.tryTake(share, 1)).isTrue();
    assertThat(budget.await(share, 1, Nanos.deadline(1_000_000), () -> {})).isFalse();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread waiting = waiting(budget, 1, granted);
    budget.close();
    waiting.join();
    assertThat(budget.await(share, 1, Nanos.deadline(Nanos.FOREVER), () -> {})).isFalse();
    assertThat(granted).isEmpty();
    assertThat(budget.entries()).isEqualTo(1);
  }
}
