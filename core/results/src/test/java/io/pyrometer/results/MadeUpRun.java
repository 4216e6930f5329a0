package io.pyrometer.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.plan.Plan;
import io.pyrometer.experiment.plan.Planner;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Environment;
import io.pyrometer.journal.Interleaving;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Counts;
import io.pyrometer.journal.TrialRecord.Identity;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.journal.TrialRecord.Result;
import io.pyrometer.journal.TrialRecord.Timeline;
import io.pyrometer.journal.TrialRecord.WarmUp;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.results.analyses.Analysis;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A run's folder whose trials nobody measured: throughput comes from a function. */
public final class MadeUpRun {
  /** Of the machine. */
  public static final int CORES = 2;

  private PlannedRun plan;
  private final Random random;
  private String cpu = "Test CPU";
  private Instant begun = Instant.parse("2026-11-20T10:00:00Z");
  private double noise = 0.01;
  private boolean p99 = true;
  private BiConsumer<TrialSpec, Map<String, Metric>> change = (trial, metrics) -> {};
  private Function<TrialSpec, List<Check>> validity = trial -> List.of();
  private ToLongFunction<TrialSpec> calls = trial -> 2500;
  private List<Long> samples = List.of(10L, 20L, 30L);

  private MadeUpRun(PlannedRun plan) {
    this.plan = plan;
    this.random = new Random(plan.seed() * 31 + plan.trials().size());
  }

  /**
   * An experiment's file.
   *
   * @param grid the settings in its braces, as those of the workload
   * @param tail further lines
   */
  public static String file(String name, String grid, String workload, String tail) {
    return "pyrometer: 1\nname: "
        + name
        + "\nquestion: Which?\ngrid: {"
        + grid
        + "}\nworkload: {"
        + workload
        + "}\n"
        + tail;
  }

  /** Variant of 1,000 records in the driver that has everything. */
  public static String file(String name, String tail) {
    return file(name, "driver: rich", "record: stock-order, records: 1000", tail);
  }

  /** The analysis of this name. */
  public static Analysis analysis(String id) {
    return (Analysis) AnalysisDeclaration.find(id).orElseThrow();
  }

  /** Of an experiment on the drivers of {@link Fixture}. */
  public static MadeUpRun read(String experiment) {
    return of(Fixture.read(experiment), Fixture.CATALOGUE);
  }

  public static MadeUpRun of(Experiment experiment, Catalogue catalogue) {
    return of(Planner.plan(experiment, catalogue), catalogue);
  }

  public static MadeUpRun of(Plan plan, Catalogue catalogue) {
    return of(plan, catalogue, List.of());
  }

  /** With arguments after the experiment's name. */
  public static MadeUpRun of(Plan plan, Catalogue catalogue, List<String> arguments) {
    Experiment experiment = plan.experiment();
    List<String> all = new ArrayList<>(List.of("run", experiment.name() + ".yaml"));
    all.addAll(arguments);
    return new MadeUpRun(PlannedRun.of(plan, catalogue.drivers(), all, List.of(), Map.of()));
  }

  /** The standard deviation of ln throughput of one trial. */
  public MadeUpRun noise(double sd) {
    this.noise = sd;
    return this;
  }

  /** Of trials with too few calls for a p99. */
  public MadeUpRun withoutP99() {
    this.p99 = false;
    return this;
  }

  /** The records of each tenth of a second, of which the first is warm-up. */
  public MadeUpRun timeline(List<Long> tenths) {
    this.samples = List.copyOf(tenths);
    return this;
  }

  public MadeUpRun on(String cpu) {
    this.cpu = cpu;
    return this;
  }

  public MadeUpRun begun(String instant) {
    this.begun = Instant.parse(instant);
    return this;
  }

  public MadeUpRun seed(long seed) {
    random.setSeed(seed);
    return this;
  }

  /** Changes or adds metrics of every valid trial. */
  public MadeUpRun metrics(BiConsumer<TrialSpec, Map<String, Metric>> change) {
    this.change = change;
    return this;
  }

  /** What disturbed or limited a trial. */
  public MadeUpRun validity(Function<TrialSpec, List<Check>> checks) {
    this.validity = checks;
    return this;
  }

  /** How many calls a trial of 2.5 seconds makes. */
  public MadeUpRun calls(ToLongFunction<TrialSpec> count) {
    this.calls = count;
    return this;
  }

  /** As the comparison of the versions that its plan interleaves. */
  public MadeUpRun comparing(Interleaving versions) {
    this.plan = plan.comparing(versions);
    return this;
  }

  /** The trials as they are made, none of which is written. */
  public List<TrialRecord> records(ToDoubleFunction<TrialSpec> throughput) {
    return plan.trials().stream()
        .map(trial -> record(trial, throughput.applyAsDouble(trial)))
        .toList();
  }

