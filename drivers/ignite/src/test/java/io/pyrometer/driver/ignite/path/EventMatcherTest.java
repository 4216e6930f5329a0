package io.pyrometer.driver.ignite.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.load.Call;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventMatcherTest {
  private static final long PATIENCE = 100;

  private final List<String> ends = new ArrayList<>();

  @Test
  void aWriteIsDoneOnceEveryListenerWasTold() {
    EventMatcher matcher = new EventMatcher(3, PATIENCE);
    EventMatcher.Write write = matcher.begin(call("a", 1), "v", 0);
    matcher.event(0, 1, "v");
    matcher.event(2, 1, "v");
    assertThat(ends).isEmpty();
    matcher.event(1, 1, "v");
    assertThat(ends).containsExactly("a done");
    assertThat(matcher.doubled() + matcher.lost()).isZero();
    matcher.event(1, 1, "v");
    matcher.failed(write, new IllegalStateException("late"));
    matcher.expire(PATIENCE + 1);
    assertThat(ends).as("neither a second event nor a late failure ends it again").hasSize(1);
    assertThat(matcher.doubled()).isEqualTo(1);
  }

  @Test
  void aListenerThatIsToldTwiceDoesNotStandForAnother() {
    EventMatcher matcher = new EventMatcher(2, PATIENCE);
    matcher.begin(call("a", 1), "v", 0);
    matcher.event(0, 1, "v");
    matcher.event(0, 1, "v");
    assertThat(ends).isEmpty();
    assertThat(matcher.doubled()).isEqualTo(1);
  }

  /** A copy of the first event must not be taken for the event of the second write. */
  @Test
  void valuesTellTheWritesToOneKeyApart() {
    EventMatcher matcher = new EventMatcher(1, PATIENCE);
    matcher.begin(call("a", 1), "old", 0);
    matcher.begin(call("b", 1), "new", 0);
    matcher.event(0, 1, "old");
    matcher.event(0, 1, "old");
    assertThat(ends).containsExactly("a done");
    assertThat(matcher.doubled()).isEqualTo(1);
    matcher.expire(PATIENCE + 1);
    assertThat(ends).containsExactly("a done", "b failed");
    assertThat(matcher.lost()).isEqualTo(1);
  }

  @Test
  void withoutValuesEventsAreTakenInTheOrderOfTheWrites() {
    EventMatcher matcher = new EventMatcher(1, PATIENCE);
    matcher.begin(call("a", 1), "old", 0);
    matcher.begin(call("b", 1), "new", 0);
    matcher.event(0, 1, null);
    matcher.event(0, 1, null);
    assertThat(ends).containsExactly("a done", "b done");
  }

  @Test
  void aLostEventFailsItsWriteOnceAndOneThatComesLateIsNotTakenForACopy() {
    EventMatcher matcher = new EventMatcher(1, PATIENCE);
    matcher.begin(call("a", 1), "v", 0);
    matcher.expire(PATIENCE);
    assertThat(ends).isEmpty();
    matcher.expire(PATIENCE + 1);
    matcher.expire(10 * PATIENCE);
    assertThat(ends).containsExactly("a failed");
    matcher.event(0, 1, "v");
    assertThat(ends).containsExactly("a failed");
    assertThat(matcher.lost()).isEqualTo(1);
    assertThat(matcher.doubled()).isZero();
  }

  @Test
  void aFailedWriteMayHaveBeenCarriedOut() {
    EventMatcher matcher = new EventMatcher(1, PATIENCE);
    EventMatcher.Write write = matcher.begin(call("a", 1), "v", 0);
    matcher.failed(write, new IllegalStateException("in doubt"));
    matcher.event(0, 1, "v");
    matcher.expire(PATIENCE + 1);
    assertThat(ends).containsExactly("a failed");
    assertThat(matcher.lost() + matcher.doubled()).isZero();
  }

  @Test
  void eventsOfOthersWritesAreNobodysBusiness() {
    EventMatcher matcher = new EventMatcher(1, PATIENCE);
    matcher.event(0, 77, "v");
    assertThat(matcher.doubled()).isZero();
  }

  /** A completed write does not hide that a later one is overdue, and the other way round. */
  @Test
  void everyOverdueWriteIsFound() {
    EventMatcher matcher = new EventMatcher(1, PATIENCE);
    matcher.begin(call("a", 1), "v", 0);
    matcher.begin(call("b", 2), "v", 1);
    matcher.begin(call("c", 3), "v", 50);
    matcher.event(0, 2, "v");
    matcher.expire(PATIENCE + 10);
    assertThat(ends).containsExactly("b done", "a failed");
    matcher.expire(PATIENCE + 51);
    assertThat(ends).containsExactly("b done", "a failed", "c failed");
  }

  private Call call(String name, long key) {
    return new Call() {
      @Override
      public int size() {
        return 1;
      }

      @Override
      public long key(int i) {
        return key;
      }

      @Override
      public int record(int i) {
        return 0;
      }

      @Override
      public int operation() {
        return 0;
      }

      @Override
      public void done() {
        ends.add(name + " done");
      }

      @Override
      public void failed(Throwable cause) {
        ends.add(name + " failed");
      }
    };
  }
}
