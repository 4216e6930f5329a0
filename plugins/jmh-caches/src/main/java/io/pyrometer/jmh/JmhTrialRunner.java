package io.pyrometer.jmh;

import io.pyrometer.coordinator.trial.KindRunner;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Job;

/** Runs trials that are benchmarks under JMH, each in a JVM that JMH forks for it. */
public final class JmhTrialRunner implements KindRunner {

  @Override
  public Job job() {
    return Benchmark.JOB;
  }

  @Override
  public TrialRecord run(Request request) {
    return new JmhTrial(request).run();
  }

  /** Does nothing: each benchmark has a fresh JVM, which JMH warms up. */
  @Override
  public double warmUp(Request request, double seconds) {
    return 0;
  }
}
