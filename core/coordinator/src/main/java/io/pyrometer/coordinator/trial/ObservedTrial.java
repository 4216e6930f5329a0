package io.pyrometer.coordinator.trial;

import io.pyrometer.analysis.Figures;
import io.pyrometer.coordinator.machine.OtherProcesses;
import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.telemetry.TelemetryTarget;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.coordinator.trial.LoadTrialObservation.Phase;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import io.pyrometer.protocol.Slowest;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One attempt at a trial under load: the phases that every such trial passes through, what is told
 * of them while they last, and the record of a trial that could not continue. What is done in a
 * phase belongs to the kind of trial.
 */
public abstract class ObservedTrial {
  private static final Duration TICK = Duration.ofMillis(100);

  /** Between two counts of the servers of an attached grid, whose processes are not watched. */
  private static final double COUNT_SECONDS = 1;

  /** Longest silence of agents that load; a host that is cut off does not end its pipe. */
  private static final double LONGEST_SILENCE_SECONDS = 20;

  /** A start that is known no better says nothing of the limit, which is twice as long. */
  private static final double MAX_START_ERROR_MICROS = 5_000;

  private final TrialRunner.Request request;
  private final Cluster cluster;
  private final TrialSpec spec;
  private final Time time;
  private final SampleSeries samples;
  private final LoadTrialObservation observed;
  private final HostClocks clocks;
  private Optional<CpuOverTime> cpu = Optional.empty();
  private OtherProcesses others = OtherProcesses.NONE;
  private long counted;
  private Optional<ManagedProcess> killed = Optional.empty();

  /**
   * @param sampling the number of agents that tell ten times a second what they did
   */
  protected ObservedTrial(TrialRunner.Request request, int sampling) {
    this.request = request;
    this.cluster = request.cluster();
    this.spec = request.spec();
    this.time = request.time();
    this.clocks =
        new HostClocks(
            process -> cluster.spec().hostOf(process).local(), request.machine().get(), time);
    this.samples = new SampleSeries(sampling, time);
    this.observed = new LoadTrialObservation(spec, request.attempt(), time, samples);
    cluster
        .startSeconds()
        .ifPresent(s -> observed.measured(Metric.SERVERS_START, Metric.lowerIsBetter(s, "s")));
  }

  /** Sets the trial up in all its processes. */
  protected abstract void prepare();

  /** Notes what is to be known of the processes before anything is done. */
  protected void observeBefore() {}

  protected abstract void startLoad();

  /** Returns when the load has warmed up: after the time of the setting, if nothing else tells. */
  protected void warmUp() {
    long from = time.nanoTime();
    while (time.secondsSince(from) < settings().get(CoreSettings.WARM_UP)) {
      pause();
    }
  }

  /** Measures, and ends the load and the telemetry, which has begun. */
  protected abstract LoadTotals measured(Telemetry.OfTrial telemetry);

  protected abstract Verification verify();

  /** Removes what the trial left in the grid. */
  protected abstract void tearDown();

  /** Ends the load of a warm-up, and what follows a load. */
  protected abstract void finishWarmUp();

  /** Returns whether servers leave or join in the trial because it is to show what happens then. */
  protected abstract boolean changesServers();

  public final TrialRecord run() {
    try {
      observeBefore();
      setUp();
      requireServers();
      Telemetry.OfTrial telemetry =
          Telemetry.of(settings()).attach(TelemetryTarget.of(cluster), artefacts());
      cluster.limit(settings());
      begin();
      warmUp();
      observed.enter(Phase.MEASURE);
      telemetry.measurementStarted();
      LoadTotals totals = measured(telemetry);
      cluster.unlimit();
      observed.enter(Phase.VERIFY);
      tick();
      cluster.shapeLinks(Shape.PLAIN);
      Verification verification = verify();
      requireComplete();
      TrialRecord record = observed.ended(totals, verification);
      if (killed.isEmpty() && request.clusterUsedAgain().test(record)) {
        observed.enter(Phase.TEAR_DOWN);
        tick();
        tearDown();
        record = observed.ended(totals, verification);
      }
      return record;
    } catch (WorkerException failure) {
      Timeouts.letShutdownComeFirst(time);
      return observed.failed(failure.cause(this::requireComplete));
    }
  }

