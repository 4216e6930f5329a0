package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.machine.MachineWatch;
import io.pyrometer.coordinator.scenario.OtlpTraces;
import io.pyrometer.coordinator.scenario.OutcomeCheck;
import io.pyrometer.coordinator.scenario.ScenarioAnalysis;
import io.pyrometer.coordinator.scenario.ScenarioLogs;
import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.telemetry.TelemetryTarget;
import io.pyrometer.coordinator.testbed.Broadcast;
import io.pyrometer.coordinator.testbed.Cluster;
import io.pyrometer.coordinator.testbed.ManagedProcess;
import io.pyrometer.coordinator.testbed.ProcessUsage;
import io.pyrometer.coordinator.testbed.Timeouts;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.ScenarioSummary;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Check;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.scenario.ClockComparison;
import io.pyrometer.protocol.scenario.ScenarioPeer;
import io.pyrometer.protocol.scenario.ScenarioRole;
import io.pyrometer.protocol.scenario.ScenarioSettings;
import io.pyrometer.protocol.scenario.SpanLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * One attempt at a trial of a scenario: the agents take their roles and connect to each other, the
 * client publishes requests and takes the replies, and the logs of all processes are put together
 * to say what became of each request and where its time went.
 */
final class ScenarioTrial {
  private static final Duration TICK = Duration.ofMillis(100);
  private static final int CLOCK_QUESTIONS = 200;
  private static final int SLOWEST = 10;
  private static final double LONGEST_SILENCE_SECONDS = 20;

  private final TrialRunner.Request request;
  private final Cluster cluster;
  private final TrialSpec spec;
  private final Time time;
  private final PhaseTimer phases;
  private final SampleSeries samples;
  private final LoadTrialObservation observed;
  private List<ClockComparison> clocksBefore = List.of();
  private Optional<ManagedProcess> killed = Optional.empty();

  ScenarioTrial(TrialRunner.Request request) {
    this.request = request;
    this.cluster = request.cluster();
    this.spec = request.spec();
    this.time = request.time();
    this.phases = new PhaseTimer(time);
    this.samples = new SampleSeries(1, time);
    this.observed =
        new LoadTrialObservation(spec, request.attempt(), time.now().toString(), phases, samples);
  }

  TrialRecord run() {
    try {
      mustBePossible();
      prepare();
      clocksBefore = compareClocks().clocks();
      Telemetry.OfTrial telemetry = attachTelemetry();
      begin();
      warmUp();
      Answer.Finished finished = measured(telemetry);
      Verification verification = verify();
      mustBeWhole();
      LoadTotals totals = LoadTotals.of(List.of(finished));
      TrialRecord record = observed.ended(totals, verification);
      if (killed.isEmpty() && request.clusterUsedAgain().test(record)) {
        tearDown();
        record = observed.ended(totals, verification);
      }
      return record;
    } catch (WorkerException failure) {
      Timeouts.letShutdownComeFirst(time);
      return observed.failed(cause(failure));
    }
  }

  /** A process that refuses a command because another one died names the consequence alone. */
  private String cause(WorkerException failure) {
    try {
      if (!failure.gone()) {
        mustBeWhole();
      }
      return failure.sentence();
    } catch (WorkerException death) {
      return death.sentence();
    }
  }

  /** Carries the scenario out for so long without counting anything; what it wrote stays. */
  void warmUpOnly(double seconds) {
    prepare();
    begin();
    for (long from = time.nanoTime(); time.secondsSince(from) < seconds; ) {
      pause();
    }
    client().request(new Command.Finish(), Answer.Finished.class, finishTimeout());
  }

  private Settings settings() {
    return spec.settings();
  }

  private ManagedProcess client() {
    return cluster.agents().get(0);
  }

  private ScenarioRole role(ManagedProcess agent) {
    return ScenarioRole.of(cluster.agents().indexOf(agent), settings());
  }

  private int index(ManagedProcess agent) {
    return ScenarioRole.indexOf(cluster.agents().indexOf(agent), settings());
  }

  private String name(ManagedProcess agent) {
    return role(agent).process(index(agent));
  }

  /** The agents of a role that were not killed. */
  private List<ManagedProcess> living(ScenarioRole role) {
    return cluster.agents().stream()
        .filter(agent -> role(agent) == role && !killed.equals(Optional.of(agent)))
        .toList();
  }

