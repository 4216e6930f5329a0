package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.testbed.limits.ProcessLimits;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** Launch of the same command after other words, which run it. */
    public Launch after(List<String> words) {
      List<String> all = new ArrayList<>(words);
      all.addAll(command);
      return new Launch(name, host, all, limits, log);
    }

    /** Variant with another log beside its own, of this suffix. */
    public Launch logging(String suffix) {
      String other = String.valueOf(log.getFileName()).replaceFirst("(\\.\\w+)?$", suffix + "$1");
      return new Launch(name, host, command, limits, log.resolveSibling(other));
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
