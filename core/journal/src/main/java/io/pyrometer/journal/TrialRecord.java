package io.pyrometer.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.steady.Drift;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One line of the journal: everything that is known of a finished attempt at a trial, except the
 * contents of its artefacts. Whatever kind of trial it was, its figures are {@link #metrics()} by
 * name, so that every analysis works on any of them.
 *
 * @param schema version of this record's form
 * @param identity which trial this is an attempt at
 * @param started ISO-8601 instant
 * @param result how it ended
 * @param timeline what happened when
 * @param counts what was counted in the measured part
 * @param metrics by name, see {@link Metric}
 * @param artefacts files that it left in the run's folder
 * @param validity what could have disturbed or limited it
 * @param configuration as read back from the grid
 * @param latencies of the measured part in nanoseconds, by operation; not in the journal, since the
 *     trial's log holds them
 */
public record TrialRecord(
    int schema,
    Identity identity,
    String started,
    Result result,
    Timeline timeline,
    Counts counts,
    Map<String, Metric> metrics,
    List<Artefact> artefacts,
    List<Check> validity,
    Map<String, String> configuration,
    @JsonIgnore Map<String, LatencyCounts> latencies) {

  public static final int SCHEMA = 2;

  /** The entry of the configuration that says which telemetry could not record, and why. */
  public static final String UNAVAILABLE = "telemetry.unavailable";

  /** The fewest samples whose steadiness can be judged: 4 s. */
  public static final int MIN_STEADY_SAMPLES = 40;

  public TrialRecord {
    metrics = Collections.unmodifiableMap(new TreeMap<>(metrics));
    artefacts = List.copyOf(artefacts);
    validity = List.copyOf(validity);
    latencies = latencies == null ? Map.of() : latencies;
  }

  /**
   * A trial that never began, because its processes did not start or failed before it.
   *
   * @param attempt from 1
   * @param now ISO-8601 instant
   * @param why one sentence
   */
  public static TrialRecord notBegun(TrialSpec spec, int attempt, String now, String why) {
    return new TrialRecord(
        SCHEMA,
        Identity.of(spec, attempt),
        now,
        new Result(Outcome.FAILED, Optional.of(why), Optional.empty()),
        Timeline.NONE,
        Counts.NONE,
        Map.of(),
        List.of(),
        List.of(),
        Map.of(),
        Map.of());
  }

  /** This record of a trial that was made on this start of processes. */
  public TrialRecord madeOn(ProcessStart start) {
    return with(identity.with(levels(), Optional.of(start)), metrics, latencies);
  }

  public TrialRecord at(Map<String, String> levels) {
    return with(identity.with(levels, identity.start()), metrics, latencies);
  }

  /** This record with the latencies of its log, and their statistics among its metrics. */
  TrialRecord with(Map<String, LatencyCounts> read) {
    Map<String, Metric> all = new TreeMap<>(metrics);
    all.putAll(Latencies.metrics(read));
    return with(identity, all, read);
  }

  /** This record as a journal holds it: without the metrics that follow from its log. */
  TrialRecord withoutLatencies() {
    if (artefacts.stream().noneMatch(each -> each.kind().equals(Artefact.HISTOGRAM))) {
      return this;
    }
    Map<String, Metric> others = new TreeMap<>(metrics);
    others.keySet().removeAll(Latencies.metrics(latencies).keySet());
    return with(identity, others, Map.of());
  }

  private TrialRecord with(
      Identity other, Map<String, Metric> measured, Map<String, LatencyCounts> calls) {
    return new TrialRecord(
        schema,
        other,
        started,
        result,
        timeline,
        counts,
        measured,
        artefacts,
        validity,
        configuration,
        calls);
  }

  /**
   * Which trial a record is of.
   *
   * @param id of the trial, unique in its plan
   * @param ordinal place in the plan, from 0
   * @param block from 0
   * @param attempt 1, or more where a failed or disturbed trial was repeated
   * @param levels the treatment: a level's label by factor
   * @param settings every setting that held, canonical units
   * @param start the processes that it was made on; empty where none started
   * @param label what the treatment is called; empty where its levels say it
   */
  public record Identity(
      String id,
      int ordinal,
      int block,
      int attempt,
      Map<String, String> levels,
      Job job,
      Settings settings,
      Optional<ProcessStart> start,
      Optional<String> label) {

    private Identity with(Map<String, String> other, Optional<ProcessStart> on) {
      return new Identity(id, ordinal, block, attempt, other, job, settings, on, label);
    }

    /** An attempt at a planned trial. */
    public static Identity of(TrialSpec spec, int attempt) {
      return new Identity(
          spec.id(),
          spec.ordinal(),
          spec.block(),
          attempt,
          spec.levels(),
          spec.job(),
          spec.settings(),
          Optional.empty(),
          spec.label());
    }
  }

  public enum Outcome {
    OK,
    /** It ran, but failed verification: it has no throughput. */
    WRONG,
    /** It could not be carried out. */
    FAILED
  }

  /**
   * @param why one sentence where the outcome is not {@link Outcome#OK}
   * @param verification empty where the trial did not get so far
   */
  public record Result(
      Outcome outcome, Optional<String> why, Optional<Verification> verification) {}

  /** The expected and the actual contents or answers. */
  public record Verification(boolean passed, String expected, String found) {}

  /**
   * @param samples records finished in each tenth of a second, summed over agents, warm-up and
   *     measurement
   * @param measuredFrom index of the first sample of the measured part
   */
  public record Timeline(Phases phases, WarmUp warmUp, List<Long> samples, int measuredFrom) {
    static final Timeline NONE =
        new Timeline(new Phases(0, 0, 0, 0, 0), new WarmUp(false, 0, "not begun"), List.of(), 0);
  }

  /** Wall time of each phase in seconds. */
  public record Phases(
      double setUp, double warmUp, double measure, double verify, double tearDown) {}

  /**
   * @param settled whether no significant movement was found in the measured part
   * @param seconds of warm-up before the measured part
   * @param driftPercent the change over the measured part that the samples allow, of throughput, or
   *     of latency where the rate was offered; empty where it was not estimated
   */
  public record WarmUp(
      boolean settled, double seconds, String method, Optional<Estimate> driftPercent) {

    public WarmUp(boolean settled, double seconds, String method) {
      this(settled, seconds, method, Optional.empty());
    }

    /**
     * One of three verdicts: {@code settled} where the interval of the drift lies within ±3 %,
     * {@code not settled} where the samples move or spread too widely, and otherwise {@code not
     * shown}.
     */
    public String verdict() {
      if (driftPercent.isEmpty()) {
        return settled ? "settled" : "not settled";
      }
      Estimate drift = driftPercent.get();
      boolean moves =
          drift.low() > Drift.EQUIVALENT_PERCENT || drift.high() < -Drift.EQUIVALENT_PERCENT;
      return !settled || moves
          ? "not settled"
          : Drift.isEquivalent(drift) ? "settled" : "not shown";
    }
  }

  /**
   * The start of processes that a trial was made on: the unit of replication of whatever is set for
   * processes.
   *
   * @param number of the start in its run, ascending
   * @param position of the trial among those made on these processes, from 1
   */
  public record ProcessStart(int number, int position) {}

  /** Returns whether it was carried out and passed its verification. */
  public boolean valid() {
    return outcome() == Outcome.OK;
  }

  /**
   * Checks whether it passed and was the first trial on its processes; a repeat, or a later trial,
   * finds code that is loaded and compiled.
   */
  public boolean beganCold() {
    return valid() && identity.start().map(start -> start.position() == 1).orElse(true);
  }

  /**
   * The counts of the measured part, over all agents.
   *
   * @param seconds that it took
   * @param errors the first few different causes of failed calls, one sentence each
   */
  public record Counts(
      double seconds, long records, long calls, long failedCalls, List<String> errors) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, List.of());
  }

  /**
   * A file that the trial left.
   *
   * @param kind such as {@code histogram}, {@code flame-graph} or {@code gc-log}
   * @param process whose it is, or empty for one of the whole trial
   * @param file relative to the run's folder
   */
  public record Artefact(String kind, String process, String file) {
    /** The kind of the log of latencies. */
    public static final String HISTOGRAM = "histogram";
  }

  /** Checks whether calls were sent on a schedule, so that their rate was set. */
  public boolean openLoop() {
    return settings().find(CoreSettings.RATE).orElse(0.0) > 0;
  }

  /**
   * Checks whether it lasted long enough that its steadiness can be judged: by throughput, or by
   * latency where the rate was offered.
   */
  public boolean steadinessJudged() {
    return openLoop()
        ? timeline.warmUp().driftPercent().isPresent()
        : timeline.samples().size() >= MIN_STEADY_SAMPLES;
  }

  /** Checks whether something outside the trial disturbed it. */
  public boolean disturbed() {
    return validity.stream().anyMatch(check -> check.disturbed() && check.fromOutside());
  }

  /**
   * Checks whether the trial's own processes used up a machine that they share without limits, so
   * that its throughput compares CPU cost and says nothing of a cluster.
   */
  public boolean oversubscribed() {
    return isMarked(Check.OVERSUBSCRIBED);
  }

  /** Checks whether a check of this name counts as disturbed or limited. */
  boolean isMarked(String name) {
    return validity.stream().anyMatch(check -> check.disturbed() && check.name().equals(name));
  }

  /**
   * Checks whether the code of a process was still being compiled, so that its figures would rise.
   */
  public boolean notWarm() {
    return isMarked(Check.JIT_COMPILERS);
  }

  /** The value of a metric, or empty where the trial has none of that name. */
  public Optional<Double> value(String metric) {
    return Optional.ofNullable(metrics.get(metric)).map(Metric::value);
  }

  /** Records per second of the measured part; empty unless the outcome is OK. */
  public Optional<Double> throughput() {
    return value(Metric.THROUGHPUT);
  }

  public String id() {
    return identity.id();
  }

  public int ordinal() {
    return identity.ordinal();
  }

  public int block() {
    return identity.block();
  }

  public int attempt() {
    return identity.attempt();
  }

  public Map<String, String> levels() {
    return identity.levels();
  }

  /** The name of the treatment. */
  public String label() {
    return identity.label().orElseGet(() -> Labels.of(levels(), settings().get(CoreSettings.PATH)));
  }

  public Job job() {
    return identity.job();
  }

  public Settings settings() {
    return identity.settings();
  }

  public Outcome outcome() {
    return result.outcome();
  }

  public Optional<String> why() {
    return result.why();
  }
}