  private void mustBePossible() {
    String kill = settings().get(ScenarioSettings.KILL);
    boolean alone =
        (kill.equals(ScenarioSettings.KILL_SERVICE) && living(ScenarioRole.SERVICE).size() < 2)
            || (kill.equals(ScenarioSettings.KILL_NODE) && cluster.nodes().size() < 2);
    if (alone) {
      throw WorkerException.notAsAsked(
          "'kill: %s' leaves no %s behind; use two or more.".formatted(kill, kill));
    }
  }

  private void prepare() {
    tick();
    cluster.shapeLinks(Shape.PLAIN);
    List<ManagedProcess> agents = cluster.agents();
    List<Answer.ScenarioReady> ready = new ArrayList<>();
    ManagedProcess creator = living(ScenarioRole.SERVICE).get(0);
    Answer.ScenarioReady first =
        creator.request(prepareCommand(creator), Answer.ScenarioReady.class, Timeouts.PREPARE);
    List<ManagedProcess> others = agents.stream().filter(agent -> agent != creator).toList();
    ready.addAll(
        Broadcast.all(
            others,
            i -> prepareCommand(others.get(i)),
            Answer.ScenarioReady.class,
            Timeouts.PREPARE));
    List<ScenarioPeer> peers = new ArrayList<>();
    peers.add(peer(creator, first));
    for (int i = 0; i < others.size(); i++) {
      peers.add(peer(others.get(i), ready.get(i)));
    }
    Broadcast.all(
        agents, i -> new Command.ConnectScenario(peers), Answer.Done.class, Timeouts.QUICK);
    observed.configuration = new TreeMap<>(first.configuration());
    observed.configuration.putAll(cluster.facts());
    agents.forEach(agent -> observed.configuration.put("role." + agent.name(), name(agent)));
  }

  private ScenarioPeer peer(ManagedProcess agent, Answer.ScenarioReady ready) {
    return new ScenarioPeer(role(agent), index(agent), cluster.address(agent), ready.port());
  }

  private Command.PrepareScenario prepareCommand(ManagedProcess agent) {
    return new Command.PrepareScenario(
        spec, role(agent), index(agent), cluster.address(agent), cluster.workFolder(agent));
  }

  private Answer.ClocksCompared compareClocks() {
    return client()
        .request(
            new Command.CompareClocks(CLOCK_QUESTIONS),
            Answer.ClocksCompared.class,
            Timeouts.QUICK);
  }

  private Telemetry.OfTrial attachTelemetry() {
    return Telemetry.of(settings()).attach(TelemetryTarget.of(cluster), artefacts());
  }

  private Path artefacts() {
    return request.folder().file(RunFolder.artefactFolder(spec.id(), request.attempt()));
  }

  private void begin() {
    phases.enter(PhaseTimer.Phase.WARM_UP);
    cluster.shapeLinks(Shape.ofLinks(settings()));
    samples.begin();
    client().onSample(samples::add);
    client().request(new Command.Begin(), Answer.Done.class, Timeouts.QUICK);
  }

  private void warmUp() {
    long from = time.nanoTime();
    while (time.secondsSince(from) < settings().decimal("warm-up")) {
      pause();
    }
  }

  private Answer.Finished measured(Telemetry.OfTrial telemetry) {
    phases.enter(PhaseTimer.Phase.MEASURE);
    telemetry.measurementStarted();
    MachineWatch machine = new MachineWatch(request.machine(), request.limits());
    ProcessUsage before = ProcessUsage.of(cluster);
    observed.measuredFrom = samples.complete().size();
    long fromMillis = time.now().toEpochMilli();
    client().request(new Command.Measure(), Answer.Done.class, Timeouts.QUICK);
    long from = time.nanoTime();
    while (time.secondsSince(from) < settings().decimal("measure")) {
      killWhenDue(time.secondsSince(from));
      pause();
    }
    ProcessUsage after =
        ProcessUsage.of(cluster.everyone().stream().filter(ManagedProcess::alive).toList());
    observed.used = after.since(before);
    List<Check> outside = machine.checks(observed.used.cpuSeconds(), false);
    Answer.Finished finished =
        client().request(new Command.Finish(), Answer.Finished.class, finishTimeout());
    observed.add(telemetry.measurementEnded(), request.folder());
    LoadTotals totals = LoadTotals.of(List.of(finished));
    observed.checks = new ArrayList<>(outside);
    observed.checks.addAll(
        ValidityChecks.of(
            observed.used.only(process -> process.equals(client().name())),
            totals,
            request.ceiling(),
            request.limits()));
    totals.latencies().write(request.folder().histogram(spec.id(), request.attempt()), fromMillis);
    observed.artefacts.add(
        new Artefact(
            RunFolder.HISTOGRAM, "", RunFolder.histogramName(spec.id(), request.attempt())));
    return finished;
  }

