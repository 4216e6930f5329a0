package io.pyrometer.scenario;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.scenario.ScenarioMessages.ClockComparison;
import io.pyrometer.scenario.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.ScenarioMessages.CollectScenario;
import io.pyrometer.scenario.ScenarioMessages.CompareClocks;
import io.pyrometer.scenario.ScenarioMessages.ConnectScenario;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.ScenarioMessages.ScenarioReady;
import io.pyrometer.scenario.ScenarioMessages.ScenarioRecorded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Agents of a {@link FakeGrid} that behave like the processes of a scenario and leave logs of the
 * real form: each of {@value #REQUESTS} requests is answered once and completed, in turn by each
 * service. Of a service that is killed, the second half of its requests is entrusted to the first
 * service, which lets them time out.
 */
public final class FakeScenario {
  public static final int REQUESTS = 20;
  private static final long MILLI = 1_000_000;
  private static final int EVER = Integer.MAX_VALUE;

  private final FakeGrid grid;
  private final Settings settings;
  private final Map<String, PrepareScenario> prepared = new TreeMap<>();
  private final Map<String, List<long[]>> spans = new TreeMap<>();
  private int lostAnswers;
  private boolean loading;
  private int tenth;

  private FakeScenario(FakeGrid grid, Settings settings) {
    this.grid = grid;
    this.settings = settings;
  }

  /** Makes the agents of a grid those of a scenario with these settings. */
  public static FakeScenario on(FakeGrid grid, VirtualTime time, Settings settings) {
    FakeScenario scenario = new FakeScenario(grid, settings);
    for (int agent = 0; agent < ScenarioRole.agents(settings); agent++) {
      scenario.behave("agent-" + agent, ScenarioRole.of(agent, settings));
    }
    time.onTick(scenario::tick);
    return scenario;
  }

  /** So many answers of the mock do not arrive. */
  public FakeScenario loses(int answers) {
    lostAnswers = answers;
    return this;
  }

  private void behave(String agent, ScenarioRole role) {
    when(agent, PrepareScenario.class, this::prepare);
    when(agent, ConnectScenario.class, (it, told) -> new Answer.Done());
    when(agent, CompareClocks.class, (it, told) -> clocks(role));
    when(agent, Command.Begin.class, (it, told) -> begin());
    when(
        agent,
        Command.Finish.class,
        (it, told) -> role == ScenarioRole.CLIENT ? finish() : new Answer.Done());
    when(agent, CollectScenario.class, (it, told) -> recorded(it.name()));
    when(agent, Command.FetchFile.class, (it, told) -> part((Command.FetchFile) told));
  }

  private void when(
      String agent, Class<?> command, BiFunction<FakeProcess, Command, Answer> answer) {
    grid.on(agent, command, 0, EVER, (it, told) -> Optional.of(answer.apply(it, told)));
  }

  private Answer prepare(FakeProcess process, Command told) {
    prepared.put(process.name(), ((Command.OfKind) told).as(PrepareScenario.class));
    return Answer.OfKind.of(new ScenarioReady(1, Map.of("backups", "1")));
  }

  private Answer clocks(ScenarioRole role) {
    List<ClockComparison> others = new ArrayList<>();
    if (role == ScenarioRole.CLIENT) {
      prepared.values().stream()
          .filter(each -> each.role() != ScenarioRole.CLIENT)
          .forEach(
              each ->
                  others.add(new ClockComparison(each.role().process(each.index()), 0, 10_000)));
    }
    return Answer.OfKind.of(new ClocksCompared(others));
  }

  private Answer begin() {
    loading = true;
    tenth = 0;
    return new Answer.Done();
  }

  private void tick() {
    if (loading) {
      grid.living().stream()
          .filter(process -> process.name().equals("agent-0"))
          .forEach(client -> client.sample(tenth++, 2));
    }
  }

  private Answer finish() {
    loading = false;
    writeLogs();
    return new Answer.Finished(
        3,
        REQUESTS,
        REQUESTS,
        0,
        0,
        List.of(),
        List.of(),
        0,
        Optional.of(new Arrivals(REQUESTS, REQUESTS, REQUESTS, 0, 0)),
        Map.of(),
        Optional.empty(),
        0);
  }

  private boolean killed(int service) {
    return grid.started().stream()
        .filter(process -> process.name().equals("agent-" + (1 + service)))
        .reduce((one, other) -> other)
        .filter(FakeProcess::killed)
        .isPresent();
  }

  private void writeLogs() {
    spans.clear();
    int services = settings.get(ScenarioSettings.SERVICE_PROCESSES);
    for (int request = 0; request < REQUESTS; request++) {
      int service = request % services;
      span("client-0", request, 0, 1, SpanKind.SENT, service, 1);
      span("service-" + service, request, 2, 3, SpanKind.REQUEST_TAKEN, 0, 1);
      if (killed(service) && request >= REQUESTS / 2) {
        span("client-0", request, 4, 4, SpanKind.ENTRUSTED, 0, 1);
        span("service-0", request, 5, 6, SpanKind.ADOPTED, 0, 1);
        reply(request, 0, 0, Outcome.TIMED_OUT);
      } else {
        answered(request, service);
      }
    }
    prepared.forEach(
        (agent, as) ->
            write(path(as), spans.getOrDefault(as.role().process(as.index()), List.of())));
  }

  private void answered(int request, int service) {
    span("service-" + service, request, 3, 3, SpanKind.ASKED, 0, 1);
    span("mock-0", request, 4, 5, SpanKind.ASK_TAKEN, service, 1);
    span("mock-0", request, 55, 55, SpanKind.ANSWERED, service, 1);
    if (request >= lostAnswers) {
      span("service-" + service, request, 56, 57, SpanKind.ANSWER_TAKEN, 0, 1);
      span("service-" + service, request, 57, 58, SpanKind.APPENDED, 1, 1);
      reply(request, service, 1, Outcome.COMPLETED);
    } else {
      reply(request, service, 0, Outcome.TIMED_OUT);
    }
  }

  private void reply(int request, int service, int answer, Outcome outcome) {
    span("service-" + service, request, 58, 58, SpanKind.REPLIED, answer, outcome.code());
    span("client-0", request, 59, 60, SpanKind.ENDED, service, outcome.code());
  }

  private void span(
      String process, int request, long from, long to, SpanKind kind, int peer, int number) {
    long[] record = {
      request, from * MILLI, to * MILLI, SpanLog.word(kind, true, peer, number),
    };
    spans.computeIfAbsent(process, unused -> new ArrayList<>()).add(record);
  }

  private static Path path(PrepareScenario as) {
    return Path.of(as.folder()).resolve(as.log());
  }

  private static void write(Path file, List<long[]> records) {
    ByteBuffer log =
        ByteBuffer.allocate(SpanLog.HEADER_BYTES + records.size() * SpanLog.RECORD_BYTES);
    log.putLong(0, SpanLog.MAGIC).position(SpanLog.HEADER_BYTES);
    records.forEach(record -> Arrays.stream(record).forEach(log::putLong));
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, log.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Answer recorded(String agent) {
    Path log = path(Optional.ofNullable(prepared.get(agent)).orElseThrow());
    try {
      return Answer.OfKind.of(
          new ScenarioRecorded(Map.of(), log.toString(), Files.size(log), List.of(), List.of()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Answer part(Command.FetchFile asked) {
    try {
      byte[] all = Files.readAllBytes(Path.of(asked.file()));
      int from = (int) asked.offset();
      byte[] bytes = Arrays.copyOfRange(all, from, Math.min(all.length, from + asked.bytes()));
      return new Answer.FilePart(Base64.getEncoder().encodeToString(bytes), all.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
