package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.experiment.design.ScalingSeries.Count;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Analyses that are a table of metrics of each treatment, and comparisons by some of them. */
final class TableAnalyses {
  private static final double MIB = 1 << 20;
  private static final String LOST = Metric.EVENTS + "events-lost";
  private static final String DUPLICATE = Metric.EVENTS + "events-doubled";
  private static final String READS_OF_DROPPED = Metric.EVENTS + "reads-of-dropped";
  private static final double CALLS = 1_000;
  private static final String GC = "gc.";

  static final List<Analysis> ALL =
      List.of(
          new DeclaredAnalysis("queries", "queries", "ms", TableAnalyses::queries),
          new DeclaredAnalysis("first-call", "first call", "ms", TableAnalyses::firstCall),
          new DeclaredAnalysis(
              "continuous-queries",
              "continuous queries",
              "events/s",
              TableAnalyses::continuousQueries),
          new DeclaredAnalysis("expiry", "remaining entries", "records", TableAnalyses::expiry),
          new DeclaredAnalysis("load", "time to load", "s", TableAnalyses::load)
              .shownFor(run -> run.any(TableAnalyses::loads)),
          new DeclaredAnalysis("pauses", "pauses and latency", "ms", TableAnalyses::pauses)
              .requiring(
                  each ->
                      each.settings().get(CoreSettings.TELEMETRY).contains(TelemetryKind.GC.id())),
          new DeclaredAnalysis("limits", "utilisation", "%", Limits::analyze));

  private TableAnalyses() {}

  private static double records(TrialRecord trial) {
    return trial.settings().get(CoreSettings.RECORDS);
  }

  /** The latency of each query of a mix with every treatment, and treatments with wrong results. */
  private static StudyResult queries(RunRecord run) {
    RunRecord queried = run.of(trial -> trial.job() == Job.QUERY);
    Tabulation all = new Tabulation("queries", queried, TreatmentRow.ranked(queried));
    all.warnOfWrongContents();
    Set<String> queries = TreatmentRow.operations(all.rows());
    for (LatencyStatistic statistic : List.of(LatencyStatistic.P50, LatencyStatistic.P99)) {
      MetricTable<TreatmentRow> table = all.table().estimate("queries/s", TreatmentRow::throughput);
      queries.forEach(query -> table.estimate(query, row -> row.millis(query, statistic)));
      all.show("%s in ms".formatted(statistic.label()), table);
    }
    for (String query : queries) {
      String what = "p50 of the query '%s'".formatted(query);
      all.compareLatency(what, query, LatencyStatistic.P50, row -> true, queries.size());
    }
    return all.result();
  }

  /** The first call of fresh processes beside warm calls of the same trial. */
  private static StudyResult firstCall(RunRecord run) {
    List<TrialRecord> cold =
        run.finished().stream().filter(t -> t.beganCold() && first(t).isPresent()).toList();
    Tabulation all =
        new Tabulation("first-call", run, TreatmentRow.of(cold, TrialRecord::label, List.of()));
    for (TreatmentRow row : all.rows()) {
      all.add(
          Finding.info("first-call.ratio")
              .with("treatment", row.label())
              .with("first", row.geometricMean(TableAnalyses::first).orElseThrow().times(1, "ms"))
              .with("ratio", row.geometricMean(TableAnalyses::ratio).orElseThrow()));
    }
    all.show(
        all.table()
            .count("starts", row -> row.trials().size())
            .estimate("first call [ms]", row -> row.geometricMean(TableAnalyses::first))
            .estimate("warm call [ms]", row -> row.geometricMean(TableAnalyses::warm))
            .estimate("first / warm", row -> row.geometricMean(TableAnalyses::ratio)));
    all.compare("First call", Metric.FIRST_CALL, "ms");
    return all.result();
  }

  private static Optional<Double> first(TrialRecord trial) {
    return trial.value(Metric.FIRST_CALL);
  }

  private static Optional<Double> warm(TrialRecord trial) {
    return RateSearch.worst(trial, LatencyStatistic.MEAN).map(micros -> micros / 1e3);
  }

  private static Optional<Double> ratio(TrialRecord trial) {
    return first(trial).flatMap(cold -> warm(trial).map(after -> cold / after));
  }

