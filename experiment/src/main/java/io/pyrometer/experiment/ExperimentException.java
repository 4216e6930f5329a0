package io.pyrometer.experiment;

import java.util.List;
import java.util.stream.Collectors;

/** An experiment that cannot be run as it is written: every mistake found, in order of place. */
public final class ExperimentException extends RuntimeException {

  private final transient List<Problem> problems;

  ExperimentException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** At least one. */
  public List<Problem> problems() {
    return problems;
  }
}
