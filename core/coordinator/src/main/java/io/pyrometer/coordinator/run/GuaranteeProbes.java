package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Journal;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TuningRun;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes the guarantee probes that an experiment asks for, each once a run for every treatment that
 * writes, when the trials of its group are done. Treatments that differ in rate and times alone
 * share one.
 */
final class GuaranteeProbes {
  private static final long ORDER_KEYS = 2_000;
  private static final long READ_KEYS = 200;
  private static final long KILL_KEYS = 50_000;

  /** So many that few are written twice while a server stops. */
  private static final long STOP_KEYS = 300_000;

  private static final double MOST_ORDER_SECONDS = 0.8;
  private static final double READ_SECONDS = 1.5;
  private static final double MOST_SECONDS_OF_END = 60;
  private static final Duration BEFORE_END = Duration.ofMillis(1_500);

  private final RunContext context;
  private final Journal journal;
  private final List<TrialRecord> trials;
  private final TimeForecast forecast;
  private final Consumer<Due> started;
  private final List<ProbeResult> made;

  /**
   * @param started is told of each probe before it is made
   */
  GuaranteeProbes(
      RunContext context,
      Journal journal,
      List<TrialRecord> trials,
      TimeForecast forecast,
      Consumer<Due> started) {
    this.context = context;
    this.journal = journal;
    this.trials = trials;
    this.forecast = forecast;
    this.started = started;
    this.made = new ArrayList<>(context.folder().probes());
  }

  record Due(TrialSpec spec, ProbeKind kind) {
    /** Equal where one probe holds for several treatments. */
    List<Object> shared() {
      return List.of(kind, spec.probed(), spec.record());
    }
  }

  /**
   * The probes of a group's treatments that were not made yet, those that need a whole grid first.
   */
  List<Due> due(Group group) {
    return List.copyOf(shared(open(group).filter(due -> works(due.spec()))).values());
  }

  /** Returns whether probes of the group may be due once its trials are done. */
  boolean maybe(Group group) {
    return open(group).findAny().isPresent();
  }

  /** The probes of the whole run that were not made yet. */
  List<ProbeKind> left() {
    return shared(context.plan().groups().stream().flatMap(this::open)).values().stream()
        .map(Due::kind)
        .toList();
  }

  private static Map<List<Object>, Due> shared(Stream<Due> all) {
    Map<List<Object>, Due> first = new LinkedHashMap<>();
    all.forEach(due -> first.putIfAbsent(due.shared(), due));
    return first;
  }

  private Stream<Due> open(Group group) {
    return Stream.of(ProbeKind.values())
        .filter(kind -> context.plan().experiment().probes().contains(kind))
        .flatMap(kind -> group.trials().stream().map(spec -> new Due(spec, kind)))
        .filter(this::isOpen);
  }

  private boolean isOpen(Due due) {
    TrialSpec spec = due.spec();
    // Old records cannot be detected if all records are equal.
    return spec.job().isProbed()
        && TuningRun.isProbed(context.plan(), spec)
        && spec.settings().find(CoreSettings.DISTINCT_RECORDS).orElse(2) > 1
        && made.stream()
            .noneMatch(it -> it.probe() == due.kind() && it.levels().equals(spec.levels()));
  }

  /** A path without a single completed trial would hang or fail in its probe as well. */
  private boolean works(TrialSpec spec) {
    return trials.stream()
        .anyMatch(t -> t.levels().equals(spec.levels()) && t.outcome() != Outcome.FAILED);
  }

  /**
   * Makes probes until none is left, or until the end of a server or a failure has made the grid
   * unusable.
   */
  void make(Cluster cluster, Group group) {
    for (Due due : due(group)) {
      if (!cluster.isComplete()) {
        return;
      }
      started.accept(due);
      Optional<String> why = Optional.empty();
      Optional<ProbeCounts> found = Optional.empty();
      try {
        found = Optional.of(probe(cluster, due));
      } catch (WorkerException failure) {
        Timeouts.letShutdownComeFirst(context.time());
        why = Optional.of(failure.sentence());
      }
      record(group, due, why, found);
      forecast.learn(due.kind());
      if (why.isPresent()) {
        return;
      }
    }
  }

