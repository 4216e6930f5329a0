package io.pyrometer.scenario;

import static io.pyrometer.scenario.ScenarioMessages.command;

import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.coordinator.trial.LoadTotals;
import io.pyrometer.coordinator.trial.ObservedTrial;
import io.pyrometer.coordinator.trial.TrialMachine;
import io.pyrometer.coordinator.trial.TrialRunner;
import io.pyrometer.coordinator.trial.ValidityChecks;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.journal.ValidityLimits;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.scenario.ScenarioLogs.ProcessLog;
import io.pyrometer.scenario.ScenarioMessages.ClockComparison;
import io.pyrometer.scenario.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.ScenarioMessages.CollectScenario;
import io.pyrometer.scenario.ScenarioMessages.CompareClocks;
import io.pyrometer.scenario.ScenarioMessages.ConnectScenario;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.ScenarioMessages.ScenarioPeer;
import io.pyrometer.scenario.ScenarioMessages.ScenarioReady;
import io.pyrometer.scenario.ScenarioMessages.ScenarioRecorded;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * One attempt at a trial of a scenario: the agents take their roles and connect to each other, the
 * client publishes requests and takes the replies, and the logs of all processes say what became of
 * each request and where its time went.
 */
final class ScenarioTrial extends ObservedTrial {
  private static final int CLOCK_QUESTIONS = 200;

  private List<ClockComparison> clocksBefore = List.of();
  private final List<ProcessLog> processes = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final List<Answer.Interval> timers = new ArrayList<>();
  private List<Long> inFlight = List.of();

  ScenarioTrial(TrialRunner.Request request) {
    super(request, 1);
  }

  private ManagedProcess client() {
    return cluster().agents().get(0);
  }

  private ScenarioRole role(ManagedProcess agent) {
    return ScenarioRole.of(cluster().agents().indexOf(agent), settings());
  }

  private int index(ManagedProcess agent) {
    return ScenarioRole.indexOf(cluster().agents().indexOf(agent), settings());
  }

  private String name(ManagedProcess agent) {
    return role(agent).process(index(agent));
  }

  /** The agents of a role that were not killed. */
  private List<ManagedProcess> living(ScenarioRole role) {
    return cluster().agents().stream()
        .filter(agent -> role(agent) == role && !isKilled(agent))
        .toList();
  }

  private void mustBePossible() {
    String kill = settings().get(ScenarioSettings.KILL);
    boolean alone =
        (kill.equals(ScenarioSettings.KILL_SERVICE) && living(ScenarioRole.SERVICE).size() < 2)
            || (kill.equals(ScenarioSettings.KILL_NODE) && cluster().nodes().size() < 2);
    if (alone) {
      throw WorkerException.mismatch(Messages.format("scenario.last-process"), kill, kill);
    }
  }

  @Override
  protected boolean changesServers() {
    return settings().get(ScenarioSettings.KILL).equals(ScenarioSettings.KILL_NODE);
  }

  @Override
  protected void prepare() {
    mustBePossible();
    List<ManagedProcess> agents = cluster().agents();
    ManagedProcess creator = living(ScenarioRole.SERVICE).get(0);
    ScenarioReady first =
        creator
            .request(command(prepareCommand(creator)), Answer.OfKind.class, Timeouts.PREPARE)
            .as(ScenarioReady.class);
    List<ManagedProcess> others = agents.stream().filter(agent -> agent != creator).toList();
    List<Answer.OfKind> ready =
        ManagedProcess.requestAll(
            others,
            i -> command(prepareCommand(others.get(i))),
            Answer.OfKind.class,
            Timeouts.PREPARE);
    List<ScenarioPeer> peers = new ArrayList<>();
    peers.add(peer(creator, first));
    for (int i = 0; i < others.size(); i++) {
      peers.add(peer(others.get(i), ready.get(i).as(ScenarioReady.class)));
    }
    ManagedProcess.requestAll(
        agents, i -> command(new ConnectScenario(peers)), Answer.Done.class, Timeouts.QUICK);
    observed().configured(first.configuration());
    observed().configured(cluster().facts());
    agents.forEach(agent -> observed().configured("role." + agent.name(), name(agent)));
    clocksBefore = compareClocks().clocks();
  }

