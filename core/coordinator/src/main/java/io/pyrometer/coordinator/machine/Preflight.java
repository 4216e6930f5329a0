package io.pyrometer.coordinator.machine;

import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import oshi.SystemInfo;

/** Conditions that must hold before any process is started. */
public final class Preflight {
  private static final long MEGABYTE = 1L << 20;

  /** Bytes that a JVM needs beside its heap and its data regions. */
  public static final long JVM_OVERHEAD = 200 * MEGABYTE;

  private static final long MIN_FREE_DISK = 300 * MEGABYTE;

  private Preflight() {}

  /** Why so many bytes are more than the available ones. */
  public static Optional<String> memory(long needed, long available, String what) {
    return needed <= available
        ? Optional.empty()
        : Optional.of(
            Messages.format("coordinator.memory", what, needed / MEGABYTE, available / MEGABYTE));
  }

  /** Problem with binding each node to so many cores here; empty for none. */
  public static Optional<String> cores(long cores) {
    int there = Cpus.allowed().size();
    if (cores > there) {
      return Optional.of(Messages.format("coordinator.cores", cores, there));
    }
    return cores > 0 && !Cpus.canBind()
        ? Optional.of(Messages.format("coordinator.taskset"))
        : Optional.empty();
  }

  /** Problem with the disk of the folder that the run will be written under; empty for none. */
  public static Optional<String> disk(Path folder) {
    try {
      Path there = folder.toAbsolutePath();
      while (!Files.exists(there)) {
        there = Optional.ofNullable(there.getParent()).orElse(there.getRoot());
      }
      long free = Files.getFileStore(there).getUsableSpace();
      return free >= MIN_FREE_DISK
          ? Optional.empty()
          : Optional.of(
              Messages.format(
                  "coordinator.disk", there, free / MEGABYTE, MIN_FREE_DISK / MEGABYTE));
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  /** Bytes that new processes may still take: of the machine, or the control group if fewer. */
  public static long availableMemory() {
    long machine = new SystemInfo().getHardware().getMemory().getAvailable();
    OptionalLong limit =
        number("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes");
    OptionalLong used =
        number("/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    return limit.isEmpty() || used.isEmpty() || limit.getAsLong() > 1L << 50
        ? machine
        : Math.min(machine, limit.getAsLong() - used.getAsLong() + fileCache());
  }

  /** Counted as used by the group, and given back when asked for. */
  private static long fileCache() {
    return MachineReading.lines("/sys/fs/cgroup/memory.stat", "/sys/fs/cgroup/memory/memory.stat")
        .stream()
        .filter(line -> line.startsWith("inactive_file ") || line.startsWith("active_file "))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  private static OptionalLong number(String... places) {
    return MachineReading.lines(places).stream()
        .map(String::strip)
        .filter(line -> line.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }
}
