package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.WorkerProcess;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What every process of a cluster had used at one moment, by process name. */
record Usage(Map<String, Answer.Used> byProcess) {

  static Usage of(Cluster cluster) {
    List<WorkerProcess> everyone = cluster.everyone();
    List<Answer.Used> used =
        Fleet.all(everyone, i -> new Command.Usage(), Answer.Used.class, Timeouts.QUICK);
    Map<String, Answer.Used> byProcess = new TreeMap<>();
    for (int i = 0; i < used.size(); i++) {
      byProcess.put(everyone.get(i).name(), used.get(i));
    }
    return new Usage(byProcess);
  }

  /** What was used from {@code before} to this. */
  Usage since(Usage before) {
    Map<String, Answer.Used> used = new TreeMap<>();
    byProcess.forEach(
        (name, now) -> used.put(name, now.since(before.byProcess.getOrDefault(name, now))));
    return new Usage(used);
  }

  /** Of nodes and agents; a relay or a switch is a network, whose work is not the grid's. */
  double gridCpuSeconds() {
    return cpuSeconds() - networkCpuSeconds();
  }

  double networkCpuSeconds() {
    return byProcess.entrySet().stream()
        .filter(entry -> isNetwork(entry.getKey()))
        .mapToDouble(entry -> entry.getValue().cpuSeconds())
        .sum();
  }

  private static boolean isNetwork(String process) {
    return process.startsWith(Cluster.RELAY) || process.startsWith(Cluster.SWITCH);
  }

  double cpuSeconds() {
    return byProcess.values().stream().mapToDouble(Answer.Used::cpuSeconds).sum();
  }

  Map<String, Double> cpuSecondsByProcess() {
    Map<String, Double> seconds = new TreeMap<>();
    byProcess.forEach((name, used) -> seconds.put(name, used.cpuSeconds()));
    return seconds;
  }

  List<Answer.Used> agents() {
    return byProcess.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("agent"))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** How long the agents were watched, in seconds. */
  double seconds() {
    return agents().stream().mapToDouble(Answer.Used::upSeconds).average().orElse(0);
  }
}
