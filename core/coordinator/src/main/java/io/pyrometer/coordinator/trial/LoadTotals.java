package io.pyrometer.coordinator.trial;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.TrialRecord.Counts;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Totals of all agents together in the measured part.
 *
 * @param arrivals what the schedule of an open loop asked for and got; empty in closed loop
 * @param latencies in nanoseconds, by operation
 * @param events what access paths counted besides calls, by name
 * @param agents the answers that were added up, in the order of the agents
 */
public record LoadTotals(
    double seconds,
    long records,
    long calls,
    long failedCalls,
    List<String> errors,
    double recordsPerSecond,
    Optional<Arrivals> arrivals,
    double slipP99Micros,
    Map<String, LatencyCounts> latencies,
    Map<String, Long> events,
    List<Answer.Finished> agents) {

  public static LoadTotals of(List<Answer.Finished> agents) {
    return of(agents, false);
  }

  /**
   * The sums of all agents.
   *
   * @param once whether each wrote a part of the records once: it ends with the last of them
   */
  static LoadTotals of(List<Answer.Finished> agents, boolean once) {
    DoubleSummaryStatistics seconds =
        agents.stream().mapToDouble(Answer.Finished::seconds).summaryStatistics();
    long records = agents.stream().mapToLong(Answer.Finished::records).sum();
    return new LoadTotals(
        once ? Math.max(0, seconds.getMax()) : seconds.getAverage(),
        records,
        agents.stream().mapToLong(Answer.Finished::calls).sum(),
        agents.stream().mapToLong(Answer.Finished::failedCalls).sum(),
        agents.stream().flatMap(agent -> agent.errors().stream()).distinct().limit(5).toList(),
        once
            ? records / Math.max(seconds.getMax(), 1e-9)
            : agents.stream().mapToDouble(a -> a.records() / Math.max(a.seconds(), 1e-9)).sum(),
        agents.stream().flatMap(a -> a.arrivals().stream()).reduce(Arrivals::plus),
        agents.stream().mapToDouble(Answer.Finished::slipP99Micros).max().orElse(0),
        Latencies.totals(agents),
        events(agents),
        agents);
  }

  Counts counts() {
    return new Counts(seconds, records, calls, failedCalls, errors);
  }

  /** Time of the slowest load thread's first call, warm-up included, in µs; 0 where none ended. */
  double firstCallMicros() {
    return agents.stream().mapToDouble(Answer.Finished::firstCallMicros).max().orElse(0);
  }

  private static Map<String, Long> events(List<Answer.Finished> agents) {
    Map<String, Long> sums = new TreeMap<>();
    agents.forEach(
        agent -> agent.events().forEach((name, count) -> sums.merge(name, count, Long::sum)));
    return sums;
  }
}
