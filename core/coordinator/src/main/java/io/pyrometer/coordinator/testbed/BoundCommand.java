package io.pyrometer.coordinator.testbed;

import java.util.ArrayList;
import java.util.List;

/**
 * A command of this machine that does not outlive this JVM, not even if the JVM is killed: a shell
 * around it waits for the end of its standard input, which the JVM holds, and then kills the
 * command. The command itself has no standard input.
 */
public final class BoundCommand {
  /** The watcher must not hold the output open, which the JVM may read to its end. */
  private static final String SCRIPT =
      """
      exec 3<&0
      "$@" 3<&- </dev/null &
      command=$!
      { cat <&3; kill -9 $command; } >/dev/null 2>&1 3<&3 &
      watcher=$!
      exec 3<&-
      wait $command
      code=$?
      kill -9 $watcher
      exit $code
      """;

  private BoundCommand() {}

  /**
   * @return the command to start, with a pipe as its standard input; it ends with the exit code of
   *     the given one
   */
  public static List<String> of(List<String> command) {
    List<String> bound = new ArrayList<>(List.of("sh", "-c", SCRIPT, "bound"));
    bound.addAll(command);
    return bound;
  }
}