  /** The events of continuous queries: rate, delay from a write, lost and duplicate ones. */
  private static StudyResult continuousQueries(RunRecord run) {
    RunRecord listening = run.of(trial -> trial.settings().has(PathSettings.LISTENERS));
    Tabulation all =
        new Tabulation("continuous-queries", listening, TreatmentRow.ranked(listening));
    all.warn("continuous-queries.incomplete", TableAnalyses::incomplete);
    if (all.rows().stream().noneMatch(TableAnalyses::incomplete)) {
      long writes = listening.counting().stream().mapToLong(t -> t.counts().calls()).sum();
      all.add(
          Finding.info("continuous-queries.complete")
              .with("writes", writes)
              .with("trials", listening.counting().size()));
    }
    // A server event lengthens delays by itself.
    Predicate<TreatmentRow> compared = row -> !incomplete(row) && !serverEvent(row);
    TreatmentRow.operations(all.rows()).stream()
        .limit(1)
        .forEach(
            operation ->
                all.compareLatency(
                    "p99 of the delay of events", operation, LatencyStatistic.P99, compared, 1));
    all.show(
        all.table()
            .estimate("events/s", TableAnalyses::events)
            .estimate("delay p50 [ms]", row -> row.millis(LatencyStatistic.P50))
            .estimate("delay p99 [ms]", row -> row.millis(LatencyStatistic.P99))
            .number("lost", row -> row.max(LOST))
            .number("duplicate", row -> row.max(DUPLICATE)));
    return all.result();
  }

  private static Optional<Estimate> events(TreatmentRow row) {
    int listeners = row.trial().settings().get(PathSettings.LISTENERS);
    return row.throughput().map(writes -> writes.times(listeners, ""));
  }

  private static boolean incomplete(TreatmentRow row) {
    return row.max(LOST).orElse(0.0) > 0 || row.max(DUPLICATE).orElse(0.0) > 0;
  }

  private static boolean serverEvent(TreatmentRow row) {
    return !row.trial().settings().find(CoreSettings.SERVER_EVENT).orElse("none").equals("none");
  }

  /**
   * The entries that remain under expiry and eviction, the hit ratio, and the memory of an entry.
   */
  private static StudyResult expiry(RunRecord run) {
    Tabulation all = new Tabulation("expiry", run, TreatmentRow.valid(run, trial -> true));
    all.warnOfWrongContents();
    if (all.rows().stream().allMatch(row -> row.values(Metric.RECORDS_LEFT).isEmpty())) {
      all.add(Finding.notice("expiry.no-treatment"));
    } else {
      NamedMetric metric = new NamedMetric("hit-ratio", "%", Direction.HIGHER);
      all.compare("Hit ratio", metric, TableAnalyses::hitRatio, row -> true);
    }
    all.show(
        all.table()
            .estimate("records/s", row -> row.geometricMean(Metric.THROUGHPUT))
            .estimate("remaining", row -> row.mean(TableAnalyses::remaining))
            .formatted("of", row -> Numbers.whole(records(row.trial())))
            .estimate("hit ratio [%]", row -> row.mean(TableAnalyses::hitRatio))
            .estimate("CPU [µs]", row -> row.geometricMean(Metric.CPU))
            .estimate("off-heap [B]", row -> row.mean(Metric.MEMORY))
            .estimate("on-heap [MiB]", row -> row.mean(TableAnalyses::heap)));
    return all.result();
  }

  private static Optional<Double> remaining(TrialRecord trial) {
    return Optional.of(trial.value(Metric.RECORDS_LEFT).orElse(records(trial)));
  }

  /** In percent of the reads of entries that are or were there. */
  private static Optional<Double> hitRatio(TrialRecord trial) {
    if (trial.job() != Job.MIX) {
      return Optional.empty();
    }
    double existing = 1 - trial.settings().get(CoreSettings.MISSES);
    double reads = trial.settings().get(CoreSettings.READS) * existing;
    double gone = trial.value(READS_OF_DROPPED).orElse(0.0) / CALLS;
    return reads <= 0 ? Optional.empty() : Optional.of(100 * Math.max(0, 1 - gone / reads));
  }

  /** In MiB, of all servers together. */
  private static Optional<Double> heap(TrialRecord trial) {
    return trial.value(Metric.HEAP_MEMORY).flatMap(one -> remaining(trial).map(n -> one * n / MIB));
  }

  private static boolean loads(TrialRecord trial) {
    return CoreSettings.loadsOnce(trial.settings());
  }