  private ScenarioPeer peer(ManagedProcess agent, ScenarioReady ready) {
    return new ScenarioPeer(
        role(agent), index(agent), cluster().spec().hostOf(agent).address(), ready.port());
  }

  private PrepareScenario prepareCommand(ManagedProcess agent) {
    return new PrepareScenario(
        request().spec(),
        role(agent),
        index(agent),
        cluster().spec().hostOf(agent).address(),
        cluster().spec().workFolder(agent));
  }

  private ClocksCompared compareClocks() {
    return client()
        .request(command(new CompareClocks(CLOCK_QUESTIONS)), Answer.OfKind.class, Timeouts.QUICK)
        .as(ClocksCompared.class);
  }

  @Override
  protected void startLoad() {
    listenTo(client());
    client().request(new Command.Begin(), Answer.Done.class, Timeouts.QUICK);
  }

  @Override
  protected void finishWarmUp() {
    Answer.Finished unused =
        client().request(new Command.Finish(), Answer.Finished.class, finishTimeout());
    settle();
  }

  @Override
  protected LoadTotals measured(Telemetry.OfTrial telemetry) {
    observeOthers();
    MachineReading machine = request().machine().get();
    ProcessUsage before = cluster().usage();
    observeCpu();
    observed().measurementStarted();
    long fromMillis = time().now().toEpochMilli();
    client().request(new Command.Measure(), Answer.Done.class, Timeouts.QUICK);
    long from = time().nanoTime();
    while (time().secondsSince(from) < settings().get(CoreSettings.MEASURE)) {
      killWhenDue(time().secondsSince(from));
      pause();
    }
    cpuObserved();
    ProcessUsage after =
        cluster().usage(cluster().everyone().stream().filter(ManagedProcess::alive).toList());
    observed().used(after.since(before));
    List<TrialMachine> machines = machinesSince(machine);
    LoadTotals totals =
        LoadTotals.of(
            List.of(
                client().request(new Command.Finish(), Answer.Finished.class, finishTimeout())));
    observed().add(telemetry.measurementEnded(), request().folder());
    judge(machines, Set.of());
    observed()
        .checked(
            ValidityChecks.of(
                observed().used().only(process -> process.equals(client().name())),
                totals,
                request().ceiling()));
    writeTimeSeries(totals, fromMillis);
    return totals;
  }

  private void killWhenDue(double seconds) {
    String kill = settings().get(ScenarioSettings.KILL);
    if (cluster().everyone().stream().noneMatch(this::isKilled)
        && !kill.equals(ScenarioSettings.KILL_NOTHING)
        && seconds >= settings().get(ScenarioSettings.KILL_AFTER)) {
      List<ManagedProcess> candidates =
          kill.equals(ScenarioSettings.KILL_NODE)
              ? cluster().nodes()
              : living(ScenarioRole.SERVICE);
      ManagedProcess victim = candidates.get(candidates.size() - 1);
      killed(victim);
      observed()
          .configured(
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

  @Override
  protected Verification verify() {
    ClocksCompared after = compareClocks();
    settle();
    try {
      for (ManagedProcess agent : cluster().agents()) {
        collect(agent);
      }
      return judge(after);
    } catch (IOException unreadable) {
      throw WorkerException.mismatch(
          Messages.format("scenario.logs-unreadable"), unreadable.getMessage());
    }
  }

  /**
   * Fetches what one process recorded into the run's folder. Of one that was killed there is the
   * log alone, and only if it ran on this machine.
   *
   * @throws IOException if its log is not readable
   */
  private void collect(ManagedProcess agent) throws IOException {
    Optional<ScenarioRecorded> recorded =
        isKilled(agent)
            ? Optional.empty()
            : Optional.of(
                agent
                    .request(command(new CollectScenario()), Answer.OfKind.class, Timeouts.QUICK)
                    .as(ScenarioRecorded.class));
    recorded.ifPresent(
        told -> {
          errors.addAll(told.errors());
          timers.add(new Answer.Interval(0, 1, told.timers()));
          inFlight = told.inFlight().isEmpty() ? inFlight : told.inFlight();
        });
    Path log = Files.createDirectories(artefacts()).resolve(name(agent) + ".spans.gz");
    SpanLog spans = new SpanLog(List.of(), List.of());
    if (copyLog(agent, recorded, log)) {
      artefact(ScenarioSummary.SPANS, name(agent), log);
      spans = SpanLog.read(log);
    }
    processes.add(new ProcessLog(role(agent), index(agent), spans, 0, isKilled(agent)));
  }

  /**
   * @return whether there is one
   */
  private boolean copyLog(ManagedProcess agent, Optional<ScenarioRecorded> recorded, Path to)
      throws IOException {
    if (recorded.isEmpty() && !cluster().spec().hostOf(agent).local()) {
      return false;
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to), 1 << 16)) {
      if (recorded.isEmpty()) {
        PrepareScenario as = prepareCommand(agent);
        Files.copy(Path.of(as.folder()).resolve(as.log()), out);
      } else {
        agent.fetch(recorded.get().log(), recorded.get().logBytes(), Timeouts.QUICK, out);
      }
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("scenario.log-unwritable"),
          name(agent),
          to,
          failure.getMessage(),
          failure);
    }
    return true;
  }

