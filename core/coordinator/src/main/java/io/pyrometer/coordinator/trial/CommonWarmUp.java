package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.DriverVocabulary;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Warms fresh processes up over all the access paths that they will be measured with, in short
 * rounds that nobody records: a path's code is warm only once it ran, and the JVM's profile should
 * be that of all of them. What they wrote stays until the processes end, because removing it takes
 * longer than all the rest.
 */
public final class CommonWarmUp {
  private static final double LONG_ENOUGH_FOR_TWO = 2;

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
   * @param trials whose paths are warmed up
   * @param seconds for all of them together; none for 0
   * @param driver of the trials
   * @param runner of such trials
   * @param request makes what a warm-up on the cluster is made with
   * @throws Failure if a path cannot be carried out, so that the processes cannot be used any more
   */
  public static void over(
      DriverDescription driver,
      List<TrialSpec> trials,
      double seconds,
      TrialRunner runner,
      Function<TrialSpec, TrialRunner.Request> request)
      throws Failure {
    Map<Object, TrialSpec> kinds = new LinkedHashMap<>();
    trials.forEach(trial -> kinds.merge(runner.code(trial), trial, runner::lighter));
    if (kinds.isEmpty() || seconds <= 0) {
      return;
    }
    boolean turns = kinds.size() > 1 && seconds / kinds.size() >= LONG_ENOUGH_FOR_TWO;
    int rounds = turns ? 2 : 1;
    double slot = seconds / kinds.size() / rounds;
    for (int round = 0; round < rounds; round++) {
      for (TrialSpec trial : kinds.values()) {
        try {
          runner.warmUp(request.apply(brief(driver, trial)), slot);
        } catch (WorkerException failure) {
          throw new Failure(trial.path(), failure);
        }
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
