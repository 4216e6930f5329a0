package io.pyrometer.results.run;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.comparison.Comparison;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.Comparisons;
import io.pyrometer.analysis.comparison.Subject;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.Labels;
import io.pyrometer.experiment.Published;
import io.pyrometer.journal.Latencies;
import io.pyrometer.journal.Latencies.Latency;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.chart.PercentileLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Ranks a run's treatments, each job apart. */
public final class Rankings {
  private static final double CONFIDENCE = 0.95;
  static final String UNIT = "records/s";

  private final RunRecord run;

  private Rankings(RunRecord run) {
    this.run = run;
  }

  /** One ranking for each job that the run has trials of, in the order of {@link Job}. */
  public static List<Ranking> of(RunRecord run) {
    Map<Job, List<TrialRecord>> byJob = new TreeMap<>();
    run.counting().forEach(t -> byJob.computeIfAbsent(t.job(), j -> new ArrayList<>()).add(t));
    return byJob.entrySet().stream()
        .map(entry -> new Rankings(run).rank(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** All trials of one treatment. */
  private record Group(String label, String path, List<TrialRecord> trials) {
    List<TrialRecord> right() {
      return trials.stream().filter(t -> t.outcome() == Outcome.OK).toList();
    }

    Map<String, String> levels() {
      return trials.get(0).levels();
    }
  }

  private Ranking rank(Job job, List<TrialRecord> trials) {
    Map<Map<String, String>, List<TrialRecord>> byTreatment = new LinkedHashMap<>();
    trials.forEach(t -> byTreatment.computeIfAbsent(t.levels(), l -> new ArrayList<>()).add(t));
    List<Group> groups =
        byTreatment.values().stream()
            .map(all -> new Group(label(all.get(0)), all.get(0).settings().text("path"), all))
            .toList();
    List<Group> measured = groups.stream().filter(g -> !g.right().isEmpty()).toList();
    List<Ranking.Row> rows =
        measured.parallelStream()
            .map(group -> row(group, measured))
            .sorted(Comparator.comparingDouble((Ranking.Row r) -> -r.throughput().value()))
            .toList();
    List<Ranking.Unranked> unranked =
        groups.stream()
            .filter(g -> g.right().isEmpty())
            .map(g -> new Ranking.Unranked(g.label(), why(g)))
            .toList();
    return new Ranking(job, baselineWords(measured), rows, unranked);
  }

  private String baselineWords(List<Group> measured) {
    List<Group> baselines =
        measured.stream().flatMap(g -> baseline(g, measured).stream()).distinct().toList();
    return switch (baselines.size()) {
      case 0 -> "";
      case 1 -> baselines.get(0).label();
      default -> baselines.get(0).path() + " at like levels";
    };
  }

  /** A trial's treatment in the words of its levels. */
  public static String label(TrialRecord trial) {
    return Labels.of(trial.levels(), trial.settings().text("path"));
  }

  private static String why(Group group) {
    return group.trials().stream()
        .flatMap(trial -> trial.why().stream())
        .findFirst()
        .orElse("No trial was finished.");
  }

  private Ranking.Row row(Group group, List<Group> measured) {
    List<TrialRecord> right = group.right();
    Treatment replicates = replicates(group);
    Latencies calls = latencies(right);
    Optional<Latency> latency = calls.overall();
    Optional<Guarantee> claimed = guarantee(group);
    Probed probed = Probed.of(run, group.levels());
    return new Ranking.Row(
        group.label(),
        group.path(),
        description(group).map(PathDescription::summary).orElse(""),
        claimed,
        probed.left(claimed),
        probed,
        Means.geometric(replicates.values(), UNIT, CONFIDENCE),
        baseline(group, measured)
            .filter(base -> !base.equals(group))
            .flatMap(base -> ratio(base, group)),
        cpu(right),
        latency.flatMap(l -> l.of(LatencyStatistic.P50)),
        latency.flatMap(l -> l.of(LatencyStatistic.P99)),
        percentiles(calls),
        baseline(group, measured)
            .filter(base -> !base.equals(group))
            .flatMap(base -> published(base, group)),
        marks(right),
        replicates);
  }

  private static Treatment replicates(Group group) {
    Map<String, Double> byBlock = new LinkedHashMap<>();
    for (TrialRecord trial : group.right()) {
      trial.throughput().ifPresent(value -> byBlock.put("block " + (trial.block() + 1), value));
    }
    return new Treatment(group.levels(), byBlock);
  }

  private static Optional<Estimate> ratio(Group base, Group group) {
    return compare(replicates(base), base.label(), replicates(group), group.label())
        .map(Comparison::ratio);
  }

  private Optional<Ranking.PublishedRatio> published(Group base, Group group) {
    Optional<Published.Figure> to =
        run.plan().experiment().published().flatMap(p -> p.of(base.levels()));
    Optional<Published.Figure> of =
        run.plan().experiment().published().flatMap(p -> p.of(group.levels()));
    return to.isPresent() && of.isPresent()
        ? Optional.of(
            new Ranking.PublishedRatio(
                base.label(),
                of.get().rate() / to.get().rate(),
                of.get().why().or(() -> to.get().why())))
        : Optional.empty();
  }

  /** Two treatments in the blocks that both were measured in; empty if there is none. */
  static Optional<Comparison> compare(
      Treatment base, String baseLabel, Treatment candidate, String candidateLabel) {
    boolean shared =
        base.replicates().keySet().stream().anyMatch(candidate.replicates()::containsKey);
    return shared
        ? Optional.of(
            Comparisons.paired(
                new Subject("throughput", UNIT, baseLabel, candidateLabel),
                base,
                candidate,
                ComparisonRule.HIGHER_IS_BETTER))
        : Optional.empty();
  }

  /** The plainest path at levels as like as there are; the job's slowest where it has none. */
  private Optional<Group> baseline(Group group, List<Group> measured) {
    List<Group> plain = measured.stream().filter(g -> plainest(g)).toList();
    if (plain.isEmpty()) {
      return measured.stream()
          .min(Comparator.comparingDouble(g -> g.right().get(0).throughput().orElse(0.0)));
    }
    if (plain.contains(group)) {
      return Optional.of(group);
    }
    return plain.stream().max(Comparator.comparingLong(g -> alike(g.levels(), group.levels())));
  }

  private static long alike(Map<String, String> a, Map<String, String> b) {
    return a.entrySet().stream().filter(e -> e.getValue().equals(b.get(e.getKey()))).count();
  }

  private boolean plainest(Group group) {
    return description(group).map(PathDescription::plainest).orElse(false);
  }

  private Optional<Guarantee> guarantee(Group group) {
    return description(group).flatMap(PathDescription::guarantee);
  }

  private Optional<PathDescription> description(Group group) {
    return run.plan().path(group.trials().get(0).settings());
  }

  private static Optional<Estimate> cpu(List<TrialRecord> trials) {
    double[] micros =
        trials.stream()
            .flatMap(trial -> trial.value(Metric.CPU).stream())
            .mapToDouble(Double::doubleValue)
            .filter(value -> value > 0)
            .toArray();
    return micros.length == 0
        ? Optional.empty()
        : Optional.of(Means.geometric(micros, "µs", CONFIDENCE));
  }

  /** The histograms of all of them, added. */
  private Latencies latencies(List<TrialRecord> trials) {
    List<Path> logs =
        trials.stream().map(t -> run.folder().histogram(t.id(), t.attempt())).toList();
    return Latencies.read(logs);
  }

  private static List<PercentileLine.Point> percentiles(Latencies calls) {
    return calls.curve().stream()
        .filter(point -> point[1] > 0)
        .map(point -> new PercentileLine.Point(point[0] / 100, point[1]))
        .toList();
  }

  private static List<String> marks(List<TrialRecord> trials) {
    List<String> marks = new ArrayList<>();
    add(marks, trials.stream().filter(TrialRecord::disturbed).count(), trials.size(), "disturbed");
    long limited =
        trials.stream()
            .filter(
                t ->
                    t.validity().stream()
                        .anyMatch(c -> c.disturbed() && c.name().equals("generator")))
            .count();
    add(marks, limited, trials.size(), "limited by the generator");
    long busy =
        trials.stream()
            .filter(
                t ->
                    t.validity().stream()
                        .anyMatch(c -> c.disturbed() && c.name().startsWith("client")))
            .count();
    add(marks, busy, trials.size(), "client busy");
    add(
        marks,
        trials.stream()
            .filter(t -> t.steadinessJudged() && !t.timeline().warmUp().settled())
            .count(),
        trials.size(),
        "not settled");
    return marks;
  }

  private static void add(List<String> marks, long count, int of, String what) {
    if (count > 0) {
      marks.add(of == 1 || count == of ? what : what + " " + count + "/" + of);
    }
  }
}