  private void killWhenDue(double seconds) {
    String kill = settings().get(ScenarioSettings.KILL);
    if (killed.isEmpty()
        && !kill.equals(ScenarioSettings.KILL_NOTHING)
        && seconds >= settings().get(ScenarioSettings.KILL_AFTER)) {
      List<ManagedProcess> candidates =
          kill.equals(ScenarioSettings.KILL_NODE) ? cluster.nodes() : living(ScenarioRole.SERVICE);
      ManagedProcess victim = candidates.get(candidates.size() - 1);
      killed = Optional.of(victim);
      observed.configuration.put(
          "killed",
          String.format(
              Locale.ROOT,
              "%s after %.1f s",
              kill.equals(ScenarioSettings.KILL_NODE) ? victim.name() : name(victim),
              seconds));
      victim.kill();
      victim.awaitEnd(Timeouts.STOP);
    }
  }

  /** Every request ends by itself within the reply's time-out. */
  private Duration finishTimeout() {
    return Timeouts.finish(settings())
        .plusMillis((long) (settings().get(ScenarioSettings.REPLY_TIMEOUT) * 1_000));
  }

  private Verification verify() {
    phases.enter(PhaseTimer.Phase.VERIFY);
    tick();
    cluster.shapeLinks(Shape.PLAIN);
    Answer.ClocksCompared after = settle();
    try {
      return verified(after);
    } catch (IOException unreadable) {
      throw WorkerException.notAsAsked(
          "The logs of the processes cannot be read (%s).".formatted(unreadable.getMessage()));
    }
  }

  /**
   * Waits until no message is on its way and nothing is being handled. An answer to a question for
   * the time follows what was sent before it on the same connection.
   */
  private Answer.ClocksCompared settle() {
    Answer.ClocksCompared after = compareClocks();
    for (ScenarioRole role :
        List.of(ScenarioRole.SERVICE, ScenarioRole.MOCK, ScenarioRole.SERVICE)) {
      List<ManagedProcess> busy = living(role);
      Broadcast.all(busy, i -> new Command.Finish(), Answer.Done.class, finishTimeout());
      Broadcast.all(
          busy, i -> new Command.CompareClocks(1), Answer.ClocksCompared.class, Timeouts.QUICK);
    }
    return after;
  }

  private Verification verified(Answer.ClocksCompared after) throws IOException {
    Path folder = Files.createDirectories(artefacts());
    Map<String, Long> offsets = new TreeMap<>();
    List<ScenarioSummary.Clock> clocks = new ArrayList<>();
    for (ClockComparison before : clocksBefore) {
      Optional<ClockComparison> then =
          after.clocks().stream().filter(c -> c.process().equals(before.process())).findFirst();
      clocks.add(new ScenarioSummary.Clock(before, then.orElse(before)));
      offsets.put(before.process(), (before.offsetNanos() + then.orElse(before).offsetNanos()) / 2);
    }
    List<ScenarioLogs.ProcessLog> logs = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    List<Long> inFlight = List.of();
    List<Answer.Finished> timers = new ArrayList<>();
    for (ManagedProcess agent : cluster.agents()) {
      boolean gone = killed.equals(Optional.of(agent));
      Optional<Answer.ScenarioRecorded> recorded =
          gone
              ? Optional.empty()
              : Optional.of(
                  agent.request(
                      new Command.CollectScenario(),
                      Answer.ScenarioRecorded.class,
                      Timeouts.QUICK));
      if (recorded.isPresent()) {
        errors.addAll(recorded.get().errors());
        timers.add(asFinished(recorded.get().timers()));
        inFlight = agent == client() ? recorded.get().inFlight() : inFlight;
      }
      Path log = folder.resolve(name(agent) + ".spans.gz");
      if (copyLog(agent, recorded, log)) {
        artefact(ScenarioSummary.SPANS, name(agent), log);
        logs.add(
            new ScenarioLogs.ProcessLog(
                role(agent),
                index(agent),
                SpanLog.read(log),
                offsets.getOrDefault(name(agent), 0L),
                gone));
      }
    }
    ScenarioLogs all = ScenarioLogs.of(logs);
    OutcomeCheck check = OutcomeCheck.of(all);
    ScenarioSummary summary =
        ScenarioAnalysis.summary(all, check, clocks, inFlight, observed.measuredFrom);
    observed.more.putAll(ScenarioAnalysis.metrics(summary));
    write(summary, timers, folder);
    request
        .folder()
        .write(
            artefact(ScenarioSummary.SLOWEST, "", folder.resolve("slowest-requests.otlp.json")),
            OtlpTraces.slowest(all, SLOWEST, after.epochNanos()));
    return verification(check, errors);
  }

