package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PendingBudgetTest {
  @Test
  void refusesTheEntryAfterTheLast() {
    PendingBudget budget = new PendingBudget(2, Long.MAX_VALUE);
    assertThat(budget.tryTake(0)).isTrue();
    assertThat(budget.tryTake(0)).isTrue();
    assertThat(budget.tryTake(0)).isFalse();
    budget.release(1, 0);
    assertThat(budget.tryTake(0)).isTrue();
  }

  @Test
  void refusesBytesBeyondTheBoundAndTakesNoEntryForThem() {
    PendingBudget budget = new PendingBudget(10, 100);
    assertThat(budget.tryTake(60)).isTrue();
    assertThat(budget.tryTake(60)).isFalse();
    assertThat(budget.tryGrow(41)).isFalse();
    assertThat(budget.tryGrow(-30)).isTrue();
    assertThat(budget.tryTake(60)).isTrue();
    assertThat(budget.entries()).isEqualTo(2);
    assertThat(budget.bytes()).isEqualTo(90);
  }

  @Test
  void anEntryLargerThanAllRoomIsTakenWhenAlone() {
    PendingBudget budget = new PendingBudget(10, 100);
    assertThat(budget.tryTake(1_000)).isTrue();
    assertThat(budget.tryTake(1)).isFalse();
  }

  private static Thread waiting(PendingBudget budget, long bytes, List<Long> granted)
      throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              try {
                if (budget.await(bytes, Nanos.deadline(Nanos.FOREVER), () -> {})) {
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
    PendingBudget budget = new PendingBudget(10, 100);
    assertThat(budget.tryTake(90)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread large = waiting(budget, 60, granted);
    Thread small = waiting(budget, 5, granted);
    assertThat(budget.tryTake(1)).as("there is room, and somebody waits").isFalse();
    assertThat(budget.tryGrow(1)).isFalse();
    assertThat(granted).isEmpty();
    budget.release(1, 90);
    large.join();
    small.join();
    assertThat(granted).containsExactlyInAnyOrder(60L, 5L);
    assertThat(budget.bytes()).isEqualTo(65);
    assertThat(budget.tryTake(1)).isTrue();
  }

  @Test
  void whoGivesUpWaitingLetsTheNextOnePass() throws Exception {
    PendingBudget budget = new PendingBudget(10, 100);
    assertThat(budget.tryTake(90)).isTrue();
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
    PendingBudget budget = new PendingBudget(1, 1);
    assertThat(budget.tryTake(1)).isTrue();
    assertThat(budget.await(1, Nanos.deadline(1_000_000), () -> {})).isFalse();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread waiting = waiting(budget, 1, granted);
    budget.close();
    waiting.join();
    assertThat(budget.await(1, Nanos.deadline(Nanos.FOREVER), () -> {})).isFalse();
    assertThat(granted).isEmpty();
    assertThat(budget.entries()).isEqualTo(1);
  }
}