  /** A node is missing from the cluster afterwards if the probe ended it. */
  private ProbeCounts probe(Cluster cluster, Due due) {
    ManagedProcess agent = cluster.agents().get(0);
    boolean ends = due.kind().endsServer();
    if (ends && cluster.nodes().size() < 2) {
      throw WorkerException.refused("coordinator.single-node");
    }
    agent.request(begin(due), Answer.Done.class, Timeouts.PREPARE);
    if (ends) {
      endOne(due.kind(), cluster, agent);
    }
    Duration limit = Timeouts.probe(due.spec().settings());
    return agent.request(new Command.EndProbe(), Answer.Probed.class, limit).found();
  }

  /**
   * The last, because some clients hold to the first; then waits as long as clients of the product
   * may need to continue.
   */
  private void endOne(ProbeKind how, Cluster cluster, ManagedProcess agent) {
    context.time().sleep(BEFORE_END);
    agent.request(new Command.Measure(), Answer.Done.class, Timeouts.QUICK);
    List<ManagedProcess> nodes = cluster.nodes();
    ManagedProcess last = nodes.get(nodes.size() - 1);
    if (how == ProbeKind.STOP) {
      last.stop(Timeouts.STOP);
      last.awaitEnd(Timeouts.STOP);
      agent.request(new Command.Measure(), Answer.Done.class, Timeouts.QUICK);
    } else {
      last.kill();
    }
    double failOver = cluster.spec().driver().servers().failOverSeconds();
    context.time().sleep(Duration.ofMillis((long) (1_000 * failOver)));
  }

  /** The command that begins a probe with the keys and the time that its kind needs. */
  private Command begin(Due due) {
    double half = due.spec().settings().get(CoreSettings.MEASURE) / 2;
    return switch (due.kind()) {
      case ORDER -> begin(due, ORDER_KEYS, Math.min(MOST_ORDER_SECONDS, half));
      case READ -> begin(due, Math.max(READ_KEYS, recordsInFlight(due.spec())), READ_SECONDS);
      case KILL -> begin(due, KILL_KEYS, MOST_SECONDS_OF_END);
      case STOP -> begin(due, STOP_KEYS, MOST_SECONDS_OF_END);
    };
  }

  private static Command begin(Due due, long keys, double seconds) {
    TrialSpec spec = due.spec();
    TrialSpec probe =
        spec.as(
            "probe-%s-%s".formatted(due.kind().id(), spec.id()),
            spec.settings().with(CoreSettings.RECORDS, keys));
    return new Command.BeginProbe(due.kind(), probe, seconds);
  }

  /**
   * As many keys as records may be in flight at once. With fewer keys each would have many versions
   * in flight, more than there are different records to tell them apart.
   */
  private long recordsInFlight(TrialSpec spec) {
    Settings settings =
        context.plan().driver(spec.settings()).complete(spec.path(), spec.settings());
    long inFlight = settings.get(CoreSettings.THREADS);
    for (SettingKey<Integer> each : List.of(PathSettings.BATCH, PathSettings.IN_FLIGHT)) {
      inFlight *= settings.has(each) ? settings.get(each) : 1;
    }
    return Math.min(inFlight, settings.get(CoreSettings.RECORDS));
  }

  void giveUp(Group group, String why) {
    due(group).forEach(due -> record(group, due, Optional.of(why), Optional.empty()));
  }

  /** One line for each treatment that the probe holds for. */
  private void record(Group group, Due due, Optional<String> why, Optional<ProbeCounts> found) {
    for (Due each : open(group).filter(o -> o.shared().equals(due.shared())).toList()) {
      ProbeResult result =
          new ProbeResult(
              each.kind(),
              ProbeResult.SCHEMA,
              each.spec().levels(),
              each.spec().path(),
              context.time().now().toString(),
              why,
              found);
      made.add(result);
      if (journal.append(result) && each.equals(due)) {
        context.progress().probe(result);
      }
    }
  }
}
