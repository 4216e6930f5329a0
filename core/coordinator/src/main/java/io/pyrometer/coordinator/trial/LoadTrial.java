package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.SharedKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One attempt at a load trial: agents put one workload on the grid through one access path, while
 * the machine and all processes are observed.
 */
final class LoadTrial extends ObservedTrial {
  /**
   * A path that hands over tens of thousands of records at once may finish none within a short
   * measured part; it is then given the same time again, up to three times as long or a minute.
   */
  private static final int MAX_WINDOWS = 3;

  private static final double MAX_SECONDS = 60;

  private final boolean once;

  /** Bytes that the servers store and keep on their heaps, with and without the records. */
  private Optional<Long> storedEmpty = Optional.empty();

  private Optional<Long> storedBefore = Optional.empty();
  private Optional<Long> storedAfter = Optional.empty();
  private Optional<Long> heapBefore = Optional.empty();
  private Optional<Long> heapAfter = Optional.empty();

  LoadTrial(TrialRunner.Request request) {
    super(request, request.cluster().agents().size());
    this.once = CoreSettings.loadsOnce(settings());
  }

  @Override
  protected void observeBefore() {
    cluster()
        .idleUsage()
        .flatMap(DemandMetrics::idle)
        .ifPresent(idle -> observed().measured(Metric.IDLE_SERVER, idle));
    heapBefore = cluster().emptyHeap();
    storedBefore = cluster().usageOfNodes().storedBytes();
    storedEmpty = cluster().emptyStore(storedBefore);
  }

  @Override
  protected void finishWarmUp() {
    finish();
    verify();
  }

  @Override
  protected boolean changesServers() {
    return !settings().find(CoreSettings.SERVER_EVENT).orElse("none").equals("none")
        || settings().find(CoreSettings.CUT_FOR).orElse(0.0) > 0;
  }

  @Override
  protected void prepare() {
    List<ManagedProcess> agents = cluster().agents();
    List<String> relays = cluster().shapeRelays(settings());
    Command create = new Command.Prepare(request().spec(), true, relays);
    Command prepare = new Command.Prepare(request().spec(), false, relays);
    Duration timeout = Timeouts.ofRecords(settings());
    observed()
        .configured(agents.get(0).request(create, Answer.Prepared.class, timeout).configuration());
    ManagedProcess.requestAll(
        agents.subList(1, agents.size()), i -> prepare, Answer.Prepared.class, timeout);
    observed().configured(processors(cluster().usageOfNodes(), settings().get(CoreSettings.CORES)));
    observed().configured(cluster().facts());
  }

  /**
   * The processors that each node sees from inside.
   *
   * @param cores that each node is bound to; 0 for all
   */
  static Map<String, String> processors(ProcessUsage nodes, int cores) {
    Map<String, String> facts = new TreeMap<>();
    nodes
        .byProcess()
        .forEach(
            (name, used) -> {
              String allowed = used.cpusAllowed();
              if (cores > 0
                  && (used.cores() != cores
                      || MachineReading.processors(allowed).size() != cores)) {
                throw WorkerException.refused(
                    "coordinator.cores-mismatch", name, cores, used.cores(), allowed);
              }
              facts.put(
                  name + ".processors", used.cores() + (allowed.isEmpty() ? "" : " of " + allowed));
            });
    return facts;
  }

  @Override
  protected void startLoad() {
    cluster().agents().forEach(this::listenTo);
    if (!once) {
      List<Answer.Done> unused = fromAll(new Command.Begin(), Answer.Done.class, Timeouts.QUICK);
    }
  }

  @Override
  protected void warmUp() {
    long end = time().nanoTime() + (long) (settings().get(CoreSettings.WARM_UP) * 1e9);
    int next = 0;
    Optional<ProcessUsage> before = Optional.empty();
    while (!once && time().nanoTime() < end && !observed().isSettled()) {
      pause();
      List<Long> complete = Steadiness.samples(settings(), samples());
      if (complete.size() >= next) {
        // Asked seldom, since each look may find noise.
        next = Math.max(complete.size() + 5, complete.size() * 11 / 10);
        if (Steadiness.isShown(complete, Steadiness.measured(settings()))) {
          ProcessUsage now = cluster().usage();
          before
              .filter(b -> now.since(b).compilersAreQuiet())
              .ifPresent(quiet -> observed().settled());
          before = Optional.of(now);
        } else {
          before = Optional.empty();
        }
      }
    }
  }

  @Override
  protected LoadTotals measured(Telemetry.OfTrial telemetry) {
    observeOthers();
    Command begin = once ? new Command.Begin() : new Command.Measure();
    HostClocks.Start start = clocks().start(cluster().agents(), begin);
    MachineReading machineBefore = request().machine().get();
    ProcessUsage before = cluster().usage();
    observeCpu();
    Map<ManagedProcess, Double> throttledBefore = throttled();
    observed().measurementStarted();
    long from = start.at().orElseGet(time()::now).toEpochMilli();
    observed().measured(start.complete());
    ServerEvent event = new ServerEvent(settings(), cluster(), time());
    try (NetworkPartition partition =
        NetworkPartition.of(settings(), cluster().spec().hosts().hosts())) {
      awaitLoad(partition, event);
      if (!partition.names().isEmpty()) {
        double pause = samples().longestPauseFrom(observed().measuredFrom());
        observed().configured("cut.hosts", String.join(", ", partition.names()));
        observed().configured("cut.longest-pause", "%.1f s".formatted(pause));
      }
    }
    cpuObserved();
    observed().used(event.usedSince(before));
    observed().configured(cluster().facts());
    if (event.gone().isEmpty()) {
      storedAfter = cluster().usageOfNodes().storedBytes();
    }
    // A server that joined meanwhile had none before.
    Set<String> withQuotas = new TreeSet<>();
    throttled()
        .forEach(
            (process, now) -> {
              withQuotas.add(process.name());
              double seconds = now - throttledBefore.getOrDefault(process, 0.0);
              observed()
                  .measured(
                      Metric.THROTTLED_SECONDS_OF + process.name(), Metric.neutral(seconds, "s"));
            });
    List<TrialMachine> machines = machinesSince(machineBefore);
    LoadTotals totals = totals(finish(), once);
    if (once) {
      observed().measured(Metric.LOADED, Metric.lowerIsBetter(totals.seconds(), "s"));
    }
    event.await();
    observed().measured(event.metrics());
    observed().add(telemetry.measurementEnded(), request().folder());
    if (event.gone().isEmpty()) {
      heapAfter = cluster().liveHeap();
    }
    judge(machines, withQuotas);
    observed().checked(ValidityChecks.of(observed().used(), totals, request().ceiling()));
    observe(machines);
    AgentShares shares = shares(totals);
    observed().measured(shares.metrics());
    observed().checked(shares.checks());
    writeTimeSeries(totals, from);
    return totals;
  }

