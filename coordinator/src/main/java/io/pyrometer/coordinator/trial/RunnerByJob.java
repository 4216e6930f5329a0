package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;

/** Hands each trial to the runner of its kind. */
final class RunnerByJob implements TrialRunner {
  private final TrialRunner load = new LoadTrialRunner();
  private final TrialRunner scenario = new ScenarioTrialRunner();

  @Override
  public TrialRecord run(Request request) {
    return of(request).run(request);
  }

  @Override
  public void warmUp(Request request, double seconds) {
    of(request).warmUp(request, seconds);
  }

  private TrialRunner of(Request request) {
    return request.spec().job() == Job.SCENARIO ? scenario : load;
  }
}
