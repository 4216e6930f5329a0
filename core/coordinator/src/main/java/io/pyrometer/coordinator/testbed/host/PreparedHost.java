package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.machine.Preflight;
import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A host that is ready to start workers: it answers and has Pyrometer's files.
 *
 * @param base folder of Pyrometer's files on another host; empty for this machine
 * @param cpus that its processes may run on
 * @param freeBytes of memory, where it tells
 */
public record PreparedHost(
    Host host, Optional<String> base, List<Integer> cpus, Optional<Long> freeBytes) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration TO_SHIP = Duration.ofMinutes(15);

  /** This machine under whatever address, with its own files. */
  public static PreparedHost here(Host host) {
    return new PreparedHost(
        host, Optional.empty(), Cpus.allowed(), Optional.of(Preflight.availableMemory()));
  }

  /**
   * Asks a host what it is, after shipping what it lacks. A host that sees this machine's files, as
   * one behind {@code ip netns exec} does, uses the bundle where it is.
   */
  static PreparedHost reachedBy(Host host, RemoteBundle bundle) {
    RemoteShell remote = new RemoteShell(host);
    String base =
        bundle.isVisibleTo(remote)
            ? bundle.folder().toString()
            : host.folder() + "/" + bundle.name();
    if (remote.run(PATIENCE, "test", "-f", base + "/" + RemoteBundle.COMPLETE).code() != 0) {
      requireSuccess(host, remote.run(PATIENCE, "mkdir", "-p", host.folder()), "make its folder");
      requireSuccess(
          host,
          remote.run(TO_SHIP, bundle.archive(), "tar", "-x", "-f", "-", "-C", host.folder()),
          "take Pyrometer's files");
    }
    HostState state = HostState.read(host);
    return new PreparedHost(host, Optional.of(base), state.cpus(), state.freeBytes());
  }

  private static void requireSuccess(Host host, RemoteShell.Ended ended, String what) {
    if (ended.code() != 0) {
      throw WorkerException.gone(
          "The %s did not %s: %s.",
          host.words(),
          what,
          ended.error().isEmpty() ? LogTail.exit(ended.code()) : LogTail.plain(ended.error()));
    }
  }

  /** The command of a worker on another host, which has a copy of Pyrometer's files. */
  List<String> command(String driver, List<String> jvmFlags) {
    String start = base.orElseThrow() + "/" + RemoteBundle.START;
    List<String> command = new ArrayList<>(List.of("sh", start, host.java(), driver));
    command.addAll(jvmFlags);
    return command;
  }

  /** The machine that it is: its own name, or one name for all hosts on this machine. */
  public String machine() {
    return base.isPresent() ? host.name() : Host.LOCAL.name();
  }

  /** At least 1, even where the host does not tell. */
  public int cpuCount() {
    return Math.max(1, cpus.size());
  }

  /** Where processes of one start may write, given where they may on this machine. */
  public String work(Path here, String label) {
    return base.map(there -> there + "/work/" + label).orElse(here.toString());
  }

  /** The user's configuration file as the host has it. */
  public Optional<String> config(Optional<String> here) {
    return here.map(file -> base.map(there -> there + "/" + RemoteBundle.CONFIG).orElse(file));
  }

  /** Removes what processes of one start wrote on another host, as far as it can. */
  public void clean(String label) {
    if (base.isPresent()) {
      try {
        RemoteShell.Ended unused =
            new RemoteShell(host).run(PATIENCE, "rm", "-rf", base.get() + "/work/" + label);
      } catch (WorkerException gone) {
        // A host that is gone keeps its folder.
      }
    }
  }
}