  /** The time to load all records once, and the memory that they then take. */
  private static StudyResult load(RunRecord run) {
    Tabulation all = new Tabulation("load", run, TreatmentRow.valid(run, TableAnalyses::loads));
    all.compare("Time to load", Metric.LOADED, "s");
    all.compare("CPU time per record", Metric.CPU, "µs");
    all.show(
        all.table()
            .formatted("records", row -> Numbers.whole(records(row.trial())))
            .estimate("time [s]", row -> row.geometricMean(Metric.LOADED))
            .estimate("records/s", row -> row.geometricMean(Metric.THROUGHPUT))
            .estimate("CPU [µs/record]", row -> row.geometricMean(Metric.CPU))
            .estimate("off-heap [B/record]", row -> row.geometricMean(Metric.MEMORY))
            .estimate("on-heap [B/record]", row -> row.geometricMean(Metric.HEAP_MEMORY)));
    Optional<Value> offHeap = most(all.rows(), Metric.MEMORY);
    Optional<Value> onHeap = most(all.rows(), Metric.HEAP_MEMORY);
    if (offHeap.isPresent() || onHeap.isPresent()) {
      all.add(Finding.info("load.memory").with("off-heap", offHeap).with("on-heap", onHeap));
    }
    return all.result();
  }

  /** Bytes on all servers, of the treatment with the most. */
  private static Optional<Value> most(List<TreatmentRow> rows, String perRecord) {
    return rows.stream()
        .flatMap(
            row ->
                row
                    .geometricMean(perRecord)
                    .map(one -> one.value() * records(row.trial()))
                    .stream())
        .max(Double::compare)
        .map(Value::bytes);
  }

  /** GC and safepoint pauses of servers and clients beside the latency of the same trials. */
  private static StudyResult pauses(RunRecord run) {
    List<TrialRecord> logged =
        run.counting(trial -> trial.metrics().keySet().stream().anyMatch(n -> n.startsWith(GC)));
    Tabulation all =
        new Tabulation(
            "pauses", run, TreatmentRow.of(logged, KindReport::labelOf, Rankings.of(run)));
    for (String process : List.of("node", "agent")) {
      if (logged.stream().anyMatch(t -> t.metrics().containsKey(gc(process, "pauses")))) {
        String role = process.equals("node") ? "servers" : "clients";
        all.show("Pauses of " + role, pauses(process, all));
        // A trial without a pause has no longest one.
        if (logged.stream().allMatch(t -> t.metrics().containsKey(gc(process, "pause-max")))) {
          all.compare("Longest pause of " + role, gc(process, "pause-max"), "ms");
        }
      }
    }
    return all.result();
  }

  private static String gc(String process, String name) {
    return GC + name + "." + process + "s";
  }

  private static MetricTable<TreatmentRow> pauses(String process, Tabulation all) {
    MetricTable<TreatmentRow> table = all.table();
    new TreeSet<>(TreatmentRow.operations(all.rows()))
        .forEach(
            operation ->
                table.estimate(
                    "p99 " + operation + " [ms]",
                    row -> row.millis(operation, LatencyStatistic.P99)));
    return table
        .number("longest pause [ms]", row -> row.max(gc(process, "pause-max")))
        .number("pauses/s", row -> perSecond(row, gc(process, "pauses")))
        .number(
            "stopped [%]",
            row ->
                perSecond(row, gc(process, "stopped"))
                    .map(millis -> millis / 10 / processes(row.trial(), process)))
        .number("MiB/s allocated", row -> row.average(gc(process, "allocation-rate")))
        .number("live [MiB]", row -> row.average(gc(process, "live-set")));
  }

  private static long processes(TrialRecord trial, String process) {
    String prefix = GC + "stopped." + process + "-";
    return Math.max(1, trial.metrics().keySet().stream().filter(n -> n.startsWith(prefix)).count());
  }

  /** The sum over the trials by the seconds of all of them. */
  private static Optional<Double> perSecond(TreatmentRow row, String metric) {
    double seconds = row.trials().stream().mapToDouble(t -> t.counts().seconds()).sum();
    return Optional.of(row.values(metric).stream().mapToDouble(v -> v).sum() / seconds);
  }

  /**
   * The limit of each treatment: the utilisation of each resource, by the utilisation law
   * (throughput times service demand), and the one that is at its limit. Where none is, calls wait
   * for something that uses no resource, such as round trips, and the time of a call is set against
   * the CPU time that it takes.
   */
  private static final class Limits {
    /** From here on a queue of random arrivals waits four times as long as it is served. */
    private static final double LIMIT = 80;