  /** The record of one trial, with noise. */
  public TrialRecord record(TrialSpec trial, double throughput) {
    return result(trial, throughput * Math.exp(noise * random.nextGaussian()));
  }

  /** Writes all but the trials that {@code throughput} gives a NaN for; 0 or less is a failure. */
  public RunFolder write(Path runs, ToDoubleFunction<TrialSpec> throughput) {
    RunFolder folder = RunFolder.create(runs, plan.name(), Clock.fixed(begun, ZoneOffset.UTC));
    folder.write("environment.json", environment());
    folder.write("plan.json", plan);
    StringBuilder journal = new StringBuilder();
    for (TrialSpec trial : plan.trials()) {
      double value = throughput.applyAsDouble(trial);
      if (!Double.isNaN(value)) {
        journal.append(line(record(trial, value)));
      }
    }
    folder.writeText("journal.jsonl", journal.toString());
    return folder;
  }

  /** The run that is written. */
  public RunRecord load(Path runs, ToDoubleFunction<TrialSpec> throughput) {
    return RunRecord.load(write(runs, throughput));
  }

  /** The run in a folder, as if its finished trials had come out otherwise. */
  public static RunRecord changed(RunFolder folder, UnaryOperator<TrialRecord> change) {
    RunRecord run = RunRecord.load(folder);
    return of(run, run.finished().stream().map(change).toList());
  }

  /** A run as if these were its finished trials and its probes. */
  public static RunRecord of(RunRecord run, List<TrialRecord> trials, ProbeResult... probes) {
    return new RunRecord(run.folder(), run.plan(), run.environment(), trials, List.of(probes));
  }

  /** The same trial with another throughput. */
  public static TrialRecord withThroughput(TrialRecord trial, double throughput) {
    return plus(trial, Metric.THROUGHPUT, Metric.higherIsBetter(throughput, "records/s"));
  }

  /** The same trial with one more metric. */
  public static TrialRecord plus(TrialRecord trial, String name, Metric metric) {
    return withMetrics(again(trial, trial.attempt()), Map.of(name, metric));
  }

  /** The same trial with further metrics. */
  public static TrialRecord withMetrics(TrialRecord trial, Map<String, Metric> further) {
    Map<String, Metric> metrics = new TreeMap<>(trial.metrics());
    metrics.putAll(further);
    return copy(trial, trial.identity(), trial.result(), trial.timeline(), metrics);
  }

  /** Another attempt at the same trial, which came out the same. */
  public static TrialRecord again(TrialRecord trial, int attempt) {
    return identified(trial, attempt, trial.settings());
  }

  /** The same trial with other settings. */
  public static TrialRecord with(TrialRecord trial, Settings settings) {
    return identified(trial, trial.attempt(), settings);
  }

  private static TrialRecord identified(TrialRecord trial, int attempt, Settings settings) {
    Identity of = trial.identity();
    Identity identity =
        new Identity(
            of.id(),
            of.ordinal(),
            of.block(),
            attempt,
            of.levels(),
            of.job(),
            settings,
            Optional.empty(),
            Optional.empty());
    return copy(trial, identity, trial.result(), trial.timeline(), trial.metrics());
  }

  /** The same trial with another result. */
  public static TrialRecord with(TrialRecord trial, Result result) {
    return copy(trial, trial.identity(), result, trial.timeline(), trial.metrics());
  }

  /** The same trial with the records of other tenths of a second. */
  public static TrialRecord with(TrialRecord trial, List<Long> samples, int measuredFrom) {
    Timeline own = trial.timeline();
    Timeline timeline = new Timeline(own.phases(), own.warmUp(), samples, measuredFrom);
    return copy(trial, trial.identity(), trial.result(), timeline, trial.metrics());
  }

  /** The same trial, whose verification found something else than what should be there. */
  public static TrialRecord wrong(TrialRecord trial, String found) {
    return with(
        trial,
        new Result(
            Outcome.WRONG,
            Optional.of("It is wrong."),
            Optional.of(new TrialRecord.Verification(false, "all", found))));
  }

  /** The same trial with files that were kept of it. */
  public static TrialRecord with(TrialRecord trial, List<TrialRecord.Artefact> artefacts) {
    return copy(trial, artefacts, trial.configuration());
  }

  /** The same trial with another configuration read back. */
  public static TrialRecord with(TrialRecord trial, Map<String, String> configuration) {
    return copy(trial, trial.artefacts(), configuration);
  }

  private static TrialRecord copy(
      TrialRecord trial, List<TrialRecord.Artefact> artefacts, Map<String, String> configuration) {
    return new TrialRecord(
        trial.schema(),
        trial.identity(),
        trial.started(),
        trial.result(),
        trial.timeline(),
        trial.counts(),
        trial.metrics(),
        artefacts,
        trial.validity(),
        configuration,
        trial.latencies());
  }

