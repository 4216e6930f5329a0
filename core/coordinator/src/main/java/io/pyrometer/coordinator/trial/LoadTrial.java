package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.fault.NetworkPartition;
import io.pyrometer.coordinator.fault.ServerEvent;
import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SharedKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One attempt at a load trial: agents put one workload on the grid through one access path, while
 * the machine and all processes are observed.
 */
final class LoadTrial extends ObservedTrial {
  /**
   * A path that hands over tens of thousands of records at once may finish none within a short
   * measured part; it is then given the same time again.
   */
  private static final int MAX_WINDOWS = 3;

  private final boolean once;
  private ServerEvent event;

  LoadTrial(TrialRunner.Request request) {
    super(request, request.cluster().agents().size());
    this.once = CoreSettings.loadsOnce(spec.settings());
    this.event = ServerEvent.none(request.cluster(), time);
  }

  @Override
  protected void observeBefore() {
    observed.idle = cluster.idleUsage();
    observed.heapBefore = cluster.emptyHeap();
    observed.storedBefore = ProcessUsage.ofNodes(cluster).storedBytes();
    observed.storedEmpty = cluster.emptyStore(observed.storedBefore);
  }

  @Override
  protected void finishWarmUp() {
    finish();
    verify();
  }

  @Override
  protected boolean changesServers() {
    Settings settings = settings();
    return settings
            .find(CoreSettings.SERVER_EVENT)
            .filter(event -> !event.equals("none"))
            .isPresent()
        || settings.find(CoreSettings.CUT_FOR).filter(seconds -> seconds > 0).isPresent();
  }

  @Override
  protected void prepare() {
    List<ManagedProcess> agents = cluster.agents();
    List<String> relays = cluster.network().shapeRelays(settings());
    observed.configuration =
        agents
            .get(0)
            .request(
                new Command.Prepare(spec, true, relays), Answer.Prepared.class, Timeouts.PREPARE)
            .configuration();
    ManagedProcess.requestAll(
        agents.subList(1, agents.size()),
        i -> new Command.Prepare(spec, false, relays),
        Answer.Prepared.class,
        Timeouts.PREPARE);
    observed.configuration = new TreeMap<>(observed.configuration);
    observed.configuration.putAll(
        processors(ProcessUsage.ofNodes(cluster), settings().get(CoreSettings.CORES)));
    observed.configuration.putAll(cluster.facts());
  }

  /**
   * The processors that each node sees from inside.
   *
   * @param cores that each node is bound to; 0 for all
   * @throws WorkerException naming a node that counts on others, or may run on others
   */
  static Map<String, String> processors(ProcessUsage nodes, int cores) {
    Map<String, String> facts = new TreeMap<>();
    nodes
        .byProcess()
        .forEach(
            (name, used) -> {
              String allowed = used.cpusAllowed();
              if (cores > 0 && (used.cores() != cores || Cpus.parse(allowed).size() != cores)) {
                throw WorkerException.mismatch(
                    "%s needs %d cores, but its JVM sees %d and may run on processors '%s'.",
                    name, cores, used.cores(), allowed);
              }
              facts.put(
                  name + ".processors", used.cores() + (allowed.isEmpty() ? "" : " of " + allowed));
            });
    return facts;
  }

  @Override
  protected void startLoad() {
    cluster.agents().forEach(agent -> agent.onSample(samples::add));
    if (!once) {
      ManagedProcess.requestAll(
          cluster.agents(), i -> new Command.Begin(), Answer.Done.class, Timeouts.QUICK);
    }
  }

  @Override
  protected void warmUp() {
    long end = time.nanoTime() + (long) (settings().get(CoreSettings.WARM_UP) * 1e9);
    int measured = Steadiness.measured(settings());
    int next = 0;
    Optional<ProcessUsage> before = Optional.empty();
    while (!once && time.nanoTime() < end && !observed.steady) {
      pause();
      List<Long> complete = Steadiness.samples(settings(), samples);
      if (complete.size() >= next) {
        // Asked seldom, since each look may find noise.
        next = Math.max(complete.size() + 5, complete.size() * 11 / 10);
        if (Steadiness.isShown(complete, measured)) {
          ProcessUsage now = ProcessUsage.of(cluster);
          observed.steady = before.filter(b -> now.since(b).compilersAreQuiet()).isPresent();
          before = Optional.of(now);
        } else {
          before = Optional.empty();
        }
      }
    }
  }

