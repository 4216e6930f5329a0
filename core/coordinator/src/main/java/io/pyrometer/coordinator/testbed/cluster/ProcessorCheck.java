package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.protocol.Answer;
import java.util.Map;
import java.util.TreeMap;

/** What the nodes say, from inside, of the processors that they have. */
public record ProcessorCheck(Map<String, Answer.Used> nodes) {

  public static ProcessorCheck of(ProcessUsage usage) {
    Map<String, Answer.Used> nodes = new TreeMap<>(usage.byProcess());
    nodes.keySet().removeIf(name -> !name.startsWith("node"));
    return new ProcessorCheck(nodes);
  }

  /**
   * @param cores that each node is bound to; 0 for all
   * @throws WorkerException naming a node that counts on others, or may run on others
   */
  public void mustBe(int cores) {
    if (cores == 0) {
      return;
    }
    nodes.forEach(
        (name, says) -> {
          if (says.cores() != cores || Cpus.parse(says.cpusAllowed()).size() != cores) {
            throw WorkerException.mismatch(
                "%s needs %d cores, but its JVM sees %d and may run on processors '%s'."
                    .formatted(name, cores, says.cores(), says.cpusAllowed()));
          }
        });
  }

  /** What was read back from the grid, with the nodes' processors. */
  public Map<String, String> addedTo(Map<String, String> configuration) {
    Map<String, String> all = new TreeMap<>(configuration);
    nodes.forEach((name, says) -> all.put(name + ".processors", words(says)));
    return all;
  }

  private static String words(Answer.Used says) {
    return says.cpusAllowed().isEmpty()
        ? String.valueOf(says.cores())
        : "%d of %s".formatted(says.cores(), says.cpusAllowed());
  }
}
