package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.TelemetryKind;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OperationLatency;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * The stops of the servers' and clients' JVMs beside the latency of the same trials, from the
 * telemetry {@code gc}: what a collector, a heap or a JDK costs in pauses and gives in p99.
 */
final class RunPauses {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "pauses";
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return PlannedTreatment.require(
          treatments,
          each -> each.settings().get(CoreSettings.TELEMETRY).contains(TelemetryKind.GC.id()),
          "'pauses' needs the logs of garbage collection, and no treatment records them; give"
              + " 'telemetry: gc' or remove it.");
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunPauses.of(run);
    }
  }

  private static final String GC = "gc.";
  private static final List<String> ROLES = List.of("nodes", "agents");

  private final Map<String, List<TrialRecord>> treatments = new LinkedHashMap<>();

  /** Of each treatment, as the ranking has them. */
  private final Map<String, List<OperationLatency>> latencies = new HashMap<>();

  private final TreeSet<String> operations = new TreeSet<>();

  private RunPauses(RunRecord run) {
    for (TrialRecord trial : run.counting()) {
      if (trial.metrics().keySet().stream().anyMatch(name -> name.startsWith(GC))) {
        treatments
            .computeIfAbsent(Rankings.rankedLabel(trial), label -> new ArrayList<>())
            .add(trial);
      }
    }
    if (!treatments.isEmpty()) {
      for (Ranking ranking : Rankings.of(run)) {
        for (Ranking.Row row : ranking.rows()) {
          latencies.put(row.label(), row.latencies());
          row.latencies().forEach(latency -> operations.add(latency.operation()));
        }
      }
    }
  }

  static List<RunAnalysis> of(RunRecord run) {
    return List.of(
        new RunAnalysis(
            "pauses",
            "",
            "pauses beside latency",
            "ms",
            true,
            RunAnalyses.analyze(() -> new RunPauses(run).analyze())));
  }

  private StudyResult analyze() {
    if (treatments.isEmpty()) {
      throw new BadDataException(
          "No trial has figures of garbage collection, so there are no pauses to show: set"
              + " 'telemetry: gc'.");
    }
    List<Exhibit> exhibits = new ArrayList<>();
    for (String role : ROLES) {
      if (treatments.values().stream()
          .flatMap(List::stream)
          .anyMatch(trial -> trial.metrics().containsKey(name("pauses", role)))) {
        exhibits.add(
            Exhibit.of(role.equals("nodes") ? "Servers" : "Clients (agents)", table(role)));
      }
    }
    Section section =
        new Section(
            "pauses",
            "Pauses beside latency",
            "Figures of all processes of a role, measured from the start of the measured part until"
                + " the agents stopped: the longest pause of any process in any block; the share of"
                + " time that a process stood still, for collections and other safepoints, on"
                + " average over the processes; the live set of all processes after a collection."
                + " p99 is the ranking's.",
            exhibits);
    return new StudyResult("", findings(), List.of(section), List.of());
  }

  private Table table(String role) {
    List<String> columns = new ArrayList<>(List.of("treatment"));
    operations.forEach(operation -> columns.add("p99 " + operation + " [ms]"));
    columns.addAll(
        List.of("longest pause [ms]", "pauses/s", "stopped [%]", "MiB/s allocated", "live [MiB]"));
    List<List<String>> rows = new ArrayList<>();
    treatments.forEach((label, trials) -> rows.add(row(label, role, trials)));
    return Table.of(columns, 0, rows)
        .withAbsent(
            "too few calls for a p99 (ten must lie beyond it), no pause, or no collection after"
                + " which the live set is known");
  }

  private List<String> row(String label, String role, List<TrialRecord> trials) {
    List<String> row = new ArrayList<>(List.of(label));
    for (String operation : operations) {
      row.add(
          latencies.getOrDefault(label, List.of()).stream()
              .filter(latency -> latency.operation().equals(operation))
              .flatMap(latency -> latency.of(LatencyStatistic.P99).stream())
              .findFirst()
              .map(micros -> Numbers.estimate(micros.times(1e-3, "ms")))
              .orElse(Table.ABSENT));
    }
    double seconds = trials.stream().mapToDouble(trial -> trial.counts().seconds()).sum();
    row.add(text(longest(role, trials)));
    row.add(Numbers.shorten(total("pauses", role, trials) / seconds));
    row.add(
        Numbers.shorten(
            100
                * trials.stream()
                    .mapToDouble(
                        trial ->
                            value(trial, name("stopped", role)).orElse(0)
                                / 1e3
                                / processes(trial, role))
                    .sum()
                / seconds));
    row.add(text(mean("allocation-rate", role, trials)));
    row.add(text(mean("live-set", role, trials)));
    return row;
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    for (String role : ROLES) {
      longestOf(role).ifPresent(findings::add);
    }
    return findings;
  }

  private Optional<Finding> longestOf(String role) {
    Map<String, Double> longest = new LinkedHashMap<>();
    treatments.forEach(
        (label, trials) -> longest(role, trials).ifPresent(millis -> longest.put(label, millis)));
    if (longest.size() < 2) {
      return Optional.empty();
    }
    Map.Entry<String, Double> least =
        Collections.min(longest.entrySet(), Map.Entry.comparingByValue());
    Map.Entry<String, Double> most =
        Collections.max(longest.entrySet(), Map.Entry.comparingByValue());
    return Optional.of(
        new Finding(
            Finding.Kind.LATENCY,
            Finding.Severity.INFO,
            "The longest pause of a %s that was seen is %s ms with %s and %s ms with %s, the least and the most of %d treatments."
                .formatted(
                    role.equals("nodes") ? "server" : "client",
                    Numbers.shorten(least.getValue()),
                    least.getKey(),
                    Numbers.shorten(most.getValue()),
                    most.getKey(),
                    longest.size()),
            Map.of(),
            "Longer trials: a rare pause needs time to be seen."));
  }

  private static OptionalDouble longest(String role, List<TrialRecord> trials) {
    return trials.stream()
        .flatMapToDouble(trial -> value(trial, name("pause-max", role)).stream())
        .max();
  }

  private static double total(String metric, String role, List<TrialRecord> trials) {
    return trials.stream().mapToDouble(trial -> value(trial, name(metric, role)).orElse(0)).sum();
  }

  private static OptionalDouble mean(String metric, String role, List<TrialRecord> trials) {
    return trials.stream()
        .flatMapToDouble(trial -> value(trial, name(metric, role)).stream())
        .average();
  }

  private static OptionalDouble value(TrialRecord trial, String name) {
    Metric metric = trial.metrics().get(name);
    return metric == null ? OptionalDouble.empty() : OptionalDouble.of(metric.value());
  }

  /** How many processes of the role have a log. */
  private static long processes(TrialRecord trial, String role) {
    String prefix = GC + "stopped." + role.substring(0, role.length() - 1) + "-";
    return Math.max(
        1, trial.metrics().keySet().stream().filter(name -> name.startsWith(prefix)).count());
  }

  private static String name(String metric, String role) {
    return GC + metric + "." + role;
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? Numbers.shorten(value.getAsDouble()) : Table.ABSENT;
  }
}
