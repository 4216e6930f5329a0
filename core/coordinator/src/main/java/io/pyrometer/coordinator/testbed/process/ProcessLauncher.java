package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import java.nio.file.Path;
import java.util.List;

/** Starts worker processes and ends every one that still lives when it is closed. */
public interface ProcessLauncher extends AutoCloseable {

  /**
   * How to start one process.
   *
   * @param name kind, hyphen, index
   * @param command what runs on the host
   * @param limits that it is started under
   * @param log where its standard error goes
   */
  record Launch(String name, Host host, List<String> command, ProcessLimits limits, Path log) {
    public Launch {
      command = List.copyOf(command);
    }
  }

  /**
   * Starts processes at once and waits until each listens.
   *
   * @return in the order of the launches
   */
  List<ManagedProcess> startAll(List<Launch> launches);

  boolean ending();

  default Time time() {
    return Time.SYSTEM;
  }

  @Override
  void close();
}
