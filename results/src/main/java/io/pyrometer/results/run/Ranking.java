package io.pyrometer.results.run;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.report.chart.PercentileLine;
import java.util.List;
import java.util.Optional;

/**
 * The treatments of one job, fastest first.
 *
 * @param baseline the treatment that the ratios are to, in words; where several serve, their path
 * @param unranked treatments that no trial of came out right
 */
public record Ranking(Job job, String baseline, List<Row> rows, List<Unranked> unranked) {

  public Ranking {
    rows = List.copyOf(rows);
    unranked = List.copyOf(unranked);
  }

  /**
   * One treatment.
   *
   * @param summary of the path, by its driver
   * @param claimed what the path says that it promises
   * @param guarantee what is left of the claim after the probes
   * @param probed what the probes came to
   * @param throughput records a second, geometric mean over the blocks
   * @param ratio to the plainest path in the same blocks; empty for that one itself
   * @param cpuMicros CPU time of all processes for one record
   * @param p50 of a call, microseconds; empty without enough calls
   * @param p99 likewise
   * @param percentiles of a call: share of the calls and microseconds, as far out as calls reach
   * @param published the ratio that others published, to the same path; empty if none did
   * @param marks what disturbed or limited its trials
   * @param replicates throughput by block
   */
  public record Row(
      String label,
      String path,
      String summary,
      Optional<Guarantee> claimed,
      Optional<Guarantee> guarantee,
      Probed probed,
      Estimate throughput,
      Optional<Estimate> ratio,
      Optional<Estimate> cpuMicros,
      Optional<Double> p50,
      Optional<Double> p99,
      List<PercentileLine.Point> percentiles,
      Optional<PublishedRatio> published,
      List<String> marks,
      Treatment replicates) {}

  /**
   * A published ratio.
   *
   * @param to label of the treatment that it is to
   * @param why what is known to part it from a ratio of one's own, a clause
   */
  public record PublishedRatio(String to, double value, Optional<String> why) {}

  /** A treatment without a figure, and the reason. */
  public record Unranked(String label, String why) {}
}
