package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What limits each treatment: the utilisation of each resource, by the utilisation law (throughput
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

  private static final String NOT_KNOWN = "the servers' CPU time is not recorded";
  private static final double MICRO = 1e-6;
  private static final double BITS = 8;

  public LimitsAnalysis() {
    super("limits", "utilisation", "%");
  }

  /** A resource that is limited. */
  private enum Resource {
    MACHINE("the CPUs of the machine", "machine"),
    SERVERS("the CPU quota of the servers", "servers' quota"),
    CLIENTS("the CPUs of the clients", "clients"),
    LINKS("the links", "links"),
    DISKS("the disks", "disks");

    private final String words;
    private final String name;

    Resource(String words, String name) {
      this.words = words;
      this.name = name;
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
    Tabulation all = new Tabulation(run, rows, "No valid trial tells how busy anything was.");
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
    findings(rows).forEach(finding -> all.add(Optional.of(finding)));
    return all.result(
        "limits",
        "What limits each treatment",
        "Means of the blocks. A resource is at its limit from a utilisation of 80 % on; machine: the CPUs of"
            + " the busiest machine, other processes included; clients: those of the busiest agent. The time of a"
            + " call is the number of load threads divided by the calls per second of a closed loop: less than a call takes where a thread has several in flight.",
        "Other machines, more clients or larger batches.");
  }

  /** The busiest resource that is at its limit. */
  private static Optional<Resource> limit(TreatmentRow row) {
    Map<Resource, Double> shares = new EnumMap<>(Resource.class);
    for (Resource resource : Resource.values()) {
      row.mean(resource::of).ifPresent(mean -> shares.put(resource, mean.value()));
    }
    return shares.entrySet().stream()
        .filter(share -> share.getValue() >= LIMIT)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey);
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

  private static List<Finding> findings(List<TreatmentRow> rows) {
    Map<Optional<Resource>, List<TreatmentRow>> byLimit =
        rows.stream().collect(ListsByKey.by(LimitsAnalysis::limit));
    List<Finding> findings = new ArrayList<>();
    byLimit.forEach(
        (limit, limited) -> {
          if (limit.isPresent()) {
            findings.add(limited(limit.get(), limited, limited.size() == rows.size()));
          } else {
            limited.stream()
                .collect(ListsByKey.by(LimitsAnalysis::reason))
                .forEach((reason, some) -> findings.add(unlimited(reason, some)));
          }
        });
    return findings;
  }

  /** Why it is not limited by what was recorded, as the predicate of a sentence. */
  private static String reason(TreatmentRow row) {
    if (average(row, t -> t.value(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU)).isEmpty()) {
      return NOT_KNOWN;
    }
    if (average(row, LimitsAnalysis::callMicros).isEmpty()) {
      return "the offered rate needs no more";
    }
    return waits(row)
        ? "calls wait, for round trips or for other calls, most of their time"
        : "there are too few calls in flight to use the CPUs";
  }

  /** Whether its calls use CPU time for less than half of their time. */
  private static boolean waits(TreatmentRow row) {
    Optional<Double> cpu = average(row, LimitsAnalysis::cpuMicros);
    return average(row, LimitsAnalysis::callMicros)
        .filter(call -> cpu.isPresent() && cpu.get() < call / 2)
        .isPresent();
  }

  private static Optional<Double> average(
      TreatmentRow row, Function<TrialRecord, Optional<Double>> value) {
    return row.mean(value).map(Estimate::value);
  }

  private static Finding limited(Resource by, List<TreatmentRow> rows, boolean all) {
    double[] shares =
        rows.stream()
            .flatMap(row -> row.mean(by::of).stream())
            .mapToDouble(Estimate::value)
            .toArray();
    String which =
        rows.size() == 1
            ? rows.get(0).label() + " is"
            : (all ? "All treatments" : Phrases.and(labels(rows))) + " are";
    return Finding.info(
        Finding.Kind.ESTIMATE,
        "%s limited by %s (utilisation %s).".formatted(which, by.words, range(shares)),
        "More of it: machines of their own for servers and clients, larger quotas, faster links.");
  }

  private static String range(double... percents) {
    String least = "%.0f".formatted(DoubleStream.of(percents).min().orElse(0));
    String most = "%.0f".formatted(DoubleStream.of(percents).max().orElse(0));
    return least.equals(most) ? most + " %" : least + " to " + most + " %";
  }

  private static Finding unlimited(String reason, List<TreatmentRow> rows) {
    String sentence =
        reason.equals(NOT_KNOWN)
            ? "It is not known what limits %s: %s.".formatted(Phrases.and(labels(rows)), reason)
            : "No resource is at its limit with %s: %s.%s"
                .formatted(Phrases.and(labels(rows)), reason, example(rows.get(0)));
    return Finding.info(
        Finding.Kind.ESTIMATE,
        sentence,
        "More load threads (factor 'threads'), or more records in each call.");
  }

  private static String example(TreatmentRow row) {
    return average(row, LimitsAnalysis::callMicros)
        .flatMap(
            call ->
                average(row, LimitsAnalysis::cpuMicros)
                    .map(
                        cpu ->
                            " A call of %s takes %s; all processes use %s of CPU time for it."
                                .formatted(row.label(), Numbers.micros(call), Numbers.micros(cpu))))
        .orElse("");
  }

  private static List<String> labels(List<TreatmentRow> rows) {
    return rows.stream().map(TreatmentRow::label).toList();
  }
}
