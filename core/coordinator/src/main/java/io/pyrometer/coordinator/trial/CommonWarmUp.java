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
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.ToDoubleBiFunction;

/**
 * Warms fresh processes up over all the access paths that they will be measured with, in turns of a
 * few seconds that nobody records: a path's code is compiled only once it ran often enough, and the
 * profile of a JVM should be that of all paths. So each turn calls as often as it can, whatever
 * rate is measured, unless the grid is somebody else's. A path whose turn left the JIT compilers of
 * every process quiet gets no other one, so that the time goes to the paths that still compile.
 */
public final class CommonWarmUp {
  private static final double TURN_SECONDS = 3;

  /** A path that reads ends its pass over all records even when it is cold and slow. */
  private static final long MOST_RECORDS_READ = 2_000;

  private static final long MOST_KEYS_WRITTEN = 20_000;

  private CommonWarmUp() {}

  /** One path's turn failed; the message is the worker's. */
  public static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;

    Failure(String path, WorkerException cause) {
      super(cause.sentence(), cause);
      this.path = path;
    }

    public String path() {
      return path;
    }
  }

  /**
   * @param asOffered whether a turn may not offer more than the trial that it warms up for
   * @param seconds after which no further turn begins; every path has one turn, unless it is 0
   * @param load passes through a trial under load for so many seconds and returns the compilers'
   *     share, as {@link TrialRunner#warmUp}
   * @throws Failure if a path cannot be executed, so that the processes cannot be used any more
   */
  public static void over(
      DriverDescription driver,
      List<TrialSpec> trials,
      boolean asOffered,
      double seconds,
      ToDoubleBiFunction<TrialSpec, Double> load,
      Time time)
      throws Failure {
    Map<Object, TrialSpec> codes = new LinkedHashMap<>();
    if (seconds > 0) {
      for (TrialSpec trial : trials) {
        TrialRunner runner = KindRunner.of(trial.job());
        codes.merge(runner.code(trial), trial, runner::lighter);
      }
    }
    long from = time.nanoTime();
    double turn = Math.min(TURN_SECONDS, seconds / Math.max(1, codes.size()));
    Queue<TrialSpec> waiting = new ArrayDeque<>(codes.values());
    for (int turns = 0;
        !waiting.isEmpty() && (turns < codes.size() || time.secondsSince(from) < seconds);
        turns++) {
      TrialSpec trial = waiting.remove();
      try {
        double share = load.applyAsDouble(brief(driver, trial, asOffered), turn);
        if (!ProcessUsage.quietCompilers(share)) {
          waiting.add(trial);
        }
      } catch (WorkerException failure) {
        throw new Failure(trial.path(), failure);
      }
    }
  }

  private static TrialSpec brief(DriverDescription driver, TrialSpec trial, boolean asOffered) {
    long most = trial.job() == Job.WRITE ? MOST_KEYS_WRITTEN : MOST_RECORDS_READ;
    Settings settings =
        new DriverVocabulary(driver).inWarmUp(CoreSettings.endless(trial.settings()));
    if (trial.job().isLoad() && !asOffered) {
      settings = settings.with(CoreSettings.RATE, 0.0);
    }
    return trial.toWarmUp(
        settings.with(CoreSettings.RECORDS, Math.min(most, settings.get(CoreSettings.RECORDS))));
  }
}
