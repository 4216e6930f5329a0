package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.Metric.OperationStatistic;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * The treatments of one job, best first. In a closed loop the best is the fastest. Where an
 * experiment offers a rate, throughput is what it set: the best then has the lowest p99 among those
 * that held the rate, by the slowest of its operations.
 *
 * @param part of the job that is ranked, for a heading; empty for all of it
 * @param rate calls a second that are offered; 0 for a closed loop
 * @param baseline the treatment that the ratios are to, in words; where several serve, their path
 * @param conditions the combinations of levels of {@link Rankings#conditions}, in the order of the
 *     experiment; each has a recommendation of its own
 * @param unranked treatments without a valid trial
 */
public record Ranking(
    Job job,
    String part,
    double rate,
    String baseline,
    List<Map<String, String>> conditions,
    List<Row> rows,
    List<Unranked> unranked) {
  /** Returns whether calls are sent on schedule, so that latency ranks. */
  public boolean openLoop() {
    return rate > 0;
  }

  /** Returns whether some treatment has more than one operation, so that they must be named. */
  public boolean severalOperations() {
    return rows.stream().anyMatch(row -> row.latencies().size() > 1);
  }

  /** Choice that a user makes with a row: its levels that vary, without those of conditions. */
  public String choice(Row row) {
    if (row.condition().isEmpty()) {
      return row.label();
    }
    Map<String, String> levels = new LinkedHashMap<>(row.levels());
    levels.keySet().removeAll(row.condition().keySet());
    String words = Phrases.differing(levels, rows.stream().map(each -> each.levels()).toList());
    return words.isEmpty() ? row.path() : words;
  }

  /** The treatment that a row's ratio is to; empty of a baseline, and where several serve. */
  public Optional<Row> baselineOf(Row row) {
    List<Row> bases = rows.stream().filter(Row::isBaseline).toList();
    List<Row> same = bases.stream().filter(b -> b.condition().equals(row.condition())).toList();
    List<Row> found = same.isEmpty() ? bases : same;
    return row.isBaseline() || found.size() != 1 ? Optional.empty() : Optional.of(found.get(0));
  }

  /**
   * One treatment.
   *
   * @param condition its levels of the ranking's conditions; empty where none is varied
   * @param claimed the guarantees that the path's driver claims
   * @param guarantees what is left of what its path and its stored data claim after the probes
   * @param probes the probes' results
   * @param isBaseline whether ratios are to it
   * @param throughput records a second, geometric mean over the blocks
   * @param ratio of throughput to the baseline in the same blocks; empty for the baseline itself
   * @param cpuMicros CPU time of all processes for one record
   * @param latencies of each operation
   * @param offered how it kept the rate; empty in a closed loop
   * @param published the ratio that others published, to the same path; empty if none did
   * @param marks what disturbed or limited its trials; complete when all rows are known
   * @param replicates throughput by block
   */
  public record Row(
      String label,
      String path,
      Map<String, String> condition,
      Optional<Guarantee> claimed,
      Set<Requirement> guarantees,
      TreatmentProbes probes,
      boolean isBaseline,
      Estimate throughput,
      Optional<Estimate> ratio,
      Optional<Estimate> cpuMicros,
      List<OperationLatency> latencies,
      Optional<OfferedRate> offered,
      Optional<PublishedRatio> published,
      List<Mark> marks,
      Treatment replicates) {
    /** The probes that refuted a claim, for which it is excluded from every recommendation. */
    public List<ProbeKind> refuted() {
      return claimed.map(probes::refutedBy).orElse(List.of());
    }

    public Map<String, String> levels() {
      return replicates.levels();
    }

    /** Guarantees among those wanted that it does not give. */
    Set<Requirement> lacks(Set<Requirement> wanted) {
      Set<Requirement> lacking = new TreeSet<>(wanted);
      lacking.removeAll(guarantees);
      return lacking;
    }

    /** Returns whether JIT compilers were at work in at least half of its trials. */
    boolean notWarm() {
      return marks.stream()
          .anyMatch(mark -> mark.kind() == Mark.Kind.NOT_WARM && 2 * mark.trials() >= mark.of());
    }

    /** Returns whether every trial kept to the offered rate; true in a closed loop. */
    public boolean heldRate() {
      return offered.map(OfferedRate::held).orElse(true);
    }

    /** A metric: a latency of all its calls together, or else the geometric mean of its blocks. */
    public Optional<Estimate> estimate(String metric, RunRecord run) {
      Optional<OperationStatistic> latency = Metric.parseLatency(metric);
      return latency
          .flatMap(
              of ->
                  latencies.stream()
                      .filter(each -> each.operation().equals(of.operation()))
                      .findFirst()
                      .flatMap(each -> each.of(of.statistic())))
          .or(() -> run.mean(levels(), metric, latency.isPresent() ? "µs" : ""));
    }

    /** The p99 of its slowest operation, µs; empty where one has too few calls for a p99. */
    public OptionalDouble worstP99() {
      boolean all =
          !latencies.isEmpty()
              && latencies.stream().allMatch(l -> l.of(LatencyStatistic.P99).isPresent());
      return all
          ? latencies.stream()
              .mapToDouble(l -> l.of(LatencyStatistic.P99).orElseThrow().value())
              .max()
          : OptionalDouble.empty();
    }
  }

  /**
   * A published ratio.
   *
   * @param to label of the treatment that it is to
   * @param why what is known to explain a difference from the ratio measured here, a clause
   */
  public record PublishedRatio(String to, double value, Optional<String> why) {}

  /** A treatment without a figure, and the reason. */
  public record Unranked(String label, String why) {}
}