  /** How busy each machine was, and the busiest. */
  private void observe(List<TrialMachine> machines) {
    for (TrialMachine machine : machines) {
      Optional<MachineLoad> load = MachineLoad.of(machine, settings());
      if (load.isPresent() && machine.host().isPresent()) {
        observed().measured(load.get().metrics(Metric.MACHINE + machine.host().get() + "."));
      }
    }
    MachineLoad.busiest(machines, settings())
        .ifPresent(
            load -> {
              observed().measured(load.metrics(Metric.MACHINE));
              observed().checked(List.of(load.check()));
            });
  }

  /** Seconds for which quotas stopped each living process that has one, so far. */
  private Map<ManagedProcess, Double> throttled() {
    Map<ManagedProcess, Double> all = new HashMap<>();
    cluster().everyone().stream()
        .filter(ManagedProcess::alive)
        .forEach(process -> process.throttledSeconds().ifPresent(now -> all.put(process, now)));
    return all;
  }

  private List<Answer.Finished> finish() {
    return fromAll(
        new Command.Finish(),
        Answer.Finished.class,
        Timeouts.finish(request().spec().job(), settings()));
  }

  private <A extends Answer> List<A> fromAll(Command command, Class<A> kind, Duration timeout) {
    return ManagedProcess.requestAll(cluster().agents(), i -> command, kind, timeout);
  }

  /** Totals of the agents, whose answers may be garbage, which is no reason to end the run. */
  private static LoadTotals totals(List<Answer.Finished> agents, boolean once) {
    try {
      return LoadTotals.of(agents, once);
    } catch (RuntimeException unreadable) {
      throw WorkerException.refused("coordinator.latencies-unreadable", unreadable);
    }
  }

  @Override
  protected Verification verify() {
    List<Evidence> said =
        fromAll(new Command.Verify(), Answer.Verified.class, Timeouts.ofRecords(settings()))
            .stream()
            .map(Answer.Verified::evidence)
            .toList();
    observeStored(stored(said.get(0)));
    return Verifier.verify(said, observed()::measured);
  }

  private void observeStored(long records) {
    if (request().spec().job() == Job.WRITE && records > 0) {
      observed().measured(Metric.DISTINCT_KEYS, Metric.neutral((double) records, "keys"));
    }
    DemandMetrics.stored(storedEmpty, storedBefore, storedAfter, records)
        .ifPresent(bytes -> observed().measured(Metric.MEMORY, bytes));
    DemandMetrics.memory(heapBefore, heapAfter, records)
        .ifPresent(bytes -> observed().measured(Metric.HEAP_MEMORY, bytes));
  }

  /** By the agent that read everything back; what was filled in where nothing is written. */
  private long stored(Evidence creators) {
    if (creators instanceof SharedKeys keys && keys.left().isPresent()) {
      return keys.left().get();
    }
    if (request().spec().job() != Job.WRITE) {
      return settings().get(CoreSettings.RECORDS);
    }
    return creators instanceof Evidence.Contents contents
        ? contents.found().map(ContentDigest::count).orElse(0L)
        : 0;
  }

  @Override
  protected void tearDown() {
    List<ManagedProcess> agents = cluster().agents();
    for (List<ManagedProcess> some :
        List.of(agents.subList(1, agents.size()), agents.subList(0, 1))) {
      ManagedProcess.requestAll(
          some, i -> new Command.TearDown(), Answer.Done.class, Timeouts.TEAR_DOWN);
    }
  }

  /** Returns when the measured part is over, all of whose windows count from one begin. */
  private void awaitLoad(NetworkPartition partition, ServerEvent event) {
    double measure = settings().get(CoreSettings.MEASURE);
    double most = Math.max(MAX_WINDOWS * measure, MAX_SECONDS);
    double end = measure;
    long from = time().nanoTime();
    for (double since = 0; once ? !samples().ended() : since < end; ) {
      partition.at(since);
      event.at(since);
      event.gone().ifPresent(this::killed);
      pause();
      since = time().secondsSince(from);
      if (once && samples().idleSeconds() > settings().get(CoreSettings.DRAIN_TIMEOUT)) {
        throw WorkerException.refused("coordinator.nothing-written", samples().idleSeconds());
      }
      while (since >= end && end < most && samples().sumFrom(observed().measuredFrom()) == 0) {
        end = Math.min(end + measure, most);
      }
    }
  }

  static final class Runner implements TrialRunner {

    @Override
    public TrialRecord run(Request request) {
      return new LoadTrial(request).run();
    }

    @Override
    public double warmUp(Request request, double seconds) {
      return new LoadTrial(request).warmUpOnly(seconds);
    }
  }
}
