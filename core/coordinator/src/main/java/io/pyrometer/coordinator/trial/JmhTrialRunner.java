package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord;

/** Makes trials that are benchmarks under JMH, each in a JVM that JMH forks for it. */
public final class JmhTrialRunner implements TrialRunner {

  @Override
  public TrialRecord run(Request request) {
    return new JmhTrial(request).run();
  }

  /** Does nothing: each benchmark has a fresh JVM, which JMH warms up. */
  @Override
  public void warmUp(Request request, double seconds) {}
}
