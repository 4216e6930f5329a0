package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private final Budget budget = new Budget(3_200);
  private final Budget.Share share = budget.share("a", 2);
  private final Budget.Share other = budget.share("b", 2);

  private static void fill(Budget budget, Budget.Share share) {
    for (int i = 0; i < 5; i++) {
      assertThat(budget.tryTake(share, 320)).isTrue();
    }
    assertThat(budget.tryTake(share, 320)).isFalse();
  }

  @Test
  void nodesHaveEqualPartsAndAFullOneDoesNotStopTheOther() {
    fill(budget, share);
    fill(budget, other);
    assertThat(budget.entries.sum()).isEqualTo(10);
    assertThat(budget.bytes()).isEqualTo(3_200);
    budget.release(share, 1, 320);
    assertThat(budget.tryTake(other, 32)).isFalse();
    assertThat(budget.tryTake(share, 32)).isTrue();
  }

  @Test
  void aNodeHasMoreRoomWhenOthersLeaveAndLessWhenTheyJoin() {
    fill(budget, share);
    assertThat(budget.share("a", 1)).isSameAs(share);
    fill(budget, share);
    budget.share("a", 2);
    budget.release(share, 5, 1_600);
    assertThat(budget.tryTake(share, 320)).isFalse();
    budget.release(share, 1, 320);
    assertThat(budget.tryTake(share, 320)).isTrue();
  }

  @Test
  void aMergedEntryIsWhereTheNewerWriteHasRoomAndGrowsOrShrinks() {
    assertThat(budget.tryTake(share, 960)).isTrue();
    assertThat(budget.tryTake(other, 320)).isTrue();
    budget.merge(share, 960, other, 320, 416);
    assertThat(budget.entries.sum()).isEqualTo(1);
    assertThat(budget.bytes()).isEqualTo(416);
    fill(budget, share);
    budget.release(share, 5, 1_600);
    assertThat(budget.tryTake(other, 640)).isTrue();
    budget.merge(other, 416, other, 640, 832);
    assertThat(budget.bytes()).isEqualTo(832);
    budget.release(other, 1, 832);
    fill(budget, other);
  }

  @Test
  void anEntryMayExceedTheBoundAndTheNextWaitsUntilThereIsRoomAgain() {
    assertThat(Budget.counted(33)).isEqualTo(64);
    assertThat(budget.tryTake(share, 32)).isTrue();
    assertThat(budget.tryTake(share, 32_000)).isTrue();
    assertThat(budget.tryTake(share, 32)).isFalse();
    budget.release(share, 1, 32_000);
    assertThat(budget.tryTake(share, 32)).isTrue();
  }

  private Thread waiting(long bytes, List<Long> granted) throws InterruptedException {
    Thread thread =
        new Thread(
            () -> {
              try {
                if (budget.await(share, bytes, System.nanoTime() + Settings.FOREVER, () -> {})) {
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
  void roomGoesToThoseWhoWaitAndNobodyPassesThem() throws Exception {
    assertThat(budget.tryTake(share, 1_600)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread large = waiting(1_920, granted);
    Thread small = waiting(160, granted);
    budget.release(share, 0, 32);
    large.join();
    assertThat(granted).as("in their order").containsExactly(1_920L);
    assertThat(budget.tryTake(share, 32)).as("somebody waits").isFalse();
    budget.release(share, 1, 3_488);
    small.join();
    assertThat(budget.bytes()).isEqualTo(160);
    assertThat(budget.tryTake(share, 32)).isTrue();
  }

  @Test
  void whoGivesUpWaitingLetsTheNextOnePass() throws Exception {
    assertThat(budget.tryTake(share, 1_600)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread first = waiting(1_920, granted);
    Thread second = waiting(160, granted);
    first.interrupt();
    first.join();
    budget.release(share, 1, 1_600);
    second.join();
    assertThat(granted).containsExactly(160L);
    assertThat(budget.bytes()).isEqualTo(160);
    assertThat(budget.entries.sum()).isEqualTo(1);
  }

  @Test
  void waitingEndsWithTheDeadlineAndWhenTheBudgetIsClosed() throws Exception {
    assertThat(budget.tryTake(share, 1_600)).isTrue();
    assertThat(budget.await(share, 32, System.nanoTime() + 1_000_000, () -> {})).isFalse();
    Thread waiting = waiting(32, new CopyOnWriteArrayList<>());
    budget.close();
    waiting.join();
    assertThat(budget.hasWaiting()).isFalse();
  }
}
