package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;

/** Makes trials in which agents put one workload on the grid through one access path. */
public final class LoadTrialRunner implements TrialRunner {

  @Override
  public TrialRecord run(Request request) {
    return new LoadTrial(request).run();
  }

  @Override
  public double warmUp(Request request, double seconds) {
    return new LoadTrial(request).warmUpOnly(seconds);
  }
}