  /**
   * Passes through all phases without counting anything, so that what a trial runs before and after
   * its load is compiled, too.
   *
   * @return the compilers' share; see {@link TrialRunner#warmUp}
   */
  public final double warmUpOnly(double seconds) {
    ProcessUsage before = cluster.usage();
    setUp();
    begin();
    for (long from = time.nanoTime(); time.secondsSince(from) < seconds; ) {
      pause();
    }
    finishWarmUp();
    tearDown();
    return cluster.usage().since(before).compilerShare();
  }

  private void setUp() {
    tick();
    cluster.shapeLinks(Shape.PLAIN);
    prepare();
  }

  private void begin() {
    observed.enter(Phase.WARM_UP);
    cluster.shapeLinks(Shape.ofLinks(settings()));
    samples.begin();
    counted = time.nanoTime();
    startLoad();
  }

  protected final TrialRunner.Request request() {
    return request;
  }

  protected final Cluster cluster() {
    return cluster;
  }

  protected final Settings settings() {
    return spec.settings();
  }

  protected final Time time() {
    return time;
  }

  /** Receives what the record of the trial is made of. */
  protected final LoadTrialObservation observed() {
    return observed;
  }

  final SampleSeries samples() {
    return samples;
  }

  /** Adds what an agent says ten times a second to the samples of the trial. */
  protected final void listenTo(ManagedProcess agent) {
    agent.onSample(samples::add);
  }

  /** Notes a process that the trial ends on purpose, which nobody misses. */
  protected final void killed(ManagedProcess process) {
    killed = Optional.of(process);
  }

  protected final boolean isKilled(ManagedProcess process) {
    return killed.equals(Optional.of(process));
  }

  protected final Path artefacts() {
    return request.folder().file(RunFolder.artefact(spec.id(), request.attempt(), ""));
  }

  final HostClocks clocks() {
    return clocks;
  }

  /** Begins to read the CPU time of all processes once a second. */
  protected final void observeCpu() {
    cpu = Optional.of(new CpuOverTime(cluster, time, clocks, request.machine()));
  }

  /** Reads it for the last time; what is sent to the processes next is answered later. */
  protected final void cpuObserved() {
    cpu.ifPresent(CpuOverTime::end);
  }

  /** Writes what was recorded over time, the latencies and the CPU time. */
  protected final void writeTimeSeries(LoadTotals totals, long fromEpochMillis) {
    cpu.map(CpuOverTime::intervals)
        .filter(read -> !read.isEmpty())
        .ifPresent(
            read ->
                write(
                    CpuLog.KIND,
                    RunFolder.artefact(spec.id(), request.attempt(), RunFolder.CPU_LOG),
                    file -> JsonLines.write(file, read)));
    Latencies.write(
        request.folder().histogram(spec.id(), request.attempt()),
        fromEpochMillis,
        totals.agents().stream().flatMap(agent -> agent.intervals().stream()));
    observed.kept(
        TrialRecord.Artefact.HISTOGRAM,
        "",
        RunFolder.artefact(spec.id(), request.attempt(), RunFolder.HISTOGRAM));
    writeSlowCalls(totals, fromEpochMillis);
  }

  /** By the coordinator's clock, whatever those of other hosts say. */
  private void writeSlowCalls(LoadTotals totals, long fromEpochMillis) {
    clocks
        .known()
        .forEach(
            (process, clock) -> {
              observed.measured(
                  Metric.CLOCK_AHEAD + process, Metric.neutral(clock.aheadMicros() / 1e3, "ms"));
              observed.measured(
                  Metric.CLOCK_ERROR + process, Metric.neutral(clock.errorMicros() / 1e3, "ms"));
            });
    List<Slowest> slowest = new ArrayList<>();
    for (int i = 0; i < totals.agents().size(); i++) {
      ManagedProcess agent = cluster.agents().get(i);
      Optional<Slowest> its = totals.agents().get(i).slowest();
      its.map(each -> each.later(began(agent, each) - 1_000 * fromEpochMillis))
          .ifPresent(slowest::add);
    }
    List<SlowCallLog.OfOperation> merged = SlowCallLog.merged(slowest, totals.latencies());
    if (!merged.isEmpty()) {
      write(
          SlowCallLog.KIND,
          RunFolder.artefact(spec.id(), request.attempt(), RunFolder.SLOW_CALLS),
          file -> JsonLines.write(file, merged));
    }
  }

