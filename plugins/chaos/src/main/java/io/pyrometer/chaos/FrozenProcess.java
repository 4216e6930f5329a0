package io.pyrometer.chaos;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process and its children, which a server may consist of, that are stopped (SIGSTOP), or most of
 * the time, until this is closed. A shell on its host stops and continues it, and waits for the end
 * of its own input in between: so the process continues too when this JVM is killed.
 */
final class FrozenProcess implements Faults.Healing {
  private static final long END_SECONDS = 10;

  private final Process shell;
  private final String name;

  private FrozenProcess(Process shell, String name) {
    this.shell = shell;
    this.name = name;
  }

  /**
   * @throws WorkerException if it cannot be stopped
   */
  static FrozenProcess freeze(Host host, String name, long pid) {
    return start(
        host,
        name,
        pid,
        "kill -STOP $all && echo stopped || exit 1; cat >/dev/null; kill -CONT $all");
  }

  /**
   * Freezes it for 90 ms of every 100.
   *
   * @throws WorkerException if it cannot be stopped
   */
  static FrozenProcess starve(Host host, String name, long pid) {
    return start(
        host,
        name,
        pid,
        """
        kill -STOP $all && echo stopped || exit 1
        while kill -0 $$; do
          kill -STOP $all; sleep 0.09; kill -CONT $all; sleep 0.01
        done 2>/dev/null &
        cat >/dev/null; kill $!; wait; kill -CONT $all
        """);
  }

  private static FrozenProcess start(Host host, String name, long pid, String script) {
    String whole = "all=\"%1$d $(cat /proc/%1$d/task/*/children)\"; ".formatted(pid) + script;
    try {
      Process shell = new ProcessBuilder(host.command(List.of("sh", "-c", whole))).start();
      BufferedReader output = shell.inputReader(StandardCharsets.UTF_8);
      FrozenProcess frozen = new FrozenProcess(shell, name);
      if (!"stopped".equals(output.readLine())) {
        frozen.close();
        throw new IOException("kill -STOP failed");
      }
      return frozen;
    } catch (IOException refused) {
      throw WorkerException.mismatch("%s cannot be paused: %s.", name, refused.getMessage());
    }
  }

  /**
   * Continues the process.
   *
   * @throws WorkerException if that is not certain
   */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      if (shell.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException gone) {
      // Its end is what matters, below.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (shell.isAlive()) {
      throw WorkerException.mismatch(name + " could not be continued after its pause.");
    }
  }
}
