package io.pyrometer.chaos;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.time.Duration;

/**
 * The disk of a server that was started with a small one of its own ({@link
 * io.pyrometer.chaos.ServerPreparation}), with no room left until this is closed.
 */
final class FullDisk implements Faults.Healing {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Takes all room, of a disk of the server's own alone, until nothing can be written: the server
   * may make room meanwhile.
   */
  private static final String FILL =
      "mountpoint -q \"$0\" || exit 1; for i in 1 2 3 4 5; do"
          + " dd if=/dev/zero of=\"$0/ballast$i\" bs=64k 2>/dev/null;"
          + " echo x 2>/dev/null >\"$0/ballast\" || exit 0; done; exit 1";

  private static final String EMPTY = "rm -f \"$0\"/ballast*";

  private final Host host;
  private final String name;
  private final String pid;
  private final String folder;

  private FullDisk(Host host, String name, long pid, String folder) {
    this.host = host;
    this.name = name;
    this.pid = String.valueOf(pid);
    this.folder = folder;
  }

  /**
   * Fills the disk.
   *
   * @param folder where it is mounted
   * @throws WorkerException if a file can be written afterwards
   */
  static FullDisk of(Host host, String name, long pid, String folder) {
    FullDisk filled = new FullDisk(host, name, pid, folder);
    boolean full = false;
    try {
      full = filled.done(FILL);
    } finally {
      if (!full) {
        filled.close();
      }
    }
    if (!full) {
      throw WorkerException.mismatch("The disk of %s could not be filled.", name);
    }
    return filled;
  }

  /** A script that sees the files of the server. */
  private boolean done(String script) {
    return new RemoteShell(host)
            .run(PATIENCE, "nsenter", "-t", pid, "-m", "sh", "-c", script, folder)
            .code()
        == 0;
  }

  /**
   * Makes room again, unless the server and its disk are gone.
   *
   * @throws WorkerException if that fails
   */
  @Override
  public void close() {
    if (!done(EMPTY) && done("true")) {
      throw WorkerException.mismatch("The disk of %s could not be emptied.", name);
    }
  }
}
