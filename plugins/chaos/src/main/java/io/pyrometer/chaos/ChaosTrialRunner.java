package io.pyrometer.chaos;

import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;

/** Runs trials that break a grid and check the history of what it answered. */
public final class ChaosTrialRunner implements KindRunner {

  @Override
  public Job job() {
    return ChaosMessages.JOB;
  }

  @Override
  public TrialRecord run(Request request) {
    return new ChaosTrial(request).run();
  }

  @Override
  public double warmUp(Request request, double seconds) {
    return new ChaosTrial(request).warmUpOnly(seconds);
  }
}
