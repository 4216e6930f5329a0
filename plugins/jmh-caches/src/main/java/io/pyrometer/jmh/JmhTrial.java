package io.pyrometer.jmh;

import io.pyrometer.coordinator.machine.MachineWatch;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.coordinator.trial.TrialRunner;
import io.pyrometer.jmh.JmhProcess.Benchmarked;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.journal.TrialRecord.Counts;
import io.pyrometer.journal.TrialRecord.Identity;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.journal.TrialRecord.WarmUp;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One attempt at a benchmark: the agent runs it under JMH in a JVM of its own, and the record is
 * made of JMH's result file and of the report that this JVM leaves.
 */
final class JmhTrial {
  private static final Duration TICK = Duration.ofMillis(100);

  /** The kind of artefact that JMH's own result file is. */
  private static final String JMH_RESULT = "jmh-result";

  private static final String RESULT_FILE = "jmh.json";

  /**
   * JMH lets an iteration end late, fills before and verifies after; a product over a network fills
   * slowly.
   */
  private static final double TIMES_OF_MEASURED = 3;

  private static final double LONGEST_REST_SECONDS = 600;

  private final TrialRunner.Request request;
  private final Cluster cluster;
  private final TrialSpec spec;
  private final Time time;
  private final String started;
  private final Map<String, Metric> metrics = new TreeMap<>();
  private final Map<String, String> configuration = new TreeMap<>();
  private final List<Artefact> artefacts = new ArrayList<>();
  private final List<Check> checks = new ArrayList<>();
  private double usedSeconds;

  JmhTrial(TrialRunner.Request request) {
    this.request = request;
    this.cluster = request.cluster();
    this.spec = request.spec();
    this.time = request.time();
    this.started = time.now().toString();
  }

  TrialRecord run() {
    long begun = time.nanoTime();
    try {
      MachineReading machine = request.machine().get();
      cluster.limit(spec.settings());
      ProcessUsage before = cluster.usage();
      Benchmarked answer = benchmark();
      usedSeconds = time.secondsSince(begun);
      ProcessUsage used = cluster.usage().since(before);
      cluster.unlimit();
      JmhResult result = JmhResult.of(answer.jmh());
      BenchmarkReport report = answer.report();
      checks.addAll(
          MachineWatch.checks(
              request.machine().get().since(machine),
              used.cpuSeconds() + report.cpuSeconds(),
              false));
      keep(answer.jmh());
      return ended(result, report, used);
    } catch (WorkerException failure) {
      Timeouts.letShutdownComeFirst(time);
      usedSeconds = time.secondsSince(begun);
      return record(
          new Result(
              Outcome.FAILED,
              Optional.of("The benchmark failed: " + failure.cause(cluster::requireAllAlive)),
              Optional.empty()),
          Counts.NONE,
          "not measured");
    }
  }

  private Benchmarked benchmark() {
    ManagedProcess agent = cluster.agents().get(0);
    Command command =
        Command.OfKind.of(
            Benchmark.JOB,
            JmhProcess.RUN,
            new BenchmarkSpec(
                spec,
                cluster.peers(),
                cluster.clients(),
                Path.of(cluster.spec().workFolder(agent)).resolve(spec.id()).toString()));
    CompletableFuture<Answer> answer = agent.send(command);
    long begun = time.nanoTime();
    double limit = limitSeconds();
    while (!answer.isDone() && time.secondsSince(begun) < limit) {
      request.phaseAndRate().accept("JMH", 0.0);
      time.sleep(TICK);
      cluster.requireAllAlive();
    }
    return agent
        .await(
            answer, Answer.OfKind.class, "the benchmark", Duration.ofMillis((long) (limit * 1e3)))
        .as(Benchmarked.class);
  }

  private double limitSeconds() {
    return LONGEST_REST_SECONDS
        + spec.settings().get(CoreSettings.DRAIN_TIMEOUT)
        + TIMES_OF_MEASURED
            * (spec.settings().get(CoreSettings.WARM_UP)
                + spec.settings().get(CoreSettings.MEASURE));
  }

  private void keep(String json) {
    String name = RunFolder.artefact(spec.id(), request.attempt(), "/" + RESULT_FILE);
    Path file = request.folder().file(name);
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, json);
      artefacts.add(new Artefact(JMH_RESULT, "", name));
    } catch (IOException failure) {
      throw RunException.of(
          Messages.format("jmh.result-unwritable"), file, failure.getMessage(), failure);
    }
  }

  private TrialRecord ended(JmhResult result, BenchmarkReport report, ProcessUsage used) {
    boolean ok = report.problems().isEmpty();
    configuration.putAll(cluster.facts());
    configuration.putAll(report.configuration());
    metrics.putAll(result.metrics(report.recordsPerOperation()));
    report.readings().forEach(reading -> metrics.put(reading.name(), Metric.of(reading)));
    if (!ok) {
      metrics.remove(Metric.THROUGHPUT);
    }
    used.byProcess()
        .forEach(
            (process, of) ->
                metrics.put(Metric.CPU_SECONDS_OF + process, Metric.neutral(of.cpuSeconds(), "s")));
    metrics.put(Metric.CPU_SECONDS_OF + "fork", Metric.neutral(report.cpuSeconds(), "s"));
    if (!used.nodes().isEmpty()) {
      // The servers' share of it is not known for the measured iterations alone.
      metrics.remove(Metric.CPU);
    }
    double rate = result.recordsPerSecond(report.recordsPerOperation());
    double seconds = result.measuredSeconds();
    return record(
        new Result(
            ok ? Outcome.OK : Outcome.WRONG,
            ok ? Optional.empty() : Optional.of(String.join(" ", report.problems())),
            Optional.of(new Verification(ok, report.expected(), report.found()))),
        new Counts(seconds, Math.round(rate * seconds), result.calls(), 0, List.of()),
        result.iterations());
  }

  private TrialRecord record(Result result, Counts counts, String warmUp) {
    double measured = Math.min(counts.seconds(), usedSeconds);
    boolean hasWarmUp = spec.settings().get(BenchmarkSettings.WARM_UP_ITERATIONS) > 0;
    double warm =
        hasWarmUp ? Math.min(spec.settings().get(CoreSettings.WARM_UP), usedSeconds - measured) : 0;
    return new TrialRecord(
        TrialRecord.SCHEMA,
        Identity.of(spec, request.attempt()),
        started,
        result,
        new Timeline(
            new Phases(usedSeconds - measured - warm, warm, measured, 0, 0),
            new WarmUp(true, warm, warmUp),
            List.of(),
            0),
        counts,
        metrics,
        artefacts,
        checks,
        configuration,
        Map.of());
  }

  /** Runs trials that are benchmarks under JMH, each in a JVM that JMH forks for it. */
  public static final class Runner implements KindRunner {

    @Override
    public Job job() {
      return Benchmark.JOB;
    }

    @Override
    public TrialRecord run(Request request) {
      return new JmhTrial(request).run();
    }

    /** Does nothing: each benchmark has a fresh JVM, which JMH warms up. */
    @Override
    public double warmUp(Request request, double seconds) {
      return 0;
    }
  }
}
