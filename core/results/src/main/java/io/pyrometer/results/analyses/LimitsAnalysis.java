package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.study.StudyResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The limit of each treatment: the utilisation of each resource, by the utilisation law (throughput
 * times service demand), and the one that is at its limit. Where none is, calls wait for something
 * that uses no resource, such as round trips, and the time of a call is set against the CPU time
 * that it takes.
 */
public final class LimitsAnalysis extends WholeRunAnalysis {
  /** From here on a queue of random arrivals waits four times as long as it is served. */
  private static final double LIMIT = 80;

  private static final String DISK_BUSY = "io.disk-busy-max.nodes";

  /** Tasks that wait for a thread of the servers' pools of stripes, on average. */
  private static final String STRIPED_QUEUE = "grid.striped-pool.queue.mean.nodes";

  private static final double MICRO = 1e-6;
  private static final double BITS = 8;

  public LimitsAnalysis() {
    super("limits", "utilisation", "%");
  }

  /** A resource that is limited. */
  private enum Resource {
    MACHINE("machine"),
    SERVERS("servers' quota"),
    CLIENTS("clients"),
    LINKS("links"),
    DISKS("disks");

    private final String name;

    Resource(String name) {
      this.name = name;
    }

    /** The id of the finding on treatments that it limits. */
    String id() {
      return "limits." + name().toLowerCase(Locale.ROOT);
    }

    /** Its utilisation in one trial, percent. */
    Optional<Double> of(TrialRecord trial) {
      return switch (this) {
        case DISKS -> trial.value(DISK_BUSY);
        case MACHINE -> trial.value(Metric.MACHINE + "busy");
        case SERVERS ->
            quota(
                trial,
                Metric.DEMAND_OF_SERVERS,
                trial.settings().get(CoreSettings.NODE_CPUS) * Count.NODES.of(trial.settings()));
        case CLIENTS -> {
          double cpus =
              trial.settings().get(CoreSettings.AGENT_CPUS)
                  * trial.settings().get(CoreSettings.AGENTS);
          yield quota(trial, Metric.DEMAND_OF_CLIENTS, cpus)
              .or(
                  () ->
                      trial.validity().stream()
                          .filter(check -> check.name().equals(Check.CLIENT_CPU))
                          .map(Check::value)
                          .findFirst());
        }
        case LINKS -> {
          double bits = trial.settings().get(CoreSettings.LINK_RATE);
          double rate = trial.throughput().orElse(0.0);
          double servers =
              bytes(trial, Metric.DEMAND_OF_SERVERS) / Count.NODES.of(trial.settings());
          double clients =
              bytes(trial, Metric.DEMAND_OF_CLIENTS) / trial.settings().get(CoreSettings.AGENTS);
          yield Optional.of(100 * rate * BITS * Math.max(servers, clients) / bits)
              .filter(share -> bits > 0 && share > 0);
        }
      };
    }

    private static Optional<Double> quota(TrialRecord trial, String role, double cpus) {
      return trial
          .value(role + Metric.DEMAND_CPU)
          .filter(demand -> cpus > 0)
          .map(demand -> 100 * trial.throughput().orElse(0.0) * demand * MICRO / cpus);
    }

    private static double bytes(TrialRecord trial, String role) {
      return Stream.of(Metric.DEMAND_BYTES_IN, Metric.DEMAND_BYTES_OUT)
          .mapToDouble(direction -> trial.value(role + direction).orElse(0.0))
          .max()
          .orElse(0);
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<TreatmentRow> rows =
        TreatmentRow.valid(
            run, trial -> Stream.of(Resource.values()).anyMatch(r -> r.of(trial).isPresent()));
    Tabulation all = new Tabulation(run, rows, "limits.no-trial");
    MetricTable<TreatmentRow> table = all.table("not recorded, or not limited");
    for (Resource resource : Resource.values()) {
      if (rows.stream().anyMatch(row -> row.mean(resource::of).isPresent())) {
        table.number(resource.name + " [%]", row -> average(row, resource::of));
      }
    }
    if (rows.stream().anyMatch(row -> row.average(STRIPED_QUEUE).isPresent())) {
      table.number("striped queue", row -> row.average(STRIPED_QUEUE));
    }
    all.show(
        "One row per treatment",
        table
            .number("call [µs]", row -> average(row, LimitsAnalysis::callMicros))
            .number("its CPU time [µs]", row -> average(row, LimitsAnalysis::cpuMicros))
            .text(
                "limited by", row -> limit(row).map(resource -> resource.name).orElse("nothing")));
    rows.stream()
        .collect(ListsByKey.by(row -> limit(row).map(Resource::id).orElseGet(() -> reason(row))))
        .forEach((id, some) -> all.add(finding(id, some)));
    return all.result(
        "limits",
        "What limits each treatment",
        "Means of the blocks. A resource is at its limit from a utilisation of 80 % on; machine: the CPUs of the busiest machine, other processes included; clients: those of the busiest agent. The time of a call is the number of load threads by the calls per second of a closed loop.");
  }

  /** The busiest resource that is at its limit. */
  private static Optional<Resource> limit(TreatmentRow row) {
    return Stream.of(Resource.values())
        .filter(resource -> utilisation(row, resource) >= LIMIT)
        .max(Comparator.comparingDouble(resource -> utilisation(row, resource)));
  }

  private static double utilisation(TreatmentRow row, Resource resource) {
    return average(row, resource::of).orElse(0.0);
  }

  private static double recordsPerCall(TrialRecord trial) {
    return trial.counts().records() / (double) Math.max(1, trial.counts().calls());
  }

  private static Optional<Double> callMicros(TrialRecord trial) {
    return trial
        .throughput()
        .filter(rate -> rate > 0 && OfferedRate.of(trial) == 0)
        .map(rate -> Count.CLIENTS.of(trial.settings()) * recordsPerCall(trial) / rate / MICRO);
  }

  private static Optional<Double> cpuMicros(TrialRecord trial) {
    return trial.value(Metric.CPU).map(micros -> micros * recordsPerCall(trial));
  }

  /** The id of the finding on a treatment that no recorded resource limits. */
  private static String reason(TreatmentRow row) {
    Optional<Double> call = average(row, LimitsAnalysis::callMicros);
    Optional<Double> cpu = average(row, LimitsAnalysis::cpuMicros);
    if (average(row, t -> t.value(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU)).isEmpty()) {
      return "limits.unknown";
    }
    if (call.isEmpty()) {
      return "limits.offered-rate";
    }
    return cpu.isPresent() && cpu.get() < call.get() / 2 ? "limits.waits" : "limits.few-calls";
  }

  private static Optional<Double> average(
      TreatmentRow row, Function<TrialRecord, Optional<Double>> value) {
    return row.mean(value).map(Estimate::value);
  }

  private static Finding finding(String id, List<TreatmentRow> rows) {
    Optional<Double> most =
        rows.stream()
            .flatMap(row -> limit(row).map(resource -> utilisation(row, resource)).stream())
            .max(Double::compare);
    return Finding.info(id)
        .with("treatments", Value.names(rows.stream().map(TreatmentRow::label).toList()))
        .with("utilisation", most.map(percent -> Value.share(percent / 100)));
  }
}
