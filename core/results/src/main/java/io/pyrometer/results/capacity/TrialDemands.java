package io.pyrometer.results.capacity;

import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Answer;
import java.util.Optional;

/**
 * The service demands of one valid trial, for one record unless said otherwise. CPU time of the
 * compilers is left out of demands: it ends once the code is warm, and would be taken for work of
 * every record in a short trial.
 *
 * @param servers number of servers, at least 1
 * @param backups backup copies of an entry, fewer than servers
 * @param recordsPerSecond throughput
 * @param clientSeconds CPU time of all clients
 * @param serverSeconds CPU time of all servers, without what they use idle
 * @param unrelated share of the servers' CPU time that compilers and idle work used, from 0 to 1
 * @param idleCpus CPU time that one server uses without load, in CPUs
 */
public record TrialDemands(
    TrialRecord trial,
    int servers,
    int backups,
    double recordsPerSecond,
    double clientSeconds,
    double serverSeconds,
    double unrelated,
    double idleCpus) {
  private static final double MICRO = 1e-6;

  /** Largest share of the servers' CPU time that counts as idle work; the rest is demand. */
  private static final double MOST_IDLE = 0.95;

  /** Empty where the trial is not valid or records no demands of clients and servers. */
  public static Optional<TrialDemands> of(PlannedRun plan, TrialRecord trial) {
    Optional<Double> clients = warm(trial, Metric.DEMAND_OF_CLIENTS);
    Optional<Double> servers = warm(trial, Metric.DEMAND_OF_SERVERS);
    Optional<Double> throughput = trial.throughput().filter(rate -> rate > 0);
    if (!trial.valid() || clients.isEmpty() || servers.isEmpty() || throughput.isEmpty()) {
      return Optional.empty();
    }
    int nodes = servers(trial);
    double idle = trial.value(Metric.IDLE_SERVER).orElse(0.0) / 1e3;
    double all = servers.get() * MICRO;
    double idlePerRecord = Math.min(MOST_IDLE * all, nodes * idle / throughput.get());
    double compiling =
        trial.value(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_JIT).orElse(0.0) * MICRO;
    return Optional.of(
        new TrialDemands(
            trial,
            nodes,
            plan.driver(trial.settings()).data(trial.settings()).copiesOn(nodes) - 1,
            throughput.get(),
            clients.get() * MICRO,
            all - idlePerRecord,
            (compiling + idlePerRecord) / (all + compiling),
            idle));
  }

  /** Servers that a trial started, or else found in the grid that it attached to; at least 1. */
  private static int servers(TrialRecord trial) {
    int started = (int) Count.NODES.of(trial.settings());
    return started > 0
        ? started
        : Optional.ofNullable(trial.configuration().get(Answer.Prepared.SERVERS))
            .map(Integer::valueOf)
            .orElse(1);
  }

  private static Optional<Double> warm(TrialRecord trial, String role) {
    return trial
        .value(role + Metric.DEMAND_CPU)
        .map(cpu -> cpu - trial.value(role + Metric.DEMAND_JIT).orElse(0.0))
        .filter(seconds -> seconds > 0);
  }

  /** Records per second that so many servers of some CPUs could carry, if nothing else limits. */
  public double serversBound(double cpus) {
    return servers * Math.max(0, cpus - idleCpus) / serverSeconds;
  }
}