  @Override
  protected LoadTotals measured(Telemetry.OfTrial telemetry) {
    phases.enter(PhaseTimer.Phase.MEASURE);
    telemetry.measurementStarted();
    observeOthers();
    AgentStart start = startAgents(once ? new Command.Begin() : new Command.Measure());
    MachineReading machineBefore = request.machine().get();
    ProcessUsage before = ProcessUsage.of(cluster);
    observeCpu();
    Map<ManagedProcess, Double> throttledBefore = throttled();
    observed.measuredFrom = samples.complete().size();
    long from = start.at().toEpochMilli();
    observed.more.putAll(start.complete());
    int windows = 0;
    event = ServerEvent.of(settings(), cluster, time);
    try (NetworkPartition partition =
        NetworkPartition.of(settings(), cluster.spec().hosts().hosts())) {
      do {
        until(settings().get(CoreSettings.MEASURE), partition);
        windows++;
      } while (!once && windows < MAX_WINDOWS && samples.sumFrom(observed.measuredFrom) == 0);
      noteIn(partition);
    }
    cpuObserved();
    observed.used = event.usedSince(before);
    observed.configuration.putAll(cluster.facts());
    if (event.gone().isEmpty()) {
      observed.storedAfter = ProcessUsage.ofNodes(cluster).storedBytes();
    }
    // A server that joined meanwhile had none before.
    throttled()
        .forEach(
            (process, now) ->
                observed.throttledSeconds.put(
                    process.name(), now - throttledBefore.getOrDefault(process, 0.0)));
    List<TrialMachine> machines = machinesSince(machineBefore);
    LoadTotals totals = totals(finish());
    if (once) {
      observed.more.put(Metric.LOADED, Metric.lowerIsBetter(totals.seconds(), "s"));
    }
    event.await();
    observed.more.putAll(event.metrics());
    observed.add(telemetry.measurementEnded(), request.folder());
    if (event.gone().isEmpty()) {
      observed.heapAfter = ProcessUsage.liveHeapOfNodes(cluster);
    }
    observed.checks = new ArrayList<>();
    judge(machines, observed.throttledSeconds.keySet());
    observed.checks.addAll(ValidityChecks.of(observed.used, totals, request.ceiling()));
    observe(machines);
    AgentShares shares = shares(totals);
    observed.more.putAll(shares.metrics());
    observed.checks.addAll(shares.checks());
    writeTimeSeries(totals, from);
    return totals;
  }

  /** How busy each machine was, and the busiest. */
  private void observe(List<TrialMachine> machines) {
    for (TrialMachine machine : machines) {
      machine
          .host()
          .flatMap(
              host ->
                  MachineLoad.of(machine, settings())
                      .map(load -> load.metrics(Metric.MACHINE + host + ".")))
          .ifPresent(observed.more::putAll);
    }
    MachineLoad.busiest(machines, settings())
        .ifPresent(
            load -> {
              observed.more.putAll(load.metrics(Metric.MACHINE));
              observed.checks.add(load.check());
            });
  }

  /** Seconds for which quotas stopped each living process that has one, so far. */
  private Map<ManagedProcess, Double> throttled() {
    Map<ManagedProcess, Double> all = new HashMap<>();
    cluster.everyone().stream()
        .filter(ManagedProcess::alive)
        .forEach(process -> process.throttledSeconds().ifPresent(now -> all.put(process, now)));
    return all;
  }

  private List<Answer.Finished> finish() {
    return ManagedProcess.requestAll(
        cluster.agents(),
        i -> new Command.Finish(),
        Answer.Finished.class,
        Timeouts.finish(spec.job(), settings()));
  }

  /** What an agent says may be garbage, which is no reason to end the run. */
  private static LoadTotals totals(List<Answer.Finished> agents) {
    try {
      return LoadTotals.of(agents);
    } catch (RuntimeException unreadable) {
      throw WorkerException.mismatch(
          "The latencies that the agents sent cannot be read (%s).", unreadable);
    }
  }

  @Override
  protected Verification verify() {
    List<Evidence> said =
        ManagedProcess.requestAll(
                cluster.agents(), i -> new Command.Verify(), Answer.Verified.class, Timeouts.VERIFY)
            .stream()
            .map(Answer.Verified::evidence)
            .toList();
    observed.storedRecords = stored(said.get(0));
    observed.more.putAll(Verifier.metrics(said));
    return Verifier.verify(said);
  }

  /** By the agent that read everything back; what was filled in where nothing is written. */
  private long stored(Evidence creators) {
    if (creators instanceof SharedKeys keys && keys.left().isPresent()) {
      return keys.left().get();
    }
    if (spec.job() != Job.WRITE) {
      return settings().get(CoreSettings.RECORDS);
    }
    return creators instanceof Evidence.Contents contents
        ? contents.found().map(ContentDigest::count).orElse(0L)
        : 0;
  }

  @Override
  protected void tearDown() {
    List<ManagedProcess> agents = cluster.agents();
    ManagedProcess.requestAll(
        agents.subList(1, agents.size()),
        i -> new Command.TearDown(),
        Answer.Done.class,
        Timeouts.TEAR_DOWN);
    agents.get(0).request(new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
  }

  private void until(double seconds, NetworkPartition partition) {
    long from = time.nanoTime();
    double since = 0;
    while (once ? !samples.ended() : since < seconds) {
      partition.at(since);
      event.at(since);
      killed = event.gone();
      pause();
      since = time.secondsSince(from);
      if (once && samples.idleSeconds() > settings().get(CoreSettings.DRAIN_TIMEOUT)) {
        throw WorkerException.mismatch(
            "No record was written for %.0f s, and not all are written.", samples.idleSeconds());
      }
    }
  }

  private void noteIn(NetworkPartition partition) {
    if (!partition.names().isEmpty()) {
      observed.configuration.put("cut.hosts", String.join(", ", partition.names()));
      observed.configuration.put(
          "cut.longest-pause", "%.1f s".formatted(samples.longestPauseFrom(observed.measuredFrom)));
    }
  }
}
