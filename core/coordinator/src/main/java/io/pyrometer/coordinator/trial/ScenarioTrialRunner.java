package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;

/** Makes trials in which requests pass through several processes, which use the grid. */
public final class ScenarioTrialRunner implements TrialRunner {

  @Override
  public TrialRecord run(Request request) {
    return new ScenarioTrial(request).run();
  }

  @Override
  public void warmUp(Request request, double seconds) {
    new ScenarioTrial(request).warmUpOnly(seconds);
  }
}