    /** Tasks that wait for a thread of the servers' pools of stripes, on average. */
    private static final String STRIPED_QUEUE = "grid.striped-pool.queue.mean.nodes";

    private static final double MICRO = 1e-6;
    private static final double BITS = 8;

    private enum Resource {
      MACHINE("machine"),
      SERVERS("servers' quota"),
      CLIENTS("clients"),
      LINKS("links");

      private final String name;

      Resource(String name) {
        this.name = name;
      }

      /** The id of the finding on treatments that it limits. */
      String id() {
        return "limits." + Phrases.word(this);
      }

      /** Its utilisation in one trial, percent. */
      Optional<Double> of(TrialRecord trial) {
        return switch (this) {
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

    static StudyResult analyze(RunRecord run) {
      List<TreatmentRow> rows =
          TreatmentRow.valid(
              run, trial -> Stream.of(Resource.values()).anyMatch(r -> r.of(trial).isPresent()));
      Tabulation all = new Tabulation("limits", run, rows);
      MetricTable<TreatmentRow> table = all.table();
      for (Resource resource : Resource.values()) {
        if (rows.stream().anyMatch(row -> row.mean(resource::of).isPresent())) {
          table.number(resource.name + " [%]", row -> row.average(resource::of));
        }
      }
      if (rows.stream().anyMatch(row -> row.average(STRIPED_QUEUE).isPresent())) {
        table.number("striped queue", row -> row.average(STRIPED_QUEUE));
      }
      all.show(
          table
              .number("call [µs]", row -> row.average(Limits::callMicros))
              .number("its CPU time [µs]", row -> row.average(Limits::cpuMicros))
              .text(
                  "limited by",
                  row -> limit(row).map(resource -> resource.name).orElse("nothing")));
      rows.stream()
          .collect(ListsByKey.by(row -> limit(row).map(Resource::id).orElseGet(() -> reason(row))))
          .forEach((id, some) -> all.add(finding(id, some)));
      return all.result();
    }

    private static Optional<Resource> limit(TreatmentRow row) {
      return Stream.of(Resource.values())
          .filter(resource -> utilisation(row, resource) >= LIMIT)
          .max(Comparator.comparingDouble(resource -> utilisation(row, resource)));
    }

    private static double utilisation(TreatmentRow row, Resource resource) {
      return row.average(resource::of).orElse(0.0);
    }

    private static double recordsPerCall(TrialRecord trial) {
      return trial.counts().records() / (double) Math.max(1, trial.counts().calls());
    }

    private static Optional<Double> callMicros(TrialRecord trial) {
      return trial
          .throughput()
          .filter(rate -> rate > 0 && !held(trial))
          .map(rate -> Count.CLIENTS.of(trial.settings()) * recordsPerCall(trial) / rate / MICRO);
    }

    /** Returns whether calls came at the offered rate; otherwise all threads were busy. */
    private static boolean held(TrialRecord trial) {
      return OfferedRate.of(trial) > 0 && OfferedRate.achieved(trial) >= OfferedRate.LEAST_HELD;
    }

    private static Optional<Double> cpuMicros(TrialRecord trial) {
      return trial.value(Metric.CPU).map(micros -> micros * recordsPerCall(trial));
    }

    /** The id of the finding on a treatment that no recorded resource limits. */
    private static String reason(TreatmentRow row) {
      Optional<Double> call = row.average(Limits::callMicros);
      Optional<Double> cpu = row.average(Limits::cpuMicros);
      if (row.average(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU).isEmpty()) {
        return "limits.unknown";
      }
      if (call.isEmpty()) {
        return "limits.offered-rate";
      }
      return cpu.isPresent() && cpu.get() < call.get() / 2 ? "limits.waits" : "limits.few-calls";
    }

    private static Finding finding(String id, List<TreatmentRow> rows) {
      Optional<Double> most =
          rows.stream()
              .flatMap(row -> limit(row).map(resource -> utilisation(row, resource)).stream())
              .max(Double::compare);
      return Finding.info(id)
          .with("treatments", rows.stream().map(TreatmentRow::label).toList())
          .with("utilisation", most.map(percent -> Value.share(percent / 100)));
    }
  }
}
