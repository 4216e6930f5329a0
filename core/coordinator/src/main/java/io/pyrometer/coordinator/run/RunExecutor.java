package io.pyrometer.coordinator.run;

import io.pyrometer.analysis.Figures;
import io.pyrometer.coordinator.plan.TrialSource;
import io.pyrometer.coordinator.telemetry.Telemetry;
import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.ClusterSpec;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.trial.CommonWarmUp;
import io.pyrometer.coordinator.trial.GeneratorCeiling;
import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.coordinator.trial.TrialRunner;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Carries a planned run out from wherever its journal stands. A trial whose process dies is
 * recorded as failed, its group gets fresh processes, and the run goes on.
 */
public final class RunExecutor {
  /** Beginning of the reason of a trial whose processes did not start. */
  private static final String NOT_STARTED = "The grid did not start: ";

  private static final int MAX_FAILED_STARTS = 2;

  private static final int MAX_STARTS_PER_TRIAL = 10;

  /** In which the CPU time of servers without load is read, once for each start of processes. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final RunContext context;
  private final Journal journal;
  private final ProcessLauncher launcher;
  private final TrialSource source;
  private final GuaranteeProbes probes;
  private final ProfiledTrials profiles;
  private final TimeForecast forecast;
  private final List<TrialRecord> finished;
  private GeneratorCeiling ceiling = GeneratorCeiling.UNKNOWN;
  private Optional<PreparedHosts> hosts = Optional.empty();

  /** The servers of a grid that the run attaches to, which must be as many in all trials. */
  private Optional<Integer> attachedServers = Optional.empty();

  private int starts;
  private boolean started;
  private int givenUp;
  private int position;

  private RunExecutor(RunContext context, Journal journal, ProcessLauncher launcher) {
    this.context = context;
    this.journal = journal;
    this.launcher = launcher;
    this.source = context.source();
    this.finished = new ArrayList<>(context.folder().trials());
    this.forecast = new TimeForecast(context.time());
    this.profiles = new ProfiledTrials(context, this::profiled);
    this.probes =
        new GuaranteeProbes(
            context,
            journal,
            finished,
            forecast,
            due ->
                told(Labels.of(due.spec()), due.spec().block(), 0, forecast.expected(due.kind()))
                    .accept("probe " + due.kind().id(), 0.0));
    // Keeps the logs of a resumed run apart from those before.
    this.starts = MAX_STARTS_PER_TRIAL * finished.size();
  }

  /**
   * Returns when every trial is in the journal.
   *
   * @return every attempt of the run in the order they were made
   * @throws io.pyrometer.journal.RunException if the journal cannot be written
   */
  public static List<TrialRecord> run(RunContext context) {
    try (Journal journal = Journal.open(context.folder().journal());
        ProcessLauncher launcher = context.launcher().apply(journal::close)) {
      RunExecutor executor = new RunExecutor(context, journal, launcher);
      WorkFolders.delete(context.folder().file("work")); // of a run that was killed
      try {
        executor.runTrialsAndProbes();
      } finally {
        executor.hosts.ifPresent(PreparedHosts::close);
      }
      return List.copyOf(executor.finished);
    }
  }

  private void runTrialsAndProbes() {
    Optional<Group> next = source.next(finished);
    if (next.isPresent()) {
      ceiling = ceiling(next.get());
      forecast.begin();
      next = source.next(finished);
    }
    while (next.isPresent() && !launcher.ending()) {
      Group group = next.get();
      runGroup(group);
      next = source.next(finished);
      if (next.isEmpty() || next.get().block() != group.block()) {
        context.progress().block(group.block(), List.copyOf(finished));
        next.ifPresent(more -> requireSomeStart());
      }
    }
    // A run that was stopped between its trials and its probes owes the probes alone.
    for (Group group : context.plan().groups()) {
      if (Attempts.due(group, finished).isEmpty() && !launcher.ending()) {
        runGroup(group);
      }
    }
  }

  private PreparedHosts hosts() {
    if (hosts.isEmpty()) {
      hosts =
          Optional.of(
              PreparedHosts.of(context.plan(), context.distribution(), context.namespaces()));
      if (hosts.get().namespaces().isPresent()) {
        context.progress().note("Processes in namespaces, %s.".formatted(Namespaces.LINKS));
      }
    }
    return hosts.get();
  }

