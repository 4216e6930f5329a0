package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;

/** Hands each trial to the runner of its kind. */
final class RunnerByJob implements TrialRunner {
  private final TrialRunner load = new LoadTrialRunner();
  private final TrialRunner scenario = new ScenarioTrialRunner();
  private final TrialRunner jmh = new JmhTrialRunner();

  @Override
  public TrialRecord run(Request request) {
    return of(request).run(request);
  }

  @Override
  public void warmUp(Request request, double seconds) {
    of(request).warmUp(request, seconds);
  }

  private TrialRunner of(Request request) {
    return switch (request.spec().job()) {
      case SCENARIO -> scenario;
      case JMH -> jmh;
      case WRITE, AGGREGATE, UPDATE, MIX, TRANSFER, QUERY, READ -> load;
    };
  }
}
