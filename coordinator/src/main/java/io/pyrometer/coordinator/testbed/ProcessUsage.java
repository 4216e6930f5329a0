package io.pyrometer.coordinator.testbed;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What every process of a cluster had used at one moment, by process name. */
public record ProcessUsage(Map<String, Answer.Used> byProcess) {

  public static ProcessUsage of(Cluster cluster) {
    List<ManagedProcess> everyone = cluster.everyone();
    List<Answer.Used> used =
        Broadcast.all(everyone, i -> new Command.Usage(), Answer.Used.class, Timeouts.QUICK);
    Map<String, Answer.Used> byProcess = new TreeMap<>();
    for (int i = 0; i < used.size(); i++) {
      byProcess.put(everyone.get(i).name(), used.get(i));
    }
    return new ProcessUsage(byProcess);
  }

  /** What was used from {@code before} to this. */
  public ProcessUsage since(ProcessUsage before) {
    Map<String, Answer.Used> used = new TreeMap<>();
    byProcess.forEach(
        (name, now) -> used.put(name, now.since(before.byProcess.getOrDefault(name, now))));
    return new ProcessUsage(used);
  }

  /** The CPU time of nodes and agents, without relays and switches. */
  public double gridCpuSeconds() {
    return cpuSeconds() - networkCpuSeconds();
  }

  public double networkCpuSeconds() {
    return byProcess.entrySet().stream()
        .filter(entry -> isNetwork(entry.getKey()))
        .mapToDouble(entry -> entry.getValue().cpuSeconds())
        .sum();
  }

  private static boolean isNetwork(String process) {
    return process.startsWith(Cluster.RELAY) || process.startsWith(Cluster.SWITCH);
  }

  public double cpuSeconds() {
    return byProcess.values().stream().mapToDouble(Answer.Used::cpuSeconds).sum();
  }

  public Map<String, Double> cpuSecondsByProcess() {
    Map<String, Double> seconds = new TreeMap<>();
    byProcess.forEach((name, used) -> seconds.put(name, used.cpuSeconds()));
    return seconds;
  }

  public List<Answer.Used> agents() {
    return byProcess.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("agent"))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** How long the agents were watched, in seconds. */
  public double seconds() {
    return agents().stream().mapToDouble(Answer.Used::upSeconds).average().orElse(0);
  }
}
