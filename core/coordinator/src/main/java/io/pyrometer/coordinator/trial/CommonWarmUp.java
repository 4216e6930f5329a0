package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.ProcessUsage;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.DriverVocabulary;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Warms fresh processes up over all the access paths that they will be measured with, in rounds
 * that nobody records: a path's code is compiled only once it ran often enough, and the profile of
 * a JVM should be that of all paths. Rounds go on until the JIT compilers of every process are
 * quiet over a whole round, or the time is up. What they wrote stays until the processes end,
 * because removing it takes longer than all the rest.
 */
public final class CommonWarmUp {
  /** Shorter turns of a path are spent on setting it up. */
  private static final double MIN_TURN_SECONDS = 1;

  private static final int ROUNDS = 4;

  /** A path that reads ends its pass over all records even when it is cold and slow. */
  private static final long MOST_RECORDS_READ = 500;

  private static final long MOST_KEYS_WRITTEN = 20_000;

  private CommonWarmUp() {}

  /** One path's round failed; the message is the worker's. */
  public static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String sentence;

    Failure(String path, WorkerException cause) {
      super(cause);
      this.path = path;
      this.sentence = cause.sentence();
    }

    public String path() {
      return path;
    }

    public String sentence() {
      return sentence;
    }
  }

  /**
   * @param driver of the trials
   * @param trials whose paths are warmed up
   * @param seconds after which no further round begins; one round is always completed, unless it is
   *     0
   * @param runner of such trials
   * @param request makes what a warm-up on the cluster is made with
   * @param usage reads what the processes used so far
   * @param time the clock
   * @throws Failure if a path cannot be executed, so that the processes cannot be used any more
   */
  public static void over(
      DriverDescription driver,
      List<TrialSpec> trials,
      double seconds,
      TrialRunner runner,
      Function<TrialSpec, TrialRunner.Request> request,
      Supplier<ProcessUsage> usage,
      Time time)
      throws Failure {
    Map<Object, TrialSpec> codes = new LinkedHashMap<>();
    trials.forEach(trial -> codes.merge(runner.code(trial), trial, runner::lighter));
    if (codes.isEmpty() || seconds <= 0) {
      return;
    }
    double each = seconds / codes.size();
    double turn = Math.min(each, Math.max(MIN_TURN_SECONDS, each / ROUNDS));
    long from = time.nanoTime();
    boolean warm = false;
    while (!warm && time.secondsSince(from) < seconds) {
      String path = trials.get(0).path();
      try {
        ProcessUsage before = usage.get();
        for (TrialSpec trial : codes.values()) {
          path = trial.path();
          runner.warmUp(request.apply(brief(driver, trial)), turn);
        }
        warm = usage.get().since(before).compilersAreQuiet();
      } catch (WorkerException failure) {
        throw new Failure(path, failure);
      }
    }
  }

  private static TrialSpec brief(DriverDescription driver, TrialSpec trial) {
    long most = trial.job() == Job.WRITE ? MOST_KEYS_WRITTEN : MOST_RECORDS_READ;
    Settings settings = DriverVocabulary.of(driver).inWarmUp(trial.settings());
    return trial.toWarmUp(
        settings.with("records", Math.min(most, settings.get(CoreSettings.RECORDS))));
  }
}
