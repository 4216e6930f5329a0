package io.pyrometer.ignite.writer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RoomTest {
  @Test
  void refusesTheEntryAfterTheLast() {
    Room room = new Room(2, Long.MAX_VALUE);
    assertThat(room.tryTake(0)).isTrue();
    assertThat(room.tryTake(0)).isTrue();
    assertThat(room.tryTake(0)).isFalse();
    room.release(1, 0);
    assertThat(room.tryTake(0)).isTrue();
  }

  @Test
  void refusesBytesBeyondTheBoundAndTakesNoEntryForThem() {
    Room room = new Room(10, 100);
    assertThat(room.tryTake(60)).isTrue();
    assertThat(room.tryTake(60)).isFalse();
    assertThat(room.tryGrow(41)).isFalse();
    assertThat(room.tryGrow(-30)).isTrue();
    assertThat(room.tryTake(60)).isTrue();
    assertThat(room.entries()).isEqualTo(2);
    assertThat(room.bytes()).isEqualTo(90);
  }

  @Test
  void anEntryLargerThanAllRoomIsTakenWhenAlone() {
    Room room = new Room(10, 100);
    assertThat(room.tryTake(1_000)).isTrue();
    assertThat(room.tryTake(1)).isFalse();
  }

  @Test
  void aChangeBetweenTryAndWaitIsNotMissed() throws Exception {
    Room room = new Room(1, 1);
    long seen = room.changes();
    room.release(0, 0);
    assertThat(room.awaitChange(seen, System.nanoTime() + Long.MAX_VALUE / 2)).isTrue();
  }

  @Test
  void waitingEndsWithTheDeadline() throws Exception {
    Room room = new Room(1, 1);
    assertThat(room.awaitChange(room.changes(), System.nanoTime() + 1_000_000)).isFalse();
  }
}
