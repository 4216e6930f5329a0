package io.pyrometer.coordinator.testbed.limits;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Removes the control groups of one launcher when this JVM has ended, even by {@code kill -9}: for
 * each folder that holds groups a shell that waits for the end of its input, which the end of this
 * JVM is, and then removes the groups as their processes end. It runs in a session of its own, so
 * that no signal to the terminal's or the coordinator's process group reaches it, and gives up
 * after {@value #PATIENCE_SECONDS} s, so that it never stays behind either.
 */
public final class ControlGroupGuard implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /**
   * The first argument is the pattern of the folders. No shell says why there is none to remove.
   */
  private static final String SCRIPT =
      """
      cat > /dev/null
      left=$((%d * 5))
      while [ $left -gt 0 ]; do
        rmdir $1* 2> /dev/null
        ls -d $1* > /dev/null 2>&1 || exit 0
        sleep 0.2
        left=$((left - 1))
      done
      """
          .formatted(PATIENCE_SECONDS);

  private final String prefix =
      ControlGroup.PREFIX + ProcessHandle.current().pid() + "-" + NUMBER.getAndIncrement() + "-";
  private final Map<Path, Process> shells = new LinkedHashMap<>();

  /** What the names of this launcher's groups begin with; no other launcher's do. */
  String prefix() {
    return prefix;
  }

  /**
   * Sees to the groups in a folder from now on.
   *
   * @throws IOException if no shell can be started
   */
  synchronized void watch(Path parent) throws IOException {
    if (!shells.containsKey(parent)) {
      List<String> command =
          List.of("setsid", "sh", "-c", SCRIPT, "guard", parent.resolve(prefix).toString());
      shells.put(
          parent,
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    }
  }

  /** Ends its input, so that it removes what is left and ends. */
  @Override
  public synchronized void close() {
    for (Process shell : shells.values()) {
      try {
        shell.getOutputStream().close();
      } catch (IOException gone) {
        // It was killed; the next coordinator removes what is left.
      }
    }
    shells.clear();
  }
}
