package io.pyrometer.protocol;

import java.util.Optional;

/** The two kinds of line on a worker's pipe. */
public final class Line {

  private Line() {}

  /** To the worker. */
  public record Down(long id, Command command) {}

  /**
   * From the worker; {@code id} is that of the command it answers, empty for what was not asked.
   */
  public record Up(Optional<Long> id, Answer answer) {}
}
