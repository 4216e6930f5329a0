package io.pyrometer.chaos;

import static io.pyrometer.chaos.ChaosMessages.command;

import io.pyrometer.chaos.ChaosMessages.Collect;
import io.pyrometer.chaos.ChaosMessages.Look;
import io.pyrometer.chaos.ChaosMessages.Prepare;
import io.pyrometer.chaos.ChaosMessages.Prepared;
import io.pyrometer.chaos.ChaosMessages.Recorded;
import io.pyrometer.chaos.ChaosMessages.Seen;
import io.pyrometer.chaos.history.HistoryFile;
import io.pyrometer.chaos.history.Isolation;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.chaos.history.Timeline.Fault;
import io.pyrometer.chaos.history.Verdict;
import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.coordinator.trial.LoadTotals;
import io.pyrometer.coordinator.trial.ObservedTrial;
import io.pyrometer.coordinator.trial.TrialRunner;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.message.Messages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One attempt at a trial under faults: one agent calls the grid and records a history, the grid is
 * broken and recovers, and the history is checked against what the product promises.
 */
final class ChaosTrial extends ObservedTrial {
  private static final Duration TENTH = Duration.ofMillis(100);

  private Optional<Isolation> isolation = Optional.empty();
  private Promise promise = Promise.LINEARIZABLE;
  private Optional<Faults> making = Optional.empty();
  private List<Fault> faults = List.of();
  private long clockAhead;

  /** By the clock of the history. */
  private long measuredUntil;

  ChaosTrial(TrialRunner.Request request) {
    super(request, 1);
  }

  private ManagedProcess agent() {
    return cluster().agents().get(0);
  }

  private <T> T ask(Command command, Class<T> answer, Duration timeout) {
    return agent().request(command, Answer.OfKind.class, timeout).as(answer);
  }

  @Override
  protected boolean changesServers() {
    return true;
  }

  @Override
  protected void prepare() {
    Faults unused = faults();
    Prepared prepared =
        ask(
            command(new Prepare(request().spec(), cluster().spec().workFolder(agent()))),
            Prepared.class,
            Timeouts.PREPARE);
    isolation = prepared.isolation();
    promise = prepared.promise();
    observed().configured(prepared.configuration());
    observed().configured(cluster().facts());
  }

  /** Servers that faults were made of may be gone. */
  @Override
  protected void requireComplete() {
    requireAgent();
    for (int i = 0; i < cluster().nodes().size(); i++) {
      int server = i;
      boolean injected = making.map(faults -> faults.injectedInto(server)).orElse(false);
      if (!injected && !cluster().nodes().get(i).alive()) {
        requireAllAlive();
      }
    }
  }

  /** Servers may be gone meanwhile, the agent may not. */
  private void requireAgent() {
    if (!agent().alive()) {
      Answer.Used unused = agent().request(new Command.Usage(), Answer.Used.class, Timeouts.QUICK);
    }
  }

  private Faults faults() {
    return new Faults(
        cluster(),
        time(),
        settings(),
        request().spec().seed(),
        () -> look().whole(),
        this::waitBriefly);
  }

  private void waitBriefly() {
    time().sleep(TENTH);
    requireAgent();
    tick();
  }

  private Seen look() {
    int servers = settings().get(CoreSettings.NODES);
    return ask(command(new Look(servers)), Seen.class, Timeouts.QUICK);
  }

  @Override
  protected void startLoad() {
    listenTo(agent());
    agent().request(new Command.Begin(), Answer.Done.class, Timeouts.QUICK);
  }

  @Override
  protected void finishWarmUp() {
    Answer.Finished unused = finish();
  }

  private Answer.Finished finish() {
    return agent()
        .request(new Command.Finish(), Answer.Finished.class, Timeouts.finish(settings()));
  }

  @Override
  protected LoadTotals measured(Telemetry.OfTrial telemetry) {
    observed().measurementStarted();
    long fromMillis = time().now().toEpochMilli();
    clockAhead = compareClocks();
    agent().request(new Command.Measure(), Answer.Done.class, Timeouts.QUICK);
    Faults now = faults();
    making = Optional.of(now);
    now.makeUntilTheEnd(time().nanoTime());
    measuredUntil = time().nanoTime() + clockAhead;
    faults =
        now.made().stream()
            .map(
                fault ->
                    new Fault(fault.name(), fault.from() + clockAhead, fault.to() + clockAhead))
            .toList();
    LoadTotals totals = LoadTotals.of(List.of(finish()));
    observed().add(telemetry.measurementEnded(), request().folder());
    writeTimeSeries(totals, fromMillis);
    return totals;
  }

  /** How far the agent's clock is ahead of this one, ns; known to half the time of the exchange. */
  private long compareClocks() {
    long before = time().nanoTime();
    long theirs = look().nanos();
    return theirs - (before + time().nanoTime()) / 2;
  }

  @Override
  protected Verification verify() {
    try {
      Path file = Files.createDirectories(artefacts()).resolve("history.jsonl");
      Files.write(file, fetch());
      artefact("history", file);
      List<Operation> history = HistoryFile.read(Files.readString(file));
      ChaosSummary summary =
          new HistoryCheck(history, faults, measuredUntil)
              .judge(isolation, promise, request().spec().seed());
      request()
          .folder()
          .write(artefact(ChaosSummary.KIND, file.resolveSibling("chaos.json")), summary);
      observe(summary);
      return verification(summary);
    } catch (IllegalArgumentException malformed) {
      throw WorkerException.mismatch("The history cannot be checked: " + malformed.getMessage());
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("chaos.history-unwritable"), failure.getMessage(), failure);
    }
  }

  private byte[] fetch() throws IOException {
    Recorded recorded = ask(command(new Collect()), Recorded.class, Timeouts.QUICK);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    agent().fetch(recorded.log(), recorded.logBytes(), Timeouts.QUICK, all);
    return all.toByteArray();
  }

  private String artefact(String kind, Path file) {
    String name = request().folder().path().relativize(file).toString();
    observed().kept(kind, "", name);
    return name;
  }

  private void observe(ChaosSummary summary) {
    observed().measured("checked", Metric.neutral((double) summary.operations(), "operations"));
    observed()
        .measured("unanswered", Metric.lowerIsBetter((double) summary.unanswered(), "operations"));
    observed().measured("outage", Metric.lowerIsBetter(summary.outageSeconds(), "s"));
    observed().measured("faults", Metric.neutral((double) summary.faults().size(), "faults"));
  }

  /** A promise that could not be decided upon is no failure of the grid. */
  private static Verification verification(ChaosSummary summary) {
    String expected =
        "%,d operations that are %s".formatted(summary.operations(), summary.promise());
    String found =
        switch (summary.verdict()) {
          case VALID -> expected;
          case UNKNOWN -> "no decision: " + summary.text();
          case INVALID ->
              "a counterexample of %d operations, seed %d"
                  .formatted(
                      summary.counterexample().stream().filter(s -> !s.of().isEmpty()).count(),
                      summary.seed());
        };
    return new Verification(
        summary.verdict() != Verdict.INVALID || summary.unpromised(), expected, found);
  }

  @Override
  protected void tearDown() {
    agent().request(new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
  }

  /** Runs trials that break a grid and check the history of what it answered. */
  public static final class Runner implements KindRunner {

    @Override
    public Job job() {
      return ChaosMessages.JOB;
    }

    @Override
    public TrialRecord run(Request request) {
      return new ChaosTrial(request).run();
    }

    @Override
    public double warmUp(Request request, double seconds) {
      return new ChaosTrial(request).warmUpOnly(seconds);
    }
  }
}
