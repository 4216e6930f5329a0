package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.Treatments;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What benchmarks of caches tell beside speed: the memory of an entry, how well a bounded cache
 * keeps what is asked for again, and what a call allocates.
 */
final class RunBenchmarks {
  /** The declaration of this analysis. */
  public static final class Declaration implements Analysis {
    @Override
    public String id() {
      return "benchmarks";
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      return RunBenchmarks.of(run);
    }
  }

  private static final double CONFIDENCE = 0.95;
  private static final String HEAP = "heap-per-entry";

  /** On and off the heap together; not a metric of a trial, but the sum of two. */
  private static final String MEMORY = "memory-per-entry";

  private static final String OFF_HEAP = "off-heap-per-entry";
  private static final String HIT_RATIO = "hit-ratio";
  private static final String OF_OPTIMUM = "hit-ratio.of-optimum";
  private static final String HIT_RATE = "hit-rate";

  /** The valid trials of each treatment, by benchmark, in the order of the experiment. */
  private final Map<String, Map<String, List<TrialRecord>>> byBenchmark = new LinkedHashMap<>();

  private RunBenchmarks(RunRecord run) {
    List<String> cases = run.plan().experiment().factors().getOrDefault(Treatments.CASE, List.of());
    run.counting().stream()
        .filter(trial -> trial.job() == Job.JMH && trial.outcome() == Outcome.OK)
        .sorted(Comparator.comparingInt(trial -> cases.indexOf(Rankings.benchmark(trial))))
        .forEach(
            trial ->
                byBenchmark
                    .computeIfAbsent(Rankings.benchmark(trial), b -> new LinkedHashMap<>())
                    .computeIfAbsent(Rankings.rankedLabel(trial), l -> new ArrayList<>())
                    .add(trial));
  }

  static List<RunAnalysis> of(RunRecord run) {
    RunBenchmarks benchmarks = new RunBenchmarks(run);
    return benchmarks.byBenchmark.isEmpty()
        ? List.of()
        : List.of(new RunAnalysis("benchmarks", "", "benchmarks", "", true, benchmarks.analyze()));
  }

  private StudyResult analyze() {
    List<Section> sections = new ArrayList<>();
    section(
            "memory",
            "Memory of an entry",
            "Its key and its value, two Integers, included. Heap: in use after a full collection"
                + " with the full cache, less that with an empty one. Off-heap: by the product's"
                + " own metric; none means that all entries lie on the heap.",
            MEMORY,
            true,
            List.of(
                new Column("together, B", MEMORY),
                new Column("heap, B", HEAP),
                new Column("off-heap, B", OFF_HEAP)))
        .ifPresent(sections::add);
    section(
            "eviction",
            "Eviction quality",
            "Hits in percent of the requests of a trace. The optimum is Belady's, which knows the"
                + " future and may refuse an entry; LRU is exact and counted on the same trace.",
            HIT_RATIO,
            false,
            List.of(
                new Column("hits, %", HIT_RATIO),
                new Column("of the optimum, %", OF_OPTIMUM),
                new Column("optimum, %", "hit-ratio.optimum"),
                new Column("LRU, %", "hit-ratio.lru")))
        .ifPresent(sections::add);
    section(
            "hits",
            "Hit rates while loading and reading",
            "Of benchmarks that read, the rate was intended and a difference fails the trial; of"
                + " those that load, it is a result.",
            HIT_RATE,
            false,
            List.of(new Column("hits, %", HIT_RATE)))
        .ifPresent(sections::add);
    section(
            "allocation",
            "Allocation",
            "Bytes that the benchmark's JVM allocates for a record, by JMH's GC profiler.",
            Metric.ALLOCATED,
            true,
            List.of(new Column("B/record", Metric.ALLOCATED)))
        .ifPresent(sections::add);
    return new StudyResult("", findings(), sections, List.of());
  }

  private record Column(String title, String metric) {}

  /**
   * @param by the metric that rows are sorted by; a benchmark without it has no table
   * @param lowestFirst how
   */
  private Optional<Section> section(
      String id, String title, String intro, String by, boolean lowestFirst, List<Column> columns) {
    List<List<String>> rows = new ArrayList<>();
    byBenchmark.forEach(
        (benchmark, treatments) ->
            treatments.entrySet().stream()
                .filter(each -> estimate(each.getValue(), by).isPresent())
                .sorted(
                    Comparator.comparingDouble(
                        each ->
                            (lowestFirst ? 1 : -1)
                                * estimate(each.getValue(), by).orElseThrow().value()))
                .forEach(
                    each -> rows.add(row(benchmark, each.getKey(), each.getValue(), columns))));
    List<String> header = new ArrayList<>(List.of("benchmark", "cache"));
    columns.forEach(column -> header.add(column.title()));
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(id, title, intro, List.of(Exhibit.of(title, Table.of(header, 2, rows)))));
  }

  private static List<String> row(
      String benchmark, String cache, List<TrialRecord> trials, List<Column> columns) {
    List<String> row = new ArrayList<>(List.of(benchmark, cache));
    columns.forEach(
        column ->
            row.add(estimate(trials, column.metric()).map(RunBenchmarks::text).orElse("none")));
    return row;
  }

  private static String text(Estimate estimate) {
    String value = Numbers.shorten(estimate.value());
    return estimate.hasInterval()
        ? "%s [%s, %s]"
            .formatted(value, Numbers.shorten(estimate.low()), Numbers.shorten(estimate.high()))
        : value;
  }

  private static Optional<Estimate> estimate(List<TrialRecord> trials, String metric) {
    List<Metric> values = trials.stream().flatMap(trial -> metric(trial, metric).stream()).toList();
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Means.arithmetic(
                values.stream().mapToDouble(Metric::value).toArray(),
                values.get(0).unit(),
                CONFIDENCE));
  }

  private static Optional<Metric> metric(TrialRecord trial, String name) {
    Optional<Metric> heap = Optional.ofNullable(trial.metrics().get(HEAP));
    return name.equals(MEMORY)
        ? heap.map(
            on -> Metric.lowerIsBetter(on.value() + trial.value(OFF_HEAP).orElse(0.0), on.unit()))
        : Optional.ofNullable(trial.metrics().get(name));
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    byBenchmark.forEach(
        (benchmark, treatments) -> {
          best(treatments, OF_OPTIMUM, -1)
              .ifPresent(
                  best ->
                      findings.add(
                          finding(
                              "%s: most hits with %s, %s %% of what Belady's optimum has."
                                  .formatted(benchmark, best.cache(), text(best.value())),
                              best)));
          best(treatments, MEMORY, 1)
              .ifPresent(
                  best ->
                      findings.add(
                          finding(
                              "%s: least memory for an entry with %s, %s B."
                                  .formatted(benchmark, best.cache(), text(best.value())),
                              best)));
        });
    return findings;
  }

  private record Best(String cache, Estimate value) {}

  private static Optional<Best> best(
      Map<String, List<TrialRecord>> treatments, String metric, int sign) {
    return treatments.entrySet().stream()
        .flatMap(
            each -> estimate(each.getValue(), metric).map(e -> new Best(each.getKey(), e)).stream())
        .min(Comparator.comparingDouble(best -> sign * best.value().value()));
  }

  private static Finding finding(String sentence, Best best) {
    return new Finding(
        Finding.Kind.ESTIMATE,
        Finding.Severity.INFO,
        sentence,
        Map.of(best.cache(), best.value()),
        "Other traces, entries or settings of the caches.");
  }
}
