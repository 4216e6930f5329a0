package io.pyrometer.lab.run;

import io.pyrometer.lab.machine.Limits;
import io.pyrometer.lab.process.WorkerException;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;

/**
 * Warms fresh processes up over all the access paths that they will be measured with, in short
 * rounds that nobody records: a path's code is warm only once it ran, and the JVM's profile should
 * be that of all of them.
 */
final class CommonWarmUp {
  private static final double LONG_ENOUGH_FOR_TWO = 2;

  /** So short a load writes so little that all its caches may be removed together at the end. */
  private static final double SHORT = 1;

  /** A path that reads ends its pass over all records even when it is cold and slow. */
  private static final long MOST_RECORDS_READ = 2_000;

  private static final long MOST_KEYS_WRITTEN = 20_000;

  private CommonWarmUp() {}

  /** One path's round failed; the message is the worker's. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String sentence;

    Failure(String path, WorkerException cause) {
      super(cause);
      this.path = path;
      this.sentence = cause.sentence();
    }

    String path() {
      return path;
    }

    String sentence() {
      return sentence;
    }
  }

  /**
   * @throws Failure if a path cannot be carried out, so that the processes are of no more use
   */
  static void over(
      Cluster cluster, List<TrialSpec> trials, Clock clock, BiConsumer<String, Double> rate)
      throws Failure {
    Map<String, TrialSpec> paths = new LinkedHashMap<>();
    trials.forEach(trial -> paths.putIfAbsent(trial.path(), trial));
    double seconds = trials.isEmpty() ? 0 : trials.get(0).settings().decimal("common-warm-up");
    if (seconds <= 0) {
      return;
    }
    int rounds = seconds / paths.size() >= LONG_ENOUGH_FOR_TWO ? 2 : 1;
    double slot = seconds / paths.size() / rounds;
    int left = rounds * paths.size();
    for (int round = 0; round < rounds; round++) {
      for (TrialSpec trial : paths.values()) {
        left--;
        TrialSpec warm = renamed(trial, "warm-up-" + round + "-" + trial.id());
        try {
          new TrialRun(
                  cluster,
                  warm,
                  1,
                  clock,
                  Limits.USUAL,
                  OptionalDouble.empty(),
                  (phase, now) -> rate.accept("warm up " + trial.path(), now))
              .warmUpOnly(slot, slot > SHORT || left == 0);
        } catch (WorkerException failure) {
          throw new Failure(trial.path(), failure);
        }
      }
    }
  }

  private static TrialSpec renamed(TrialSpec trial, String id) {
    long most = trial.job() == Job.WRITE ? MOST_KEYS_WRITTEN : MOST_RECORDS_READ;
    Settings settings = trial.settings();
    settings = settings.with("records", Math.min(most, settings.number("records")));
    return new TrialSpec(
        id,
        trial.ordinal(),
        trial.block(),
        trial.levels(),
        trial.job(),
        settings,
        trial.record(),
        ~trial.seed());
  }
}
