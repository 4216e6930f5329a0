package io.pyrometer.coordinator.testbed.network;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Commands that make network namespaces on the machine; tests have one that only notes them. */
public interface NamespaceCommands {

  /**
   * A process that holds a namespace of its own open.
   *
   * @param end ends it, and its namespace with it
   */
  record Keeper(long pid, Runnable end) {}

  RemoteShell.Ended run(List<String> command);

  /** Starts a process in a new namespace that ends with this JVM, however that ends. */
  Keeper keeper();

  NamespaceCommands SYSTEM =
      new NamespaceCommands() {
        private static final Duration PATIENCE = Duration.ofSeconds(20);

        @Override
        public RemoteShell.Ended run(List<String> command) {
          return new RemoteShell(Host.LOCAL).run(PATIENCE, command.toArray(String[]::new));
        }

        /** It ends with its input, and is there once it has echoed. */
        @Override
        public Keeper keeper() {
          try {
            Process process = new ProcessBuilder("unshare", "--net", "cat").start();
            Writer in = process.outputWriter(StandardCharsets.UTF_8);
            in.write("here\n");
            in.flush();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            if (!"here".equals(out.readLine())) {
              throw new IOException("unshare --net did not start");
            }
            return new Keeper(process.pid(), process::destroyForcibly);
          } catch (IOException refused) {
            throw WorkerException.gone(
                "A network namespace cannot be created: %s.", LogTail.plain(refused.getMessage()));
          }
        }
      };
}
