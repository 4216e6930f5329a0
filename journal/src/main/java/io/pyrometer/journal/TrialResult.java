package io.pyrometer.journal;

import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One line of the journal: everything that a finished trial left but its histograms, which lie in a
 * file of their own.
 *
 * @param schema version of this record's form
 * @param attempt 1, or 2 where a failed or disturbed trial was repeated
 * @param started ISO-8601 instant
 * @param why one sentence where the outcome is not {@link Outcome#OK}
 * @param samples records finished in each tenth of a second, summed over agents, warm-up and
 *     measurement
 * @param measuredFrom index of the first sample that counts
 * @param throughput records per second of the measured part; empty unless the outcome is OK
 * @param cpuMicrosPerRecord CPU time over all processes of the trial per record; empty where a
 *     process's was not to be had
 * @param latency by operation
 * @param configuration as read back from the grid
 * @param validity what could have disturbed the trial
 */
public record TrialResult(
    int schema,
    String trial,
    int ordinal,
    int block,
    int attempt,
    Map<String, String> levels,
    Job job,
    Settings settings,
    String started,
    Phases phases,
    Outcome outcome,
    Optional<String> why,
    WarmUp warmUp,
    List<Long> samples,
    int measuredFrom,
    double measuredSeconds,
    long records,
    long calls,
    long failedCalls,
    List<String> errors,
    Optional<Double> throughput,
    Optional<Double> cpuMicrosPerRecord,
    Map<String, Double> cpuSecondsByProcess,
    Map<String, Latency> latency,
    Optional<Verification> verification,
    Map<String, String> configuration,
    List<Check> validity) {

  public static final int SCHEMA = 1;

  /** The fewest samples whose steadiness can be judged: 4 s. */
  public static final int LEAST_STEADY_SAMPLES = 40;

  /** Whether it is long enough for its steadiness to be judged. */
  public boolean steadinessJudged() {
    return samples.size() >= LEAST_STEADY_SAMPLES;
  }

  /**
   * A trial that never began, because its processes did not start or were of no use.
   *
   * @param now ISO-8601 instant
   */
  public static TrialResult notBegun(TrialSpec spec, int attempt, String now, String why) {
    return new TrialResult(
        SCHEMA,
        spec.id(),
        spec.ordinal(),
        spec.block(),
        attempt,
        spec.levels(),
        spec.job(),
        spec.settings(),
        now,
        new Phases(0, 0, 0, 0, 0),
        Outcome.FAILED,
        Optional.of(why),
        new WarmUp(false, 0, "not begun"),
        List.of(),
        0,
        0,
        0,
        0,
        0,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of());
  }

  /** How a trial ended. */
  public enum Outcome {
    OK,
    /** It ran, but what it left or answered is wrong: it has no throughput. */
    WRONG,
    /** It could not be carried out. */
    FAILED
  }

  /** Wall time of each phase in seconds. */
  public record Phases(
      double setUp, double warmUp, double measure, double verify, double tearDown) {}

  /**
   * @param settled whether a steady state was found before the cap
   * @param seconds of warm-up before the measured part
   */
  public record WarmUp(boolean settled, double seconds, String method) {}

  /** Microseconds; a percentile that too few calls stand behind is absent. */
  public record Latency(
      long count,
      double mean,
      double max,
      Optional<Double> p50,
      Optional<Double> p90,
      Optional<Double> p99,
      Optional<Double> p999) {}

  /** What should have been there or answered, and what was. */
  public record Verification(boolean passed, String expected, String found) {}

  /**
   * One thing that could have disturbed the trial.
   *
   * @param limit the value from which on it counts as disturbed
   */
  public record Check(String name, double value, double limit, String unit, boolean disturbed) {
    public static final String STEAL = "steal";
    public static final String OTHER_PROCESSES = "other processes";
    public static final String CPU_QUOTA = "CPU quota";
    public static final String CPU_PRESSURE = "CPU pressure";
    public static final String CLOCK_STEP = "clock step";

    private static final Set<String> OF_MACHINE =
        Set.of(STEAL, OTHER_PROCESSES, CPU_QUOTA, CPU_PRESSURE, CLOCK_STEP);

    /** Whether it tells of the machine and not of the trial itself, so that a repeat may help. */
    public boolean fromOutside() {
      return OF_MACHINE.contains(name);
    }
  }
}