  private static TrialRecord copy(
      TrialRecord trial,
      Identity identity,
      Result result,
      Timeline timeline,
      Map<String, Metric> metrics) {
    return new TrialRecord(
        trial.schema(),
        identity,
        trial.started(),
        result,
        timeline,
        trial.counts(),
        metrics,
        trial.artefacts(),
        trial.validity(),
        trial.configuration(),
        trial.latencies());
  }

  /** A histogram of the calls of one second, as trials write them. */
  public static Histogram second(String operation, long begunMillis, int second) {
    Histogram histogram = new Histogram(3);
    histogram.setTag(operation);
    histogram.setStartTimeStamp(begunMillis + 1000L * second);
    histogram.setEndTimeStamp(begunMillis + 1000L * (second + 1));
    return histogram;
  }

  /** Writes histograms as the log of a trial whose measured part began at a time. */
  public static void log(Path file, long begunMillis, List<Histogram> histograms)
      throws IOException {
    Files.createDirectories(file.getParent());
    try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      writer.outputBaseTime(begunMillis);
      writer.setBaseTime(begunMillis);
      histograms.forEach(writer::outputIntervalHistogram);
    }
  }

  /** Writes the same CPU profile for every trial: collapsed stacks by process. */
  public static void profile(RunFolder folder, Map<String, String> stacks) {
    List<TrialRecord.Artefact> artefacts = new ArrayList<>();
    stacks.forEach(
        (process, lines) -> {
          String file = "trials/%s-cpu.collapsed".formatted(process);
          folder.writeText(file, lines);
          artefacts.add(new TrialRecord.Artefact("collapsed-stacks", process, file));
        });
    folder.writeText(
        "profiles.jsonl",
        folder.trials().stream()
            .map(trial -> line(with(trial, artefacts)))
            .collect(Collectors.joining()));
  }

  /** Adds a trial to the journal of a run. */
  public static void append(RunFolder folder, TrialRecord trial) {
    try {
      Files.writeString(folder.file("journal.jsonl"), line(trial), StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Not by {@code Journal}, which waits for the disk after each. */
  private static String line(TrialRecord trial) {
    try {
      return Json.LINES.writeValueAsString(trial) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private TrialRecord result(TrialSpec spec, double throughput) {
    boolean right = throughput > 0;
    double micros = 1e6 / Math.max(1, throughput);
    Map<String, Metric> metrics = new TreeMap<>();
    latency(metrics, LatencyStatistic.MEAN, micros);
    latency(metrics, LatencyStatistic.MAX, 9 * micros);
    latency(metrics, LatencyStatistic.P50, 0.9 * micros);
    latency(metrics, LatencyStatistic.P90, 2 * micros);
    if (p99) {
      latency(metrics, LatencyStatistic.P99, 4 * micros);
      latency(metrics, LatencyStatistic.P999, 6 * micros);
    }
    metrics.put(Metric.CPU_SECONDS_OF + "node-0", Metric.neutral(1.0, "s"));
    if (right) {
      metrics.put(Metric.THROUGHPUT, Metric.higherIsBetter(throughput, "records/s"));
      metrics.put(Metric.CPU, Metric.lowerIsBetter(2 * micros, "µs"));
      change.accept(spec, metrics);
    }
    return new TrialRecord(
        TrialRecord.SCHEMA,
        Identity.of(spec, 1),
        "2026-11-20T10:00:00Z",
        new Result(
            right ? Outcome.OK : Outcome.FAILED,
            right ? Optional.empty() : Optional.of("It broke."),
            Optional.empty()),
        new Timeline(new Phases(1, 2, 3, 0, 1), new WarmUp(true, 2, "invented"), samples, 1),
        new Counts(2.5, 2500, calls.applyAsLong(spec), right ? 0 : 2500, List.of()),
        metrics,
        List.of(),
        validity.apply(spec),
        Map.of("backups", "1"),
        Map.of());
  }

  private static void latency(
      Map<String, Metric> metrics, LatencyStatistic statistic, double micros) {
    metrics.put(Metric.latency("call", statistic), Metric.lowerIsBetter(micros, "µs"));
  }

  private Environment environment() {
    return new Environment(
        Environment.SCHEMA,
        cpu,
        CORES,
        CORES,
        24L << 30,
        "Test 12",
        "Linux 6.1",
        "JVM 17",
        Map.of("node", List.of("-Xmx512m"), "agent", List.of("-Xmx1g")),
        Map.of("Pyrometer", "1.0.0", "Rich Grid", "1.0"),
        "",
        begun.toString());
  }
}
