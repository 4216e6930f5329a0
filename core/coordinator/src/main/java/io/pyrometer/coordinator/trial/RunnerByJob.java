package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;

/** Hands each trial to the runner of its kind. */
final class RunnerByJob implements TrialRunner {
  private final TrialRunner load = new LoadTrialRunner();
  private final Map<Job, TrialRunner> kinds = new HashMap<>();

  RunnerByJob() {
    ServiceLoader.load(KindRunner.class).forEach(kind -> kinds.put(kind.job(), kind));
  }

  @Override
  public TrialRecord run(Request request) {
    return of(request.spec()).run(request);
  }

  @Override
  public double warmUp(Request request, double seconds) {
    return of(request.spec()).warmUp(request, seconds);
  }

  @Override
  public Object code(TrialSpec trial) {
    return of(trial).code(trial);
  }

  @Override
  public TrialSpec lighter(TrialSpec one, TrialSpec other) {
    return of(one).lighter(one, other);
  }

  private TrialRunner of(TrialSpec trial) {
    if (trial.job().isLoad()) {
      return load;
    }
    TrialRunner kind = kinds.get(trial.job());
    if (kind == null) {
      throw new IllegalStateException(
          "No plugin runs trials of the kind '%s'.".formatted(trial.job()));
    }
    return kind;
  }
}
