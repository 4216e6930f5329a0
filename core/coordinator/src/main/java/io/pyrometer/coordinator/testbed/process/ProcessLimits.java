package io.pyrometer.coordinator.testbed.process;

import io.pyrometer.coordinator.machine.Cpus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Limits to what a process may use of its host. The launcher applies all of them, in this one
 * place: affinity by {@code taskset}, quota and memory by a {@link ControlGroup}. The quota applies
 * while its trials load.
 *
 * @param affinity numbers of the processors that it is bound to; empty for all
 * @param cpus the largest quota of any of its trials, in CPU seconds per second; 0 for none
 * @param memoryBytes of the whole process, heap included; 0 for no limit
 */
public record ProcessLimits(List<Integer> affinity, double cpus, long memoryBytes) {
  public static final ProcessLimits NONE = new ProcessLimits(List.of(), 0, 0);

  public ProcessLimits {
    affinity = List.copyOf(affinity);
  }

  /**
   * The limits of the index-th of several processes, which share a host's processors in turn.
   *
   * @param cores processors that it is bound to; 0 for all
   */
  public static ProcessLimits of(
      List<Integer> processors, int index, int cores, double cpus, long memoryBytes) {
    return new ProcessLimits(
        cores == 0 ? List.of() : Cpus.share(processors, index, cores), cpus, memoryBytes);
  }

  public boolean needsControlGroup() {
    return cpus > 0 || memoryBytes > 0;
  }

  /** Flags that tell a JVM to count on no more processors than it may use. */
  public List<String> jvmFlags() {
    if (affinity.isEmpty() && cpus == 0) {
      return List.of();
    }
    double most = cpus == 0 ? affinity.size() : Math.ceil(cpus);
    double count = affinity.isEmpty() ? most : Math.min(most, affinity.size());
    return List.of("-XX:ActiveProcessorCount=" + Math.max(1, (int) count));
  }

  /** The command that runs a command on the processors that it is bound to. */
  public List<String> bind(List<String> command) {
    if (affinity.isEmpty()) {
      return command;
    }
    String numbers = affinity.stream().map(String::valueOf).collect(Collectors.joining(","));
    List<String> bound = new ArrayList<>(List.of("taskset", "-c", numbers));
    bound.addAll(command);
    return bound;
  }
}
