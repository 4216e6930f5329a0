package io.pyrometer.coordinator.testbed;

import io.pyrometer.coordinator.machine.Cpus;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process may use of its host. The launcher applies all of them, in this one place.
 *
 * @param affinity numbers of the processors that it is bound to; empty for all
 */
public record ProcessLimits(List<Integer> affinity) {
  /** No limits. */
  public static final ProcessLimits NONE = new ProcessLimits(List.of());

  public ProcessLimits {
    affinity = List.copyOf(affinity);
  }

  /**
   * Binds the index-th of several processes to so many of a host's processors, going round.
   *
   * @param cores 0 for all
   */
  static ProcessLimits ofCores(List<Integer> processors, int index, int cores) {
    return cores == 0 ? NONE : new ProcessLimits(Cpus.share(processors, index, cores));
  }

  /** What a JVM must be told so that it counts on no more processors than it may use. */
  List<String> jvmFlags() {
    return affinity.isEmpty() ? List.of() : List.of("-XX:ActiveProcessorCount=" + affinity.size());
  }

  /** The command that runs a command within these limits. */
  List<String> applyTo(List<String> command) {
    if (affinity.isEmpty()) {
      return command;
    }
    List<String> limited =
        new ArrayList<>(
            List.of(
                "taskset", "-c", String.join(",", affinity.stream().map(i -> "" + i).toList())));
    limited.addAll(command);
    return limited;
  }
}
