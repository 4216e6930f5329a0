package io.pyrometer.report.chart;

import java.util.List;

/**
 * The latencies of one operation in one trial over time, and what happened meanwhile.
 *
 * @param cells those that hold a call, in the order of time, then of latency
 * @param lanes what was recorded with times, whether it happened or not, from the top
 * @param marks when something of a lane happened
 */
public record HeatMap(List<Cell> cells, List<String> lanes, List<Mark> marks) {

  /** Copies the lists. */
  public HeatMap {
    cells = List.copyOf(cells);
    lanes = List.copyOf(lanes);
    marks = List.copyOf(marks);
  }

  /**
   * The calls that ended in one interval and took about equally long.
   *
   * @param fromSeconds since the begin of the measured part
   * @param toSeconds since the begin of the measured part
   * @param calls at least 1
   * @param share of the calls that ended in the same interval, above 0 and at most 1
   */
  public record Cell(
      double fromSeconds,
      double toSeconds,
      double fromMicros,
      double toMicros,
      long calls,
      double share) {}

  /**
   * Something that lasted for a while, perhaps a very short one.
   *
   * @param lane one of the lanes
   * @param fromSeconds since the begin of the measured part
   * @param toSeconds not before it began
   * @param what it was, in a few words
   */
  public record Mark(String lane, double fromSeconds, double toSeconds, String what) {}
}