  /** Measured once a run: the load generator's limit does not depend on the treatment. */
  private GeneratorCeiling ceiling(Group group) {
    if (Files.exists(context.folder().file("generator.json"))) {
      return context.folder().read("generator.json", GeneratorCeiling.class);
    }
    if (context.plan().trials().stream().noneMatch(trial -> trial.job().isLoad())
        || context.plan().drivers().containsKey(GeneratorCeiling.NULL_DRIVER)) {
      return GeneratorCeiling.UNKNOWN;
    }
    Optional<GeneratorCeiling> measured =
        context.distribution().drivers().stream()
            .filter(driver -> driver.name().equals(GeneratorCeiling.NULL_DRIVER))
            .findFirst()
            .map(nullDriver -> measureCeiling(group, nullDriver));
    measured.ifPresent(ceiling -> context.folder().write("generator.json", ceiling));
    return measured.orElse(GeneratorCeiling.UNKNOWN);
  }

  private GeneratorCeiling measureCeiling(Group group, DriverDescription nullDriver) {
    BiConsumer<String, Double> told = told("the load generator alone", 0, 0, 0);
    PlannedRun plan = context.plan().on(nullDriver);
    ClusterSpec spec =
        new ClusterSpec(
            launcher,
            PreparedHosts.thisMachine(plan, context.distribution()),
            plan,
            context.folder(),
            group
                .settings()
                .with(CoreSettings.NODES, 0)
                .with(CoreSettings.DRIVER, GeneratorCeiling.NULL_DRIVER),
            List.of(),
            false,
            List.of(),
            Optional.empty(),
            "generator");
    try (Cluster cluster = Cluster.start(spec)) {
      return GeneratorCeiling.measure(
          context.plan().trials(),
          nullDriver,
          trial -> KindRunner.of(trial.job()).run(request(cluster, trial, told)),
          context.progress()::note);
    } catch (WorkerException failure) {
      context.progress().note(Messages.format("coordinator.ceiling", failure.sentence()));
      return GeneratorCeiling.UNKNOWN;
    }
  }

  private void runGroup(Group group) {
    TrialQueue queue = new TrialQueue(group);
    if (queue.isEmpty() && probes.due(group).isEmpty()) {
      return;
    }
    Optional<String> tooLarge = RunPreparation.memoryShortage(context.plan(), group, hosts());
    if (tooLarge.isPresent()) {
      queue.recordFailedStart(tooLarge.get(), true);
      probes.giveUp(group, tooLarge.get());
    }
    int failedStarts = 0;
    while (!(queue.isEmpty() && probes.due(group).isEmpty()) && !launcher.ending()) {
      try (Cluster cluster = start(group)) {
        requireAttachedServers(cluster);
        warmUp(cluster, group, queue);
        cluster.measureIdleUsage(IDLE, context.time());
        failedStarts = 0;
        started = true;
        forecast.learnStart(group);
        boolean usedAfterwards =
            attached() || probes.maybe(group) || !profiles.due(group).isEmpty();
        trials(cluster, queue, usedAfterwards);
        requireAttachedServers(cluster);
        if (queue.isEmpty() && !launcher.ending()) {
          profiles.make(cluster, group);
          probes.make(cluster, group);
          requireAttachedServers(cluster);
        }
      } catch (CommonWarmUp.Failure failure) {
        forecast.learnFailedStart(group);
        Timeouts.letShutdownComeFirst(context.time());
        queue.recordFailedWarmUp(failure);
      } catch (WorkerException failure) {
        forecast.learnFailedStart(group);
        failedStarts++;
        boolean giveUp = failedStarts >= MAX_FAILED_STARTS;
        if (attachedServers.isPresent()) {
          if (giveUp) {
            throw attachedGrid("cannot be used any more (%s)".formatted(failure.sentence()));
          }
          continue;
        }
        givenUp += giveUp ? 1 : 0;
        queue.recordFailedStart(failure.sentence(), giveUp);
        if (giveUp && queue.isEmpty()) {
          probes.giveUp(group, failure.sentence());
        }
      }
    }
  }

