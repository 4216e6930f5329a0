package io.pyrometer.scenario;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.scenario.ScenarioMessages.ClockComparison;
import io.pyrometer.scenario.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.ScenarioMessages.CompareClocks;
import io.pyrometer.scenario.ScenarioMessages.ConnectScenario;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.ScenarioMessages.ScenarioPeer;
import io.pyrometer.scenario.ScenarioMessages.ScenarioReady;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * All processes of a scenario in this JVM, over loopback connections, with a map in place of the
 * grid. Roles, messages and logs are those of real trials. Tests wait for replies and not for time;
 * the time-outs of requests are so long that a busy machine does not reach them.
 */
final class Loopback implements AutoCloseable {
  private static final int REPLIES = 50;

  private final Settings settings;
  private final Path folder;
  private final Map<Long, Integer> grid = new ConcurrentHashMap<>();
  private final List<Member> members = new ArrayList<>();
  private final Semaphore replies = new Semaphore(0);
  private boolean storesLate;
  private ClocksCompared clocks = new ClocksCompared(List.of());
  private Optional<Answer.Finished> finished = Optional.empty();

  private record Member(ScenarioRole role, int index, ScenarioWorker worker, boolean[] killed) {}

  private Loopback(Settings settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
  }

  /** A trial with few, quick answers. */
  static Settings settings() {
    return Settings.NONE
        .with("rate", 300.0)
        .with("arrival", "constant")
        .with("path", "map")
        .with(ScenarioSettings.SERVICE_PROCESSES, 1)
        .with(ScenarioSettings.MOCK_PROCESSES, 1)
        .with(ScenarioSettings.SERVICE_THREADS, 8)
        .with(ScenarioSettings.MOCK_THREADS, 4)
        .with(ScenarioSettings.PUBLISHERS, 3)
        .with(ScenarioSettings.ANSWER_DELAY, "uniform 3ms 7ms")
        .with(ScenarioSettings.REQUEST_TIMEOUT, 600.0)
        .with(ScenarioSettings.REPLY_TIMEOUT, 1_200.0);
  }

  static Loopback of(Settings settings, Path folder) {
    return new Loopback(settings, folder);
  }

  /** Stores new state only after the mock's first answer, which so loses the race. */
  Loopback storesLate() {
    storesLate = true;
    return this;
  }

  /** Connects all processes and begins to publish. */
  Loopback begin() {
    List<ScenarioPeer> peers = new ArrayList<>();
    for (int agent = 0; agent < ScenarioRole.agents(settings); agent++) {
      Member member =
          new Member(
              ScenarioRole.of(agent, settings),
              ScenarioRole.indexOf(agent, settings),
              new ScenarioWorker(),
              new boolean[1]);
      members.add(member);
      ScenarioReady ready =
          tell(member, prepare(member.role(), member.index()), ScenarioReady.class);
      peers.add(new ScenarioPeer(member.role(), member.index(), "127.0.0.1", ready.port()));
    }
    members.forEach(member -> tell(member, ScenarioMessages.command(new ConnectScenario(peers))));
    clocks = tell(members.get(0), new CompareClocks(20), ClocksCompared.class);
    tell(members.get(0), new Command.Begin());
    return this;
  }

  private PrepareScenario prepare(ScenarioRole role, int index) {
    TrialSpec trial =
        new TrialSpec(
            "loopback", 0, 0, Map.of(), ScenarioMessages.JOB, settings, ScenarioKind.RECORD, 7);
    return new PrepareScenario(trial, role, index, "127.0.0.1", folder.toString());
  }

  private <T> T tell(Member member, ScenarioMessages.Content content, Class<T> answer) {
    return ((Answer.OfKind) tell(member, ScenarioMessages.command(content))).as(answer);
  }

  private Answer tell(Member member, Command command) {
    TrialCommands.Surroundings surroundings =
        new TrialCommands.Surroundings(
            () -> {
              throw new AssertionError("A scenario does not need to know its driver.");
            },
            Optional.of(new MapGrid()),
            sample -> {});
    return member.worker().answer(command, surroundings).orElseThrow();
  }

  /** Counts requests from now on, and returns after some replies to them. */
  Loopback measure() throws InterruptedException {
    tell(members.get(0), new Command.Measure());
    return awaitReplies();
  }

  /** Returns after some more replies to requests that count. */
  Loopback awaitReplies() throws InterruptedException {
    if (!replies.tryAcquire(REPLIES, 1, TimeUnit.MINUTES)) {
      throw new AssertionError("The service does not reply.");
    }
    return this;
  }

  /** Ends the connections of the last service process, as its death would. */
  Loopback killService() {
    Member last =
        members.stream()
            .filter(member -> member.role() == ScenarioRole.SERVICE)
            .reduce((one, other) -> other)
            .orElseThrow();
    last.killed()[0] = true;
    last.worker().close();
    return this;
  }

