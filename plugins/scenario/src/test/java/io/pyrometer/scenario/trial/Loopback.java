package io.pyrometer.scenario.trial;

import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.scenario.ScenarioKind;
import io.pyrometer.scenario.api.MockAnswer;
import io.pyrometer.scenario.api.Request;
import io.pyrometer.scenario.api.ScenarioGrid;
import io.pyrometer.scenario.api.ScenarioSession;
import io.pyrometer.scenario.api.Service;
import io.pyrometer.scenario.api.ServiceContext;
import io.pyrometer.scenario.protocol.ClockComparison;
import io.pyrometer.scenario.protocol.Outcome;
import io.pyrometer.scenario.protocol.Part;
import io.pyrometer.scenario.protocol.ScenarioMessages;
import io.pyrometer.scenario.protocol.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.protocol.ScenarioMessages.CompareClocks;
import io.pyrometer.scenario.protocol.ScenarioMessages.ConnectScenario;
import io.pyrometer.scenario.protocol.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.protocol.ScenarioMessages.ScenarioReady;
import io.pyrometer.scenario.protocol.ScenarioPeer;
import io.pyrometer.scenario.protocol.ScenarioRole;
import io.pyrometer.scenario.protocol.ScenarioSettings;
import io.pyrometer.scenario.protocol.SpanLog;
import io.pyrometer.scenario.worker.ScenarioWorker;
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

/**
 * All processes of a scenario in this JVM, over loopback connections, with a map in place of the
 * grid. Roles, messages and logs are those of real trials.
 */
final class Loopback implements AutoCloseable {
  private final Settings settings;
  private final Path folder;
  private final Map<Long, Integer> grid = new ConcurrentHashMap<>();
  private final List<Member> members = new ArrayList<>();
  private Duration storeDelay = Duration.ZERO;
  private ClocksCompared clocks = new ClocksCompared(0, List.of());
  private Optional<Answer.Finished> finished = Optional.empty();

  private record Member(ScenarioRole role, int index, ScenarioWorker worker, boolean[] killed) {}

  private Loopback(Settings settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
  }

  /**
   * A trial with few, quick answers; its time-out is longer than a busy machine delays a thread.
   */
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
        .with(ScenarioSettings.REQUEST_TIMEOUT, 2.0)
        .with(ScenarioSettings.REPLY_TIMEOUT, 6.0);
  }

  static Loopback of(Settings settings, Path folder) {
    return new Loopback(settings, folder);
  }

  /** Stores new state only so long after the mock was asked: the race of the original. */
  Loopback storesLate(Duration delay) {
    storeDelay = delay;
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

  /** Counts requests for so long. */
  Loopback measure(Duration duration) throws InterruptedException {
    tell(members.get(0), new Command.Measure());
    Thread.sleep(duration.toMillis());
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
      context.schedule(timeout(), () -> expire(request, false));
      if (storeDelay.isZero()) {
        store(request);
        context.ask(request);
      } else {
        context.ask(request);
        context.schedule(storeDelay, () -> store(request));
      }
    }

    private Duration timeout() {
      return Duration.ofNanos((long) (settings.get(ScenarioSettings.REQUEST_TIMEOUT) * 1e9));
    }

    private void store(Request request) {
      long from = context.nanoTime();
      grid.put(request.id(), 0);
      write.record(request.id(), 0, request.measured(), from, context.nanoTime());
    }

    @Override
    public void onAnswer(MockAnswer answer) {
      long from = context.nanoTime();
      Integer received = grid.computeIfPresent(answer.request(), (request, before) -> before + 1);
      if (received == null) {
        context.noState(answer, from);
        return;
      }
      context.appended(answer, from, received);
      if (received == answer.of() && grid.remove(answer.request()) != null) {
        open.remove(answer.request());
        context.reply(
            answer.request(),
            answer.client(),
            answer.measured(),
            Outcome.COMPLETED,
            context.nanoTime() - from);
      }
    }

    @Override
    public void onAdopted(Request request) {
      open.add(request.id());
      context.schedule(timeout(), () -> expire(request, true));
    }

    private void expire(Request request, boolean adopted) {
      boolean removed = open.remove(request.id()) && grid.remove(request.id()) != null;
      if (removed || adopted) {
        context.reply(request.id(), request.client(), request.measured(), Outcome.TIMED_OUT, 0);
      }
    }

    @Override
    public void close() {}
  }
}