  /**
   * Says whether every request ended in exactly one outcome and no message was lost, and leaves the
   * summary and the timers in the folder.
   *
   * @param after the clocks of the other processes after the load
   */
  private Verification judge(ClocksCompared after) {
    Map<String, Long> offsets = new TreeMap<>();
    List<ScenarioSummary.Clock> clocks = new ArrayList<>();
    for (ClockComparison then : clocksBefore) {
      ClockComparison now =
          after.clocks().stream()
              .filter(clock -> clock.process().equals(then.process()))
              .findFirst()
              .orElse(then);
      clocks.add(new ScenarioSummary.Clock(then, now));
      offsets.put(then.process(), (then.offsetNanos() + now.offsetNanos()) / 2);
    }
    ScenarioLogs logs =
        ScenarioLogs.of(
            processes.stream()
                .map(each -> each.ahead(offsets.getOrDefault(each.name(), 0L)))
                .toList());
    OutcomeCheck check = OutcomeCheck.of(logs, ScenarioSettings.dropped(settings()));
    Map<String, Long> outcomes = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome.words(), check.count(outcome));
    }
    ScenarioSummary summary =
        new ScenarioSummary(
            1,
            check.measured(),
            outcomes,
            LatencyBreakdown.summary(logs, clockErrorNanos(clocks)),
            check.counts(),
            clocks,
            inFlight,
            observed().measuredFrom());
    observe(summary);
    observed().checked(splitChecks(summary));
    write(summary);
    return verification(check);
  }

  /**
   * Error in nanoseconds between the clocks of two processes, each with the error of its offset,
   * which drifts during a trial.
   */
  private static long clockErrorNanos(List<ScenarioSummary.Clock> clocks) {
    return 2
        * clocks.stream()
            .mapToLong(
                clock ->
                    Math.max(clock.before().errorNanos(), clock.after().errorNanos())
                        + Math.abs(clock.before().offsetNanos() - clock.after().offsetNanos()))
            .max()
            .orElse(0);
  }

  private void observe(ScenarioSummary summary) {
    double all = Math.max(1, summary.requests());
    observed().measured("requests", Metric.neutral((double) summary.requests(), "requests"));
    for (Outcome outcome : Outcome.values()) {
      double share = 100.0 * summary.outcome(outcome.words()) / all;
      observed()
          .measured(
              "outcome." + outcome.metric(),
              outcome == Outcome.COMPLETED
                  ? Metric.higherIsBetter(share, "%")
                  : Metric.lowerIsBetter(share, "%"));
    }
    summary.counts().forEach((what, times) -> observeLower("count", what, (double) times, ""));
    ScenarioSummary.Split split = summary.split();
    if (split.requests() > 0) {
      split.parts().forEach((part, times) -> observeLower("split", part, times.mean(), "ms"));
      observed().measured("elapsed-without-mock", Metric.lowerIsBetter(split.withoutMock(), "ms"));
      observed().measured("split.difference", Metric.neutral(split.differencePercent(), "%"));
    }
  }

  private void observeLower(String group, String what, double value, String unit) {
    String name = group + "." + what.replace(' ', '-');
    observed().measured(name, Metric.lowerIsBetter(value, unit));
  }

  /**
   * Checks whether a scenario's parts add up to the whole, for enough of the requests, and with
   * clocks that agree.
   */
  private static List<Check> splitChecks(ScenarioSummary summary) {
    long completed = summary.outcome(Outcome.COMPLETED.words());
    if (completed == 0) {
      return List.of();
    }
    ScenarioSummary.Split split = summary.split();
    double difference = Math.abs(split.differencePercent());
    double most = ValidityLimits.USUAL.split() * 100;
    double followed = 100.0 * split.requests() / completed;
    double least = ValidityLimits.USUAL.followed() * 100;
    double impossible = 100.0 * split.impossible() / Math.max(1, split.requests());
    return List.of(
        new Check("parts against whole", difference, most, "%", difference > most),
        new Check("requests followed", followed, least, "%", followed < least),
        new Check("received before sent", impossible, 100 - least, "%", impossible > 100 - least));
  }

  private void write(ScenarioSummary summary) {
    Path log = artefacts().resolve("timers.hlog");
    Latencies.write(log, time().now().toEpochMilli(), timers.stream());
    artefact(ScenarioSummary.TIMERS, "", log);
    Path scenario = artefacts().resolve("scenario.json");
    request().folder().write(artefact(ScenarioSummary.SUMMARY, "", scenario), summary);
  }

  /**
   * @return the file relative to the run's folder
   */
  private String artefact(String kind, String process, Path file) {
    String name = request().folder().path().relativize(file).toString();
    observed().kept(kind, process, name);
    return name;
  }

  private Verification verification(OutcomeCheck check) {
    boolean planted = ScenarioSettings.dropped(settings()) > 0;
    String expected =
        String.format(
            Locale.ROOT,
            Messages.format("scenario.verified"),
            check.requests(),
            planted ? " but those dropped on purpose" : "");
    if (check.problems().isEmpty()) {
      return new Verification(true, expected, expected);
    }
    String causes = errors.isEmpty() ? "" : "; failures: " + String.join(", ", errors);
    return new Verification(false, expected, String.join("; ", check.problems()) + causes);
  }

  /**
   * Waits until no message is on its way and nothing is being handled. An answer to a question for
   * the time follows what was sent before it on the same connection.
   */
  private void settle() {
    for (ScenarioRole role :
        List.of(ScenarioRole.SERVICE, ScenarioRole.MOCK, ScenarioRole.SERVICE)) {
      List<ManagedProcess> busy = living(role);
      ManagedProcess.requestAll(
          busy, i -> new Command.Finish(), Answer.Done.class, finishTimeout());
      ManagedProcess.requestAll(
          busy, i -> command(new CompareClocks(1)), Answer.OfKind.class, Timeouts.QUICK);
    }
  }

  @Override
  protected void tearDown() {
    ManagedProcess creator = living(ScenarioRole.SERVICE).get(0);
    List<ManagedProcess> others =
        cluster().agents().stream().filter(agent -> agent != creator).toList();
    ManagedProcess.requestAll(
        others, i -> new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
    creator.request(new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
  }

  /** Runs trials in which requests pass through several processes, which use the grid. */
  public static final class Runner implements KindRunner {
    private static final List<SettingKey<?>> WITHOUT_CODE_OF_THEIR_OWN =
        List.of(
            ScenarioSettings.RATE,
            ScenarioSettings.KILL,
            ScenarioSettings.KILL_AFTER,
            ScenarioSettings.DROP_MESSAGE);

    @Override
    public Job job() {
      return ScenarioMessages.JOB;
    }

    @Override
    public TrialRecord run(Request request) {
      return new ScenarioTrial(request).run();
    }

    @Override
    public double warmUp(Request request, double seconds) {
      return new ScenarioTrial(request).warmUpOnly(seconds);
    }

    /** The code that a scenario runs depends on its settings, except on its rate and its faults. */
    @Override
    public Object code(TrialSpec trial) {
      Map<String, Object> settings = new HashMap<>(trial.settings().values());
      WITHOUT_CODE_OF_THEIR_OWN.forEach(setting -> settings.remove(setting.name()));
      return settings;
    }

    /** The one with the lower rate: overload leaves a queue. */
    @Override
    public TrialSpec lighter(TrialSpec one, TrialSpec other) {
      boolean lower =
          other.settings().get(ScenarioSettings.RATE) < one.settings().get(ScenarioSettings.RATE);
      return lower ? other : one;
    }
  }
}