  /** When an agent began to measure, by the coordinator's clock, since 1970. */
  private long began(ManagedProcess agent, Slowest slowest) {
    return slowest.epochMicros()
        - clocks.of(agent).map(clock -> Math.round(clock.aheadMicros())).orElse(0L);
  }

  /** The machines of all processes over the measured part, whose usage was read just now. */
  protected final List<TrialMachine> machinesSince(MachineReading before) {
    return TrialMachine.of(observed.used(), request.machine().get().since(before), this::hostOf);
  }

  /** Notes what other processes have used so far; takes some milliseconds. */
  protected final void observeOthers() {
    others = OtherProcesses.now();
  }

  /**
   * Adds disturbances of the machines from outside, and the programs that caused them here.
   *
   * @param withQuotas names of processes that have a CPU quota
   */
  protected final void judge(List<TrialMachine> machines, Set<String> withQuotas) {
    for (TrialMachine machine : machines) {
      List<Check> checks = machine.checks(withQuotas);
      observed.checked(checks);
      boolean byOthers =
          checks.stream().anyMatch(it -> it.disturbed() && it.name().equals(Check.OTHER_PROCESSES));
      if (byOthers && machine.host().isEmpty()) {
        double all = machine.over().cpu().orElseThrow().total();
        OtherProcesses.now()
            .secondsSince(others)
            .forEach(
                (program, seconds) ->
                    observed.measured(
                        Metric.OTHER_PROGRAM + program, Metric.neutral(100 * seconds / all, "%")));
      }
    }
  }

  /**
   * The host of a process that is not this one; of a server of others its machine is known alone.
   */
  private Optional<String> hostOf(String process) {
    return cluster.attached().processes().stream().anyMatch(it -> it.name().equals(process))
        ? Optional.of("attached")
        : TrialMachine.elsewhere(cluster.spec().hostOf(process));
  }

  /** Shares of the agents. Where a clock is not known well, its agent's start is not told. */
  protected final AgentShares shares(LoadTotals totals) {
    List<AgentShares.Share> shares = new ArrayList<>();
    for (int i = 0; i < totals.agents().size(); i++) {
      ManagedProcess agent = cluster.agents().get(i);
      Answer.Finished did = totals.agents().get(i);
      Optional<Long> began =
          clocks
              .of(agent)
              .filter(clock -> clock.errorMicros() <= MAX_START_ERROR_MICROS)
              .flatMap(known -> did.slowest())
              .map(slowest -> began(agent, slowest));
      shares.add(new AgentShares.Share(agent.name(), did, began));
    }
    return new AgentShares(shares);
  }

  @FunctionalInterface
  private interface FileWriter {
    void write(Path file) throws IOException;
  }

  private void write(String kind, String name, FileWriter writer) {
    try {
      writer.write(request.folder().file(name));
      observed.kept(kind, "", name);
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("coordinator.file-unwritable"), name, failure.getMessage(), failure);
    }
  }

  protected void requireComplete() {
    requireAllAlive();
    requireServers();
  }

  /** A grid that has lost a server serves the same load with fewer. */
  private void requireServers() {
    Optional<Integer> now = changesServers() ? Optional.empty() : cluster.countServers();
    if (now.isPresent() && request.servers().isPresent() && !now.equals(request.servers())) {
      throw WorkerException.refused(
          "coordinator.server-count", Figures.count(now.get(), "server"), request.servers().get());
    }
  }

  protected final void requireAllAlive() {
    cluster.requireAllAlive(killed);
  }

  protected final void pause() {
    time.sleep(TICK);
    requireAllAlive();
    if (cluster.nodes().isEmpty() && time.secondsSince(counted) >= COUNT_SECONDS) {
      counted = time.nanoTime();
      requireServers();
    }
    cpu.ifPresent(CpuOverTime::readIfDue);
    if (samples.silentSeconds() > LONGEST_SILENCE_SECONDS) {
      throw WorkerException.refused("coordinator.agents-silent", LONGEST_SILENCE_SECONDS);
    }
    tick();
  }

  protected final void tick() {
    request.phaseAndRate().accept(observed.phase().words, samples.recentRate());
  }
}
