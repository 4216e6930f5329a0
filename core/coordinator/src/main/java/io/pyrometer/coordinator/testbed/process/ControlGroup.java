package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A control group of Linux that holds one process to a CPU quota, which may change while it runs,
 * and to an amount of memory: version 2 where its controllers are delegated, else version 1. It is
 * a folder for each controller, which {@link #close()} removes once the process is gone. The empty
 * groups of a coordinator that was killed are removed by the next one, with its first group.
 */
public final class ControlGroup implements AutoCloseable {
  static final Path ROOT = Path.of("/sys/fs/cgroup");
  static final String PREFIX = "pyrometer-";

  /** The process id of a coordinator; then a number and the process that is held, or a probe. */
  private static final Pattern OWN_NAME =
      Pattern.compile(PREFIX + "(\\d{1,18})-(\\d+-.+|probe-\\d+)");

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static final int REMOVALS = 50;
  private static final Duration REMOVAL_PAUSE = Duration.ofMillis(20);

  private final List<Path> folders;
  private volatile boolean limited;

  private ControlGroup(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  /** Why processes cannot be limited so here, in one sentence; empty if they can. */
  static Optional<String> lacking(ProcessLimits limits) {
    if (limits.cpus() > 0 && parent("cpu").isEmpty()) {
      return Optional.of(cannot(Messages.format("coordinator.cpu-quotas"), "cpu"));
    }
    if (limits.memoryBytes() > 0 && parent("memory").isEmpty()) {
      return Optional.of(cannot(Messages.format("coordinator.memory-limits"), "memory"));
    }
    int processors = Runtime.getRuntime().availableProcessors();
    return limits.cpus() > processors
        ? Optional.of(Messages.format("coordinator.quota-too-large", limits.cpus(), processors))
        : Optional.empty();
  }

  private static String cannot(String what, String controller) {
    return Messages.format("coordinator.no-control-group", what, controller, ROOT);
  }

  /** The folder in which groups of a controller can be created. */
  private static Optional<Path> parent(String controller) {
    Path two = ROOT.resolve("cgroup.subtree_control");
    try {
      if (Files.isReadable(two)
          && List.of(Files.readString(two).strip().split("\\s+")).contains(controller)
          && Files.isWritable(ROOT)) {
        return Optional.of(ROOT);
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    Path one = ROOT.resolve(controller);
    return Files.isDirectory(one) && makes(one) ? Optional.of(one) : Optional.empty();
  }

  private static boolean makes(Path parent) {
    Path probe = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-probe-" + NUMBER.get());
    try {
      Files.createDirectory(probe);
      Files.delete(probe);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  public static ControlGroup make(String process, ProcessLimits limits) {
    Optional<String> lacking = lacking(limits);
    if (lacking.isPresent()) {
      throw WorkerException.gone(lacking.get());
    }
    int number = NUMBER.getAndIncrement();
    String name = PREFIX + ProcessHandle.current().pid() + "-" + number + "-" + process;
    List<Path> folders = new ArrayList<>();
    try {
      if (limits.cpus() > 0) {
        Path unused = folder("cpu", name, number, folders);
      }
      if (limits.memoryBytes() > 0) {
        Path folder = folder("memory", name, number, folders);
        String file = ROOT.equals(folder.getParent()) ? "memory.max" : "memory.limit_in_bytes";
        Files.writeString(folder.resolve(file), String.valueOf(limits.memoryBytes()));
      }
      return new ControlGroup(folders);
    } catch (IOException refused) {
      new ControlGroup(folders).close();
      throw WorkerException.lost(
          "coordinator.limits-failed", process, LogTail.plain(refused.getMessage()));
    }
  }

  /**
   * Holds the process to a CPU quota from now on, or to none. Without a CPU controller of its own
   * the process has no quota, and nothing is changed.
   */
  public void limit(CpuQuota quota) {
    try {
      for (Path folder : folders) {
        if (Files.exists(folder.resolve("cpu.max"))) {
          String most = quota.limits() ? "" + quota.micros() : "max";
          Files.writeString(folder.resolve("cpu.max"), most + " " + quota.periodMicros());
        } else if (Files.exists(folder.resolve("cpu.cfs_quota_us"))) {
          // A quota that is larger than its period could be refused between the two writes.
          Files.writeString(folder.resolve("cpu.cfs_quota_us"), "-1");
          if (quota.limits()) {
            Files.writeString(folder.resolve("cpu.cfs_period_us"), "" + quota.periodMicros());
            Files.writeString(folder.resolve("cpu.cfs_quota_us"), "" + quota.micros());
          }
        }
      }
      limited = quota.limits();
    } catch (IOException refused) {
      throw WorkerException.lost(
          "coordinator.quota-refused", quota.cpus(), LogTail.plain(refused.getMessage()));
    }
  }

  private static Path folder(String controller, String name, int number, List<Path> made)
      throws IOException {
    Path parent = parent(controller).orElseThrow(() -> new IOException("no " + controller));
    if (number == 0) {
      removeLeftOver(parent);
    }
    Path folder = parent.resolve(name);
    if (!made.contains(folder)) {
      Files.createDirectory(folder);
      made.add(folder);
    }
    return folder;
  }

  static void removeLeftOver(Path parent) {
    try (Stream<Path> groups = Files.list(parent)) {
      for (Path group : groups.filter(ControlGroup::isLeftOver).toList()) {
        Files.deleteIfExists(group);
      }
    } catch (IOException stillHeld) {
      // The next run tries again.
    }
  }

  private static boolean isLeftOver(Path group) {
    Matcher own = OWN_NAME.matcher(String.valueOf(group.getFileName()));
    return own.matches() && ProcessHandle.of(Long.parseLong(own.group(1))).isEmpty();
  }

  /**
   * The command that runs a command in this group, from its first instruction on, or not at all
   * where the group is not there.
   */
  public List<String> run(List<String> command) {
    StringBuilder script = new StringBuilder("set -e; ");
    folders.forEach(
        folder -> script.append("echo $$ > ").append(folder.resolve("cgroup.procs")).append("; "));
    List<String> within = new ArrayList<>(List.of("sh", "-c", script + "exec \"$@\"", "limited"));
    within.addAll(command);
    return within;
  }

  /** Seconds for which its quota stopped the process's threads so far; empty without a quota. */
  public Optional<Double> throttledSeconds() {
    if (!limited) {
      return Optional.empty();
    }
    String[] files =
        folders.stream()
            .map(folder -> folder.resolve("cpu.stat").toString())
            .toArray(String[]::new);
    return MachineReading.throttled(MachineReading.lines(files))
        .map(MachineReading.Throttled::seconds)
        .or(() -> Optional.of(0.0));
  }

  /** Removes the group; the kernel lets go of it a moment after its last process has ended. */
  @Override
  public void close() {
    for (Path folder : folders) {
      for (int i = 0; i < REMOVALS && Files.exists(folder); i++) {
        try {
          Files.delete(folder);
        } catch (IOException stillHeld) {
          Time.SYSTEM.sleep(REMOVAL_PAUSE);
        }
      }
    }
  }
}
