package io.pyrometer.coordinator.testbed;

import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.machine.Preflight;
import io.pyrometer.experiment.Host;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A host that is ready to start workers: it answers, it has Pyrometer's files, and a JVM of the
 * coordinator's version.
 *
 * @param base folder of Pyrometer's files on another host; empty for this machine
 * @param cpus that its processes may run on
 * @param freeBytes of memory, where it tells
 */
public record Site(Host host, Optional<String> base, List<Integer> cpus, OptionalLong freeBytes) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration TO_SHIP = Duration.ofMinutes(15);

  static Site here() {
    return new Site(Host.LOCAL, Optional.empty(), Cpus.allowed(), Preflight.availableMemory());
  }

  /** This machine under another address. */
  static Site here(Host host) {
    return new Site(host, Optional.empty(), Cpus.allowed(), Preflight.availableMemory());
  }

  /**
   * Ships what is missing and asks the host what it is.
   *
   * @throws WorkerException with one sentence if it refuses
   */
  static Site on(Host host, Parcel parcel) {
    Remote remote = new Remote(host);
    String base = host.folder() + "/" + parcel.name();
    if (remote.run(PATIENCE, "test", "-f", base + "/" + Parcel.COMPLETE).code() != 0) {
      mustBeDone(host, remote.run(PATIENCE, "mkdir", "-p", host.folder()), "make its folder");
      mustBeDone(
          host,
          remote.run(
              TO_SHIP, Optional.of(parcel.archive()), "tar", "-x", "-f", "-", "-C", host.folder()),
          "take Pyrometer's files");
    }
    Remote.Ended said = remote.run(PATIENCE, "sh", base + "/" + Parcel.START, host.java(), "check");
    mustBeDone(host, said, "start");
    return new Site(host, Optional.of(base), cpus(said), memory(said)).withOurJvm(said);
  }

  private static void mustBeDone(Host host, Remote.Ended ended, String what) {
    if (ended.code() != 0) {
      throw new WorkerException(
          "The %s did not %s: %s."
              .formatted(
                  host.words(),
                  what,
                  ended.error().isEmpty()
                      ? LogTail.exit(ended.code())
                      : LogTail.plain(ended.error())),
          true);
    }
  }

  private Site withOurJvm(Remote.Ended said) {
    String version = said.output().lines().findFirst().orElse("");
    int ours = Runtime.version().feature();
    if (!version.contains("\"" + ours + ".") && !version.contains("\"" + ours + "\"")) {
      throw new WorkerException(
          "The %s has no JVM of version %d, as here, but '%s': name one with 'java'."
              .formatted(host.words(), ours, LogTail.plain(version)),
          true);
    }
    return this;
  }

  private static OptionalLong memory(Remote.Ended said) {
    return said.output()
        .lines()
        .skip(1)
        .limit(1)
        .mapToLong(k -> Long.parseLong(k) << 10)
        .findFirst();
  }

  private static List<Integer> cpus(Remote.Ended said) {
    return said.output().lines().skip(2).findFirst().map(Cpus::parse).orElse(List.of());
  }

  /** The command of a worker on another host. */
  List<String> command(String kind, long heapBytes, String cpus, String driver) {
    List<String> command = new ArrayList<>(List.of("sh", base.orElseThrow() + "/" + Parcel.START));
    command.add(host.java());
    command.add(kind);
    command.add(String.valueOf(heapBytes));
    command.add(cpus.isEmpty() ? "all" : cpus);
    command.add(driver);
    return command;
  }

  /** Where processes of one start may write, given where they may on this machine. */
  public String work(Path here, String label) {
    return base.map(there -> there + "/work/" + label).orElse(here.toString());
  }

  /** The user's configuration file as the host has it. */
  public Optional<String> config(Optional<String> here) {
    return here.map(file -> base.map(there -> there + "/" + Parcel.CONFIG).orElse(file));
  }

  /** Removes what processes of one start wrote on another host, as far as it can. */
  public void clean(String label) {
    if (base.isPresent()) {
      try {
        Remote.Ended unused =
            new Remote(host).run(PATIENCE, "rm", "-rf", base.get() + "/work/" + label);
      } catch (WorkerException gone) {
        // A host that is gone keeps its folder.
      }
    }
  }
}
