package io.pyrometer.jmh;

import io.pyrometer.driver.TrialCommands;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.Optional;

/** Runs benchmarks in a worker that has JMH in its class path. */
public final class JmhCommands implements TrialCommands {
  /** Run the benchmark of a {@link BenchmarkSpec}. Answer: {@link JmhProcess.Benchmarked}. */
  static final String RUN = "run";

  @Override
  public Optional<Answer> answer(Command command, Surroundings surroundings) {
    if (command instanceof Command.OfKind own && own.is(Benchmark.JOB, RUN)) {
      return Optional.of(
          Answer.OfKind.of(
              new JmhProcess()
                  .run(
                      own.as(BenchmarkSpec.class),
                      surroundings.driver().get().jvmFlags(Runtime.version().feature()))));
    }
    return Optional.empty();
  }
}
