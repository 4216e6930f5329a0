package io.pyrometer.driver.ignite.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ignite.path.ContinuousQueryPath.EventMatcher;
import io.pyrometer.load.Call;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventMatcherTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final List<String> ends = new CopyOnWriteArrayList<>();

  @Test
  void aWriteIsDoneOnceEveryListenerWasTold() {
    EventMatcher matcher = new EventMatcher(3, LONG);
    EventMatcher.Write write = matcher.begin(call("a", 1), "v");
    matcher.event(0, 1, "v");
    matcher.event(2, 1, "v");
    assertThat(ends).isEmpty();
    matcher.event(1, 1, "v");
    assertThat(ends).containsExactly("a done");
    assertThat(matcher.doubled() + matcher.lost()).isZero();
    matcher.event(1, 1, "v");
    write.failed(new IllegalStateException("late"));
    assertThat(ends).as("neither a second event nor a late failure ends it again").hasSize(1);
    assertThat(matcher.doubled()).isEqualTo(1);
  }

  @Test
  void aListenerThatIsToldTwiceDoesNotStandForAnother() {
    EventMatcher matcher = new EventMatcher(2, LONG);
    matcher.begin(call("a", 1), "v");
    matcher.event(0, 1, "v");
    matcher.event(0, 1, "v");
    assertThat(ends).isEmpty();
    assertThat(matcher.doubled()).isEqualTo(1);
  }

  /** A copy of the first event must not be taken for the event of the second write. */
  @Test
  void valuesTellTheWritesToOneKeyApart() {
    EventMatcher matcher = new EventMatcher(1, LONG);
    matcher.begin(call("a", 1), "old");
    matcher.begin(call("b", 1), "new");
    matcher.event(0, 1, "old");
    matcher.event(0, 1, "old");
    assertThat(ends).containsExactly("a done");
    assertThat(matcher.doubled()).isEqualTo(1);
    matcher.event(0, 1, "new");
    assertThat(ends).containsExactly("a done", "b done");
  }

  @Test
  void withoutValuesEventsAreTakenInTheOrderOfTheWrites() {
    EventMatcher matcher = new EventMatcher(1, LONG);
    matcher.begin(call("a", 1), "old");
    matcher.begin(call("b", 1), "new");
    matcher.event(0, 1, null);
    matcher.event(0, 1, null);
    assertThat(ends).containsExactly("a done", "b done");
  }

  @Test
  void aLostEventFailsItsWriteOnceAndOneThatComesLateIsNotTakenForACopy() {
    EventMatcher matcher = new EventMatcher(1, Duration.ofMillis(1));
    EventMatcher.Write write = matcher.begin(call("a", 1), "v");
    assertThat(write.end()).failsWithin(Duration.ofMinutes(1));
    assertThat(Poll.until(Duration.ofMinutes(1), () -> !ends.isEmpty())).isTrue();
    matcher.event(0, 1, "v");
    assertThat(ends).containsExactly("a failed");
    assertThat(matcher.lost()).isEqualTo(1);
    assertThat(matcher.doubled()).isZero();
  }

  @Test
  void aFailedWriteMayHaveBeenCarriedOut() {
    EventMatcher matcher = new EventMatcher(1, LONG);
    EventMatcher.Write write = matcher.begin(call("a", 1), "v");
    write.failed(new IllegalStateException("in doubt"));
    matcher.event(0, 1, "v");
    assertThat(ends).containsExactly("a failed");
    assertThat(matcher.lost() + matcher.doubled()).isZero();
  }

  @Test
  void eventsOfOthersWritesAreNobodysBusiness() {
    EventMatcher matcher = new EventMatcher(1, LONG);
    matcher.event(0, 77, "v");
    assertThat(matcher.doubled()).isZero();
  }

  private Call call(String name, long key) {
    InvocationHandler answers =
        (self, method, of) -> method.getName().equals("key") ? key : end(name, method.getName());
    return (Call)
        Proxy.newProxyInstance(Call.class.getClassLoader(), new Class<?>[] {Call.class}, answers);
  }

  private @Nullable Object end(String name, String how) {
    ends.add(name + " " + how);
    return null;
  }
}
