package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Usage of every process of a cluster up to one moment, by process name. */
public record ProcessUsage(Map<String, Answer.Used> byProcess) {

  /** The share of CPU time up to which the JIT compilers of a process count as quiet. */
  private static final double QUIET_COMPILERS = 0.05;

  /** A process that used a smaller share of the CPU time of all says nothing of its compilers. */
  private static final double MIN_SHARE_OF_ALL = 0.03;

  /** Usage of these processes, which live. */
  public static ProcessUsage of(List<ManagedProcess> processes) {
    List<Answer.Used> used =
        ManagedProcess.requestAll(
            processes, i -> new Command.Usage(), Answer.Used.class, Timeouts.QUICK);
    Map<String, Answer.Used> byProcess = new TreeMap<>();
    for (int i = 0; i < used.size(); i++) {
      byProcess.put(processes.get(i).name(), used.get(i));
    }
    return new ProcessUsage(byProcess);
  }

  /** Usage from {@code before} to this. */
  public ProcessUsage since(ProcessUsage before) {
    Map<String, Answer.Used> used = new TreeMap<>();
    byProcess.forEach(
        (name, now) -> used.put(name, now.since(before.byProcess.getOrDefault(name, now))));
    return new ProcessUsage(used);
  }

  /** Usage of these processes alone. */
  public ProcessUsage only(Predicate<String> names) {
    Map<String, Answer.Used> some = new TreeMap<>(byProcess);
    some.keySet().removeIf(names.negate());
    return new ProcessUsage(some);
  }

  /** The CPU time of nodes and agents, without relays and switches. */
  public double gridCpuSeconds() {
    return cpuSeconds(agents()) + cpuSeconds(nodes());
  }

  public double networkCpuSeconds() {
    return cpuSeconds(ofKind(ManagedProcess.RELAY)) + cpuSeconds(ofKind(ManagedProcess.SWITCH));
  }

  public double cpuSeconds() {
    return cpuSeconds(byProcess.values());
  }

  private static double cpuSeconds(Collection<Answer.Used> of) {
    return of.stream().mapToDouble(Answer.Used::cpuSeconds).sum();
  }

  /**
   * The share of a process's CPU time that its JIT compilers used, of the process with the largest;
   * 0 where no process is a JVM.
   */
  public double compilerShare() {
    double least = MIN_SHARE_OF_ALL * cpuSeconds();
    return byProcess.values().stream()
        .filter(used -> used.cpuSeconds() > least)
        .mapToDouble(used -> used.inside().compilerSeconds() / used.cpuSeconds())
        .max()
        .orElse(0);
  }

  /** Returns whether the code of every process is compiled, as far as the load has reached it. */
  public boolean compilersAreQuiet() {
    return quietCompilers(compilerShare());
  }

  /** Returns whether compilers that use this share of a process's CPU time count as quiet. */
  public static boolean quietCompilers(double share) {
    return share < QUIET_COMPILERS;
  }

  public List<Answer.Used> agents() {
    return ofKind(ManagedProcess.AGENT);
  }

  public List<Answer.Used> nodes() {
    return ofKind(ManagedProcess.NODE);
  }

  private List<Answer.Used> ofKind(String kind) {
    return byProcess.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(kind))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Bytes that the data of all nodes take at the moment; empty where the product does not tell. */
  public Optional<Long> storedBytes() {
    return sum(nodes().stream().map(node -> node.inside().storedBytes()), Long::sum);
  }

  /** The sum where all are known; empty where one is not, or there is none. */
  public static <N> Optional<N> sum(Stream<Optional<N>> parts, BinaryOperator<N> plus) {
    return parts
        .reduce((one, other) -> one.flatMap(sum -> other.map(more -> plus.apply(sum, more))))
        .flatMap(sum -> sum);
  }

  /** How long the agents were watched, in seconds. */
  public double seconds() {
    return agents().stream().mapToDouble(Answer.Used::upSeconds).average().orElse(0);
  }
}