  private static Answer.Finished asFinished(Map<String, String> timers) {
    return new Answer.Finished(
        0, 0, 0, 0, 0, List.of(), List.of(new Answer.Interval(0, 1, timers)), 0, Optional.empty());
  }

  private void write(ScenarioSummary summary, List<Answer.Finished> timers, Path folder) {
    Path log = folder.resolve("timers.hlog");
    Latencies.merged(timers).write(log, time.now().toEpochMilli());
    artefact(ScenarioSummary.TIMERS, "", log);
    request
        .folder()
        .write(artefact(ScenarioSummary.SUMMARY, "", folder.resolve("scenario.json")), summary);
  }

  /**
   * @return the file relative to the run's folder
   */
  private String artefact(String kind, String process, Path file) {
    String name = request.folder().path().relativize(file).toString();
    observed.artefacts.add(new Artefact(kind, process, name));
    return name;
  }

  private static Verification verification(OutcomeCheck check, List<String> errors) {
    String expected =
        String.format(
            Locale.ROOT,
            "%,d requests with one outcome each, and no message lost",
            check.requests());
    if (check.problems().isEmpty()) {
      return new Verification(true, expected, expected);
    }
    String causes = errors.isEmpty() ? "" : "; failures: " + String.join(", ", errors);
    return new Verification(false, expected, String.join("; ", check.problems()) + causes);
  }

  /**
   * Copies a process's log; that of a process that is gone can be read on this machine alone.
   *
   * @return whether there is one
   */
  private boolean copyLog(ManagedProcess agent, Optional<Answer.ScenarioRecorded> recorded, Path to)
      throws IOException {
    Path there = Path.of(cluster.workFolder(agent)).resolve(prepareCommand(agent).log());
    if (recorded.isEmpty() && !cluster.local(agent)) {
      return false;
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to), 1 << 16)) {
      if (recorded.isEmpty()) {
        Files.copy(there, out);
      } else {
        fetch(agent, recorded.get(), out);
      }
    } catch (IOException failure) {
      throw new RunException(
          "The log of %s could not be written to %s (%s); make room on the disk."
              .formatted(name(agent), to, failure.getMessage()),
          failure);
    }
    return true;
  }

  private static void fetch(
      ManagedProcess agent, Answer.ScenarioRecorded recorded, OutputStream out) throws IOException {
    for (long offset = 0; offset < recorded.logBytes(); ) {
      int most = (int) Math.min(Command.FetchFile.MOST_FILE_BYTES, recorded.logBytes() - offset);
      Answer.FilePart part =
          agent.request(
              new Command.FetchFile(recorded.log(), offset, most),
              Answer.FilePart.class,
              Timeouts.QUICK);
      byte[] bytes = Base64.getDecoder().decode(part.base64());
      if (bytes.length == 0) {
        throw new IOException("it became shorter");
      }
      out.write(bytes);
      offset += bytes.length;
    }
  }

  private void tearDown() {
    phases.enter(PhaseTimer.Phase.TEAR_DOWN);
    tick();
    ManagedProcess creator = living(ScenarioRole.SERVICE).get(0);
    List<ManagedProcess> others =
        cluster.agents().stream().filter(agent -> agent != creator).toList();
    Broadcast.all(others, i -> new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
    creator.request(new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
  }

  private void mustBeWhole() {
    cluster.mustBeWhole(killed);
  }

  private void pause() {
    time.sleep(TICK);
    mustBeWhole();
    if (samples.silentSeconds() > LONGEST_SILENCE_SECONDS) {
      throw WorkerException.notAsAsked(
          "The client said nothing for %.0f s; its host may be gone."
              .formatted(LONGEST_SILENCE_SECONDS));
    }
    tick();
  }

  private void tick() {
    request.phaseAndRate().accept(phases.phase().words, samples.recentRate());
  }
}