  /** Ends the load and returns the logs of all processes. */
  ScenarioLogs finish() throws IOException {
    finished = Optional.of((Answer.Finished) tell(members.get(0), new Command.Finish()));
    tell(members.get(0), new CompareClocks(1), ClocksCompared.class);
    for (ScenarioRole role :
        List.of(ScenarioRole.SERVICE, ScenarioRole.MOCK, ScenarioRole.SERVICE)) {
      for (Member member : members) {
        if (member.role() == role && !member.killed()[0]) {
          tell(member, new Command.Finish());
          tell(member, new CompareClocks(1), ClocksCompared.class);
        }
      }
    }
    List<ScenarioLogs.ProcessLog> logs = new ArrayList<>();
    for (Member member : members) {
      Path log = folder.resolve(prepare(member.role(), member.index()).log());
      logs.add(
          new ScenarioLogs.ProcessLog(
              member.role(),
              member.index(),
              SpanLog.read(log),
              offset(member.role().process(member.index())),
              member.killed()[0]));
    }
    return ScenarioLogs.of(logs);
  }

  private long offset(String process) {
    return clocks.clocks().stream()
        .filter(clock -> clock.process().equals(process))
        .mapToLong(ClockComparison::offsetNanos)
        .findFirst()
        .orElse(0);
  }

  Answer.Finished finished() {
    return finished.orElseThrow();
  }

  List<ClockComparison> clocks() {
    return clocks.clocks();
  }

  /** By which the clocks of two processes may differ after their offset is taken off. */
  long clockErrorNanos() {
    return 2 * clocks().stream().mapToLong(ClockComparison::errorNanos).max().orElse(0) + 2;
  }

  @Override
  public void close() throws IOException {
    members.forEach(member -> member.worker().close());
    Files.createDirectories(folder);
  }

  private final class MapGrid implements GridSession, ScenarioGrid {
    @Override
    public ScenarioSession openScenario(TrialSpec trial, boolean creator) {
      return new MapSession();
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public TrialSession open(TrialSpec trial, Records records, boolean creator) {
      throw new AssertionError("A scenario loads in its own way.");
    }

    @Override
    public void close() {}
  }

  private final class MapSession implements ScenarioSession {
    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public Service start(ServiceContext context) {
      return new MapService(context);
    }

    @Override
    public void destroy() {}

    @Override
    public void close() {}
  }

  /** Keeps the number of answers that are missing in a map, as the real service its handlers. */
  private final class MapService implements Service {
    private final ServiceContext context;
    private final ServiceContext.Step write;
    private final Set<Long> open = ConcurrentHashMap.newKeySet();

    MapService(ServiceContext context) {
      this.context = context;
      this.write = context.step("write", Part.CACHE_WRITE);
    }

    @Override
    public void onRequest(Request request) {
      open.add(request.id());
      long timeout = (long) (settings.get(ScenarioSettings.REQUEST_TIMEOUT) * 1e9);
      context.schedule(Duration.ofNanos(timeout), () -> expire(request));
      if (!storesLate) {
        store(request);
      }
      context.ask(request);
    }

    private void store(Request request) {
      long from = context.nanoTime();
      grid.put(request.id(), 0);
      write.record(request, from, context.nanoTime());
    }

    /** The first answer to a request without a state stores it; the last one ends the request. */
    @Override
    public void onAnswer(MockAnswer answer) {
      long from = context.nanoTime();
      synchronized (grid) {
        Integer received = grid.computeIfPresent(answer.request(), (request, before) -> before + 1);
        if (received == null) {
          context.noState(answer, from);
          if (!storesLate) {
            return;
          }
          store(
              new Request(
                  answer.request(),
                  answer.client(),
                  answer.payload(),
                  answer.of(),
                  from,
                  answer.measured()));
        } else {
          context.appended(answer, from, received);
        }
        int handled = (received == null ? 0 : received) + (storesLate ? 1 : 0);
        if (handled == answer.of() && grid.remove(answer.request()) != null) {
          open.remove(answer.request());
          reply(answer, storesLate ? Outcome.TIMED_OUT : Outcome.COMPLETED);
        }
      }
    }

    @Override
    public void onAdopted(Request request) {
      reply(request, Outcome.TIMED_OUT);
    }

    /** Replies too where a process completed the request and was killed before it replied. */
    private void expire(Request request) {
      synchronized (grid) {
        if (open.remove(request.id())) {
          grid.remove(request.id());
          reply(request, Outcome.TIMED_OUT);
        }
      }
    }

    private void reply(Subject to, Outcome outcome) {
      context.reply(to, outcome, 0);
      if (to.measured()) {
        replies.release();
      }
    }

    @Override
    public void close() {}
  }
}
