package io.pyrometer.analysis.latency;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.estimate.Ratios;
import java.util.List;

/**
 * The ratio of a percentile between two treatments that were measured in the same blocks: the
 * paired t interval of ln percentile of each block. Calls of one block are no replicates, however
 * many there are; drawing them anew in a bootstrap would add their noise a second time.
 */
public final class TailRatio {
  private TailRatio() {}

  /**
   * ln of candidate over baseline, to be judged with others.
   *
   * @param baseline one counts a block, at least 2
   * @param candidate that of the same block at the same index
   * @param percent such as 99
   * @throws BadDataException if the blocks differ in number, or a counts has too few operations for
   *     the percentile
   */
  public static Contrast lnRatio(
      List<LatencyCounts> baseline, List<LatencyCounts> candidate, double percent) {
    int blocks = baseline.size();
    if (blocks != candidate.size() || blocks < 2) {
      throw BadDataException.of(
          "A ratio of p%s needs both in the same blocks, at least 2, but there are %d and %d.",
          percent, blocks, candidate.size());
    }
    refuseFew(baseline, percent);
    refuseFew(candidate, percent);
    return Ratios.paired(each(baseline, percent), each(candidate, percent));
  }

  private static void refuseFew(List<LatencyCounts> blockCounts, double percent) {
    long all = blockCounts.stream().mapToLong(LatencyCounts::count).sum();
    boolean empty = blockCounts.stream().anyMatch(counts -> counts.count() == 0);
    if (empty || all < Percentiles.samplesNeeded(percent)) {
      throw BadDataException.of(
          "p%s needs %d operations and some in every block, but there are %d; measure for longer.",
          percent, Percentiles.samplesNeeded(percent), all);
    }
  }

  private static double[] each(List<LatencyCounts> blockCounts, double percent) {
    return blockCounts.stream().mapToDouble(counts -> 1.0 + counts.percentile(percent)).toArray();
  }
}
