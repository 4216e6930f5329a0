package io.pyrometer.coordinator.machine;

import io.pyrometer.protocol.MachineReading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Processors by their numbers, and which of them a process is bound to. */
public final class Cpus {
  private static final String ALLOWED = "Cpus_allowed_list:";

  private Cpus() {}

  /** Processors that this process may run on; counted from 0 where the system does not tell. */
  public static List<Integer> allowed() {
    return MachineReading.lines("/proc/self/status").stream()
        .filter(line -> line.startsWith(ALLOWED))
        .findFirst()
        .map(line -> MachineReading.processors(line.substring(ALLOWED.length())))
        .orElseGet(
            () -> IntStream.range(0, Runtime.getRuntime().availableProcessors()).boxed().toList());
  }

  /**
   * The next so many processors for the index-th of several processes, going round so that all are
   * used alike.
   */
  public static List<Integer> share(List<Integer> all, int index, int cores) {
    return IntStream.range(0, cores)
        .map(i -> all.get((index * cores + i) % all.size()))
        .sorted()
        .boxed()
        .toList();
  }

  public static boolean canBind() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "taskset")));
  }
}
