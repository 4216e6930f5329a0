package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** The steps that a file declares, in virtual time. */
class SteppedServiceTest {
  private static final Request REQUEST = new Request(1, 0, 42, 0, 0, true);
  private static final long MILLI = 1_000_000;

  private final List<String> done = new ArrayList<>();

  private Map<String, ScenarioStep> offered() {
    Map<String, ScenarioStep> steps = new LinkedHashMap<>();
    steps.put("read", new ScenarioStep(Part.CACHE_READ, request -> done.add("read")));
    steps.put("add", new ScenarioStep(Part.CACHE_WRITE, request -> done.add("add")));
    steps.put(
        "break",
        new ScenarioStep(
            Part.CACHE_WRITE,
            request -> {
              throw new IllegalStateException("broken");
            }));
    return steps;
  }

  private VirtualContext served(String steps) {
    VirtualContext context = new VirtualContext(steps);
    new SteppedService(context, offered()).onRequest(REQUEST);
    context.runAll();
    return context;
  }

  @Test
  void theDeclaredStepsAreTakenInTheirOrderWithTheirPauses() {
    VirtualContext context = served("add, pause constant 20ms, read, add");
    assertThat(done).containsExactly("add", "read", "add");
    assertThat(context.replies).containsExactly("COMPLETED at 20");
    assertThat(context.recorded)
        .containsExactly(
            "add 0..0", "pause 0..20", "wait for a thread 20..20", "read 20..20", "add 20..20");
  }

  @Test
  void aStepThatThrowsEndsTheRequestAsFailedAndNoFurtherStepIsTaken() {
    VirtualContext context = served("read, break, add");
    assertThat(done).containsExactly("read");
    assertThat(context.replies).containsExactly("FAILED at 0");
    assertThat(context.failures).hasSize(1);
  }

  @Test
  void aRequestThatIsLateIsAnsweredOnceAndTakesNoFurtherStep() {
    VirtualContext context = served("read, pause constant 300ms, add");
    assertThat(done).containsExactly("read");
    assertThat(context.replies).containsExactly("TIMED_OUT at 100");
  }

  @Test
  void aStepThatTheClassDoesNotOfferIsRefusedWithThoseThatItDoes() {
    assertThatThrownBy(() -> served("read, pay"))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("'pay'")
        .hasMessageContaining("read, add, break");
  }

  @Test
  void aWorkloadWithoutStepsIsRefusedWithThoseThatItCouldHave() {
    VirtualContext context = new VirtualContext("");
    assertThatThrownBy(() -> new SteppedService(context, offered()))
        .hasMessageContaining("'steps: [read, add, break]'");
  }

  /** Runs what was scheduled in the order of its time, without waiting. */
  private static final class VirtualContext implements ServiceContext {
    private record Due(long at, int number, Task task) {}

    final List<String> replies = new ArrayList<>();
    final List<String> recorded = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    private final PriorityQueue<Due> queue =
        new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingInt(Due::number));
    private final Settings settings;
    private long now;
    private int scheduled;

    VirtualContext(String steps) {
      Settings timeout = Settings.NONE.with(ScenarioSettings.REQUEST_TIMEOUT, 0.1);
      settings = steps.isEmpty() ? timeout : timeout.with(ScenarioSettings.STEPS, steps);
    }

    void runAll() {
      while (!queue.isEmpty()) {
        Due next = queue.remove();
        now = next.at();
        try {
          next.task().run();
        } catch (Exception failure) {
          failures.add(failure);
        }
      }
    }

    @Override
    public Settings settings() {
      return settings;
    }

    @Override
    public int index() {
      return 0;
    }

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public Step step(String name, Part part) {
      return (of, from, to) -> recorded.add("%s %d..%d".formatted(name, from / MILLI, to / MILLI));
    }

    @Override
    public Timer timer(String name) {
      return (measured, nanos) -> {};
    }

    @Override
    public void ask(Request request) {
      throw new AssertionError("Nobody is to be asked.");
    }

    @Override
    public void reply(Subject to, Outcome outcome, long elapsedNanos) {
      replies.add(outcome + " at " + elapsedNanos / MILLI);
    }

    @Override
    public void appended(MockAnswer answer, long readNanos, int received) {}

    @Override
    public void noState(MockAnswer answer, long readNanos) {}

    @Override
    public void schedule(Duration delay, Task task) {
      queue.add(new Due(now + delay.toNanos(), scheduled++, task));
    }

    @Override
    public void failed(Throwable cause) {
      failures.add(cause);
    }
  }
}
