package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final int ENTRIES = 10;

  private final Budget budget = new Budget(ENTRIES, 3_200);
  private final Budget.Share share = budget.share();

  @BeforeEach
  void giveRoom() {
    share.resize(ENTRIES);
  }

  @Test
  void refusesTheEntryAfterTheLastOfAllOrOfANode() {
    Budget.Share half = budget.share();
    half.resize(ENTRIES / 2);
    for (int i = 0; i < ENTRIES / 2; i++) {
      assertThat(budget.tryTake(half, 0)).isTrue();
    }
    assertThat(budget.tryTake(half, 0)).isFalse();
    for (int i = 0; i < ENTRIES / 2; i++) {
      assertThat(budget.tryTake(share, 0)).isTrue();
    }
    assertThat(budget.tryTake(share, 0)).isFalse();
    budget.release(half, 1, 0);
    assertThat(budget.tryTake(share, 0)).isTrue();
  }

  @Test
  void refusesBytesBeyondTheBoundAndTakesNoEntryForThem() {
    assertThat(budget.tryTake(share, 1_920)).isTrue();
    assertThat(budget.tryTake(share, 1_920)).isFalse();
    assertThat(budget.tryGrow(1_312)).isFalse();
    assertThat(budget.tryGrow(-960)).isTrue();
    assertThat(budget.tryTake(share, 1_920)).isTrue();
    assertThat(budget.entries()).isEqualTo(2);
    assertThat(budget.bytes()).isEqualTo(2_880);
  }

  @Test
  void anEntryLargerThanAllRoomIsTakenWhenAlone() {
    assertThat(budget.counted(33)).isEqualTo(64);
    assertThat(budget.tryTake(share, budget.counted(32_000))).isTrue();
    assertThat(budget.tryTake(share, 32)).isFalse();
  }

  private Thread waiting(long bytes, List<Long> granted) throws InterruptedException {
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
    assertThat(budget.tryTake(share, 2_880)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread large = waiting(1_920, granted);
    Thread small = waiting(160, granted);
    assertThat(budget.tryTake(share, 32)).as("there is room, and somebody waits").isFalse();
    assertThat(budget.tryGrow(32)).isFalse();
    assertThat(granted).isEmpty();
    budget.release(share, 1, 2_880);
    large.join();
    small.join();
    assertThat(granted).containsExactlyInAnyOrder(1_920L, 160L);
    assertThat(budget.bytes()).isEqualTo(2_080);
    assertThat(budget.tryTake(share, 32)).isTrue();
  }

  @Test
  void whoGivesUpWaitingLetsTheNextOnePass() throws Exception {
    assertThat(budget.tryTake(share, 2_880)).isTrue();
    List<Long> granted = new CopyOnWriteArrayList<>();
    Thread large = waiting(1_920, granted);
    Thread small = waiting(160, granted);
    large.interrupt();
    small.join();
    large.join();
    assertThat(granted).containsExactly(160L);
    assertThat(budget.bytes()).isEqualTo(3_040);
    assertThat(budget.entries()).isEqualTo(2);
  }

  @Test
  void waitingEndsWithTheDeadlineAndWhenTheBudgetIsClosed() throws Exception {
    assertThat(budget.tryTake(share, 3_200)).isTrue();
    assertThat(budget.await(share, 32, Nanos.deadline(1_000_000), () -> {})).isFalse();
    Thread waiting = waiting(32, new CopyOnWriteArrayList<>());
    budget.close();
    waiting.join();
    assertThat(budget.hasWaiting()).isFalse();
  }
}
