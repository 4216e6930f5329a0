package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.ignite.node.ServerNode;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Settings;
import io.pyrometer.scenario.MockAnswer;
import io.pyrometer.scenario.Outcome;
import io.pyrometer.scenario.Part;
import io.pyrometer.scenario.Request;
import io.pyrometer.scenario.ScenarioGrid;
import io.pyrometer.scenario.ScenarioSession;
import io.pyrometer.scenario.Service;
import io.pyrometer.scenario.ServiceContext;
import io.pyrometer.scenario.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published asynchronous service with each way of keeping handlers, on a node in this JVM. */
class AsyncServiceIT {
  private static final Records ORDERS = Orders.pool();

  @TempDir static Path folder;
  private static ServerNode node;
  private static GridSession session;

  @BeforeAll
  static void start() {
    node = ServerNode.join(List.of(), folder + "/node", Settings.NONE);
    node.awaitServers(1, Duration.ofMinutes(1));
    session = Expected.session(node, folder);
  }

  @AfterAll
  static void stop() {
    session.close();
    node.close();
  }

  @ParameterizedTest
  @CsvSource({
    "lock, ATOMIC",
    "entry-processor, ATOMIC",
    "pessimistic, TRANSACTIONAL",
    "optimistic, TRANSACTIONAL",
    "memory, ATOMIC"
  })
  void aRequestIsAnsweredOnceByItsLastAnswerOrByTheTimer(String handler, String atomicity)
      throws Exception {
    Settings settings = new Settings(Map.of("handler", handler, "atomicity", atomicity));
    ScenarioSession trial =
        ((ScenarioGrid) session)
            .openScenario(Expected.trial("async-service", 1, ORDERS, settings), true);
    Context context = new Context(settings);
    try (Service service = trial.start(context)) {
      service.onRequest(request(7));
      service.onAnswer(answer(7, 2));
      assertThat(context.outcomes).isEmpty();
      service.onAnswer(answer(7, 1));
      service.onRequest(request(8));
      service.onAnswer(answer(8, 1));
      for (ServiceContext.Task timer : context.timers) {
        timer.run();
      }
      service.onAnswer(answer(8, 2));
    }
    assertThat(context.outcomes).isEqualTo(Map.of(7L, Outcome.COMPLETED, 8L, Outcome.TIMED_OUT));
    assertThat(context.received).containsExactly(1, 2, 1);
    assertThat(context.answersWithoutState).isEqualTo(1);
    trial.destroy();
  }

  private static Request request(long id) {
    return new Request(id, 0, 3, 2, System.nanoTime(), true);
  }

  private static MockAnswer answer(long request, int number) {
    return new MockAnswer(request, 0, number, 2, 3, true);
  }

  private static final class Context implements ServiceContext {
    private final Settings settings;
    private final Map<Long, Outcome> outcomes = new TreeMap<>();
    private final List<Integer> received = new ArrayList<>();
    private final List<Task> timers = new ArrayList<>();
    private int answersWithoutState;

    Context(Settings settings) {
      this.settings = settings;
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
      return System.nanoTime();
    }

    @Override
    public Step step(String name, Part part) {
      return (of, from, to) -> {};
    }

    @Override
    public Timer timer(String name) {
      return (measured, nanos) -> {};
    }

    @Override
    public void ask(Request request) {}

    @Override
    public void reply(Subject to, Outcome outcome, long elapsedNanos) {
      assertThat(outcomes.put(to.request(), outcome)).as("answers to %s", to).isNull();
    }

    @Override
    public void appended(MockAnswer answer, long readNanos, int count) {
      received.add(count);
    }

    @Override
    public void noState(MockAnswer answer, long readNanos) {
      answersWithoutState++;
    }

    @Override
    public void schedule(Duration delay, Task task) {
      timers.add(task);
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }
}