  /**
   * Stops a run of which no process has started yet when a block is over and at least two groups
   * were given up: the next block would be the same.
   */
  private void requireSomeStart() {
    boolean none = finished.stream().allMatch(trial -> trial.outcome() == Outcome.FAILED);
    if (!started && none && givenUp >= MAX_FAILED_STARTS && !launcher.ending()) {
      String why = finished.get(finished.size() - 1).why().orElse("");
      throw RunException.of(
          Messages.format("coordinator.no-start"),
          why.replaceFirst("^" + NOT_STARTED, ""),
          context.folder().path());
    }
  }

  /** Stops the run if the grid that it attaches to has lost or got servers since it began. */
  private void requireAttachedServers(Cluster cluster) {
    if (!attached() || launcher.ending()) {
      return;
    }
    Optional<Integer> now = cluster.countServers();
    if (now.isPresent() && attachedServers.isEmpty()) {
      attachedServers =
          finished.stream()
              .flatMap(it -> Stream.ofNullable(it.configuration().get(Answer.Prepared.SERVERS)))
              .findFirst()
              .map(Integer::valueOf)
              .or(() -> now);
    }
    if (now.isPresent() && !now.equals(attachedServers)) {
      throw attachedGrid(
          "has %s instead of %d"
              .formatted(Figures.count(now.get(), "server"), attachedServers.orElseThrow()));
    }
  }

  private RunException attachedGrid(String why) {
    return RunException.of(Messages.format("coordinator.grid-lost"), why, context.folder().path());
  }

  private boolean attached() {
    return context.plan().testbed().attach().isPresent();
  }

  private void warmUp(Cluster cluster, Group group, TrialQueue queue) throws CommonWarmUp.Failure {
    BiConsumer<String, Double> told = told(group);
    CommonWarmUp.over(
        context.plan().driver(group.settings()),
        // Repeated ones included: their code is cold in fresh processes.
        queue.due().stream().map(Attempts.Due::spec).toList(),
        attached(),
        group.commonWarmUp(),
        (trial, seconds) -> {
          BiConsumer<String, Double> ofPath =
              (phase, rate) -> told.accept("warm-up of " + trial.path(), rate);
          return KindRunner.of(trial.job()).warmUp(request(cluster, trial, ofPath), seconds);
        },
        context.time());
  }

  private Cluster start(Group group) {
    told(group).accept("process start", 0.0);
    starts++;
    position = 0;
    return Cluster.start(
        new ClusterSpec(
            launcher,
            hosts(),
            context.plan(),
            context.folder(),
            RunPreparation.withLargestQuotas(group),
            context.plan().classesBefore(group),
            RunPreparation.relayed(group),
            Telemetry.of(group.settings()).jvmFlags(),
            group.kind(),
            "block-%d-start-%d".formatted(group.block() + 1, starts)));
  }

  private BiConsumer<String, Double> told(Group group) {
    return told("block " + (group.block() + 1), group.block(), 0, forecast.expected(group));
  }

  /**
   * @param usedAfterwards whether the cluster is used after the last trial
   */
  private void trials(Cluster cluster, TrialQueue queue, boolean usedAfterwards) {
    while (!queue.isEmpty() && cluster.isComplete()) {
      Attempts.Due attempt = queue.due().get(0); // owed until it is recorded
      TrialSpec spec = attempt.spec();
      boolean again = attempt.attempt() > 1;
      BiConsumer<String, Double> told =
          told(
              Labels.of(spec) + (again ? ", attempt " + attempt.attempt() : ""),
              spec.block(),
              spec.ordinal() + 1,
              again ? 0 : forecast.expected(spec));
      Predicate<TrialRecord> used = made -> usedAfterwards || queue.goesOnAfter(made);
      TrialRecord record = KindRunner.of(spec.job()).run(request(cluster, attempt, told, used));
      position++;
      forecast.learn(spec, record);
      queue.append(record.madeOn(new TrialRecord.ProcessStart(starts, position)));
      if (queue.needsFreshProcessesAfter(record)) {
        return;
      }
    }
  }

