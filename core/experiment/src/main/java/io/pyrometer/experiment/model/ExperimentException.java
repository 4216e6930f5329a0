package io.pyrometer.experiment.model;

import java.util.List;
import java.util.stream.Collectors;

/** An experiment that cannot be run as it is written: every mistake found, in order of place. */
public final class ExperimentException extends RuntimeException {

  private final transient List<Problem> problems;

  public ExperimentException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** At least one. */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One mistake of the user's.
   *
   * @param source the file, or the option of the command line
   * @param line from 1; 0 where the source has no lines
   * @param column from 1; 0 where the source has no lines
   * @param sentence what is wrong; what to do
   */
  public record Problem(String source, int line, int column, String sentence) {

    /** {@code source:line:column: sentence}, as editors and terminals jump to it. */
    @Override
    public String toString() {
      return line == 0
          ? source + ": " + sentence
          : source + ":" + line + ":" + column + ": " + sentence;
    }
  }
}
