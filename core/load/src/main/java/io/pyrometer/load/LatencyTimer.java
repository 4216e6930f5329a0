package io.pyrometer.load;

import io.pyrometer.protocol.HistogramText;
import org.HdrHistogram.AtomicHistogram;

/**
 * A histogram of durations that many threads record to at once: three significant digits, from a
 * nanosecond to {@value #LONGEST_NANOS} ns. Recording allocates nothing and takes no lock.
 */
public final class LatencyTimer {
  /** About 2.4 hours; longer durations count as this. */
  public static final long LONGEST_NANOS = 1L << 43;

  private static final int DIGITS = 3;

  private final AtomicHistogram histogram = new AtomicHistogram(LONGEST_NANOS, DIGITS);

  /** Adds a duration; one below 0, as clocks of two processes may give, counts as 0. */
  public void record(long nanos) {
    histogram.recordValue(nanos < 0 ? 0 : Math.min(nanos, LONGEST_NANOS));
  }

  /** How many durations were recorded. */
  public long count() {
    return histogram.getTotalCount();
  }

  /** The value that a share of the durations does not exceed; 0 where there is none. */
  public long atPercentile(double percent) {
    return histogram.getValueAtPercentile(percent);
  }

  /** The histogram compressed, Base64; to be called when nothing is recorded any more. */
  public String encoded() {
    return HistogramText.encode(histogram);
  }
}