  private TrialRecord profiled(Cluster cluster, TrialSpec spec) {
    return KindRunner.of(spec.job())
        .run(request(cluster, spec, told(Labels.of(spec) + ", profiled", spec.block(), 0, 0)));
  }

  private TrialRunner.Request request(
      Cluster cluster, TrialSpec trial, BiConsumer<String, Double> told) {
    return request(cluster, new Attempts.Due(trial, 1), told, record -> true);
  }

  private TrialRunner.Request request(
      Cluster cluster,
      Attempts.Due attempt,
      BiConsumer<String, Double> told,
      Predicate<TrialRecord> clusterUsedAgain) {
    return new TrialRunner.Request(
        cluster,
        attempt.spec(),
        attempt.attempt(),
        context.folder(),
        ceiling.of(attempt.spec()),
        cluster.nodes().isEmpty() ? attachedServers : Optional.of(cluster.nodes().size()),
        context.time(),
        context.machine(),
        clusterUsedAgain,
        told);
  }

  /**
   * @param trial its number in the plan, from 1; 0 where none is made
   */
  private BiConsumer<String, Double> told(
      String what, int block, int trial, double expectedSeconds) {
    int total = context.plan().trials().size();
    int done = (int) finished.stream().map(TrialRecord::id).distinct().count();
    DoubleSupplier left =
        forecast.left(
            context.plan(),
            finished,
            probes.left(),
            expectedSeconds,
            !Attempts.repeatingIsFutile(finished));
    Progress to = context.progress();
    return (phase, rate) ->
        to.now(new Progress.Now(done, total, trial, block, what, phase, rate, left.getAsDouble()));
  }

  /**
   * The attempts that one group still owes, and what becomes of each. What is owed follows from the
   * history alone, so a resumed run owes the same.
   */
  private final class TrialQueue {
    private final Group group;
    private boolean closed;

    TrialQueue(Group group) {
      this.group = group;
    }

    List<Attempts.Due> due() {
      return closed ? List.of() : Attempts.due(group, finished);
    }

    boolean isEmpty() {
      return due().isEmpty();
    }

    /**
     * Returns whether an attempt on the same processes follows one whose record is not in the
     * journal yet.
     */
    boolean goesOnAfter(TrialRecord record) {
      if (needsFreshProcessesAfter(record)) {
        return false;
      }
      List<TrialRecord> then = new ArrayList<>(finished);
      then.add(record);
      return !Attempts.due(group, then).isEmpty();
    }

    /** A repeat begins as its first attempt did; after a failure the processes are in doubt. */
    boolean needsFreshProcessesAfter(TrialRecord record) {
      return Attempts.isAlone(group) || record.outcome() == TrialRecord.Outcome.FAILED;
    }

    /** Takes a record into the journal; if that is closed already, the run ends. */
    void append(TrialRecord record) {
      if (!journal.append(record)) {
        closed = true;
        return;
      }
      boolean futileBefore = Attempts.repeatingIsFutile(finished);
      finished.add(record);
      context.progress().trial(record);
      if (Attempts.repeatingIsFutile(finished) && !futileBefore) {
        context.progress().note(Messages.format("coordinator.always-disturbed"));
      }
    }

    /**
     * The processes did not start: the next trial has failed.
     *
     * @param giveUp whether they are not tried again, so that all trials have failed for good
     */
    void recordFailedStart(String why, boolean giveUp) {
      for (Attempts.Due attempt : giveUp ? due() : due().stream().limit(1).toList()) {
        notBegun(attempt.spec(), giveUp ? 2 : attempt.attempt(), NOT_STARTED + why);
      }
    }

    /** The trials of the path at fault have failed; the others are made on fresh processes. */
    void recordFailedWarmUp(CommonWarmUp.Failure failure) {
      for (Attempts.Due attempt : due()) {
        if (attempt.spec().path().equals(failure.path())) {
          String why = "The common warm-up failed: " + failure.getMessage();
          notBegun(attempt.spec(), attempt.attempt(), why);
        }
      }
    }

    private void notBegun(TrialSpec spec, int attempt, String why) {
      append(TrialRecord.notBegun(spec, attempt, context.time().now().toString(), why));
    }
  }
}
