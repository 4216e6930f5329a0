package io.pyrometer.load;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.HistogramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The latencies of all load threads by operation, one histogram for each second of a window. Of a
 * window longer than {@value #MOST} seconds neighbouring intervals are added up and each then
 * covers two seconds, then four, and so on, so that memory stays bounded (compressed histograms
 * take about a kilobyte each) and no call is lost. Safe for threads.
 */
final class IntervalHistograms {

  static final int MOST = 1_800;

  private final List<String> operations;
  private final List<Recording> recordings;
  private final List<Answer.Interval> intervals = new ArrayList<>();
  private long begin;
  private long last;
  private long width;
  private long closed;

  /**
   * @param operations names of the operations, as the recordings number them
   */
  IntervalHistograms(List<String> operations, List<Recording> recordings) {
    this.operations = operations;
    this.recordings = recordings;
  }

  /** Forgets what was recorded so far and begins a window. */
  synchronized void restart(long nanoTime) {
    for (Recording recording : recordings) {
      for (int i = 0; i < operations.size(); i++) {
        recording.moveLatencies(i, new Histogram(Recording.DIGITS));
      }
    }
    intervals.clear();
    begin = nanoTime;
    last = nanoTime;
    width = TimeUnit.SECONDS.toNanos(1);
    closed = 0;
  }

  /** Ends the current interval if its time has come; to be called several times a second. */
  synchronized void tick(long nanoTime) {
    if (nanoTime - begin >= (closed + 1) * width) {
      close(nanoTime);
      closed = (nanoTime - begin) / width;
      if (intervals.size() >= MOST) {
        addUpNeighbours();
        width *= 2;
        closed /= 2;
      }
    }
  }

  /** Ends the window. */
  synchronized List<Answer.Interval> end(long nanoTime) {
    close(nanoTime);
    return List.copyOf(intervals);
  }

  private void close(long nanoTime) {
    Map<String, String> encoded = new TreeMap<>();
    for (int i = 0; i < operations.size(); i++) {
      Histogram sum = new Histogram(Recording.DIGITS);
      for (Recording recording : recordings) {
        recording.moveLatencies(i, sum);
      }
      if (sum.getTotalCount() > 0) {
        encoded.put(operations.get(i), HistogramText.encode(sum));
      }
    }
    intervals.add(new Answer.Interval((last - begin) / 1e9, (nanoTime - begin) / 1e9, encoded));
    last = nanoTime;
  }

  private void addUpNeighbours() {
    List<Answer.Interval> halved = new ArrayList<>();
    for (int i = 0; i + 1 < intervals.size(); i += 2) {
      halved.add(sum(intervals.get(i), intervals.get(i + 1)));
    }
    if (intervals.size() % 2 == 1) {
      halved.add(intervals.get(intervals.size() - 1));
    }
    intervals.clear();
    intervals.addAll(halved);
  }

  private static Answer.Interval sum(Answer.Interval one, Answer.Interval next) {
    Map<String, String> sums = new TreeMap<>(one.histograms());
    next.histograms()
        .forEach((operation, text) -> sums.merge(operation, text, IntervalHistograms::sum));
    return new Answer.Interval(one.fromSeconds(), next.toSeconds(), sums);
  }

  private static String sum(String one, String other) {
    Histogram sum = new Histogram(Recording.DIGITS);
    sum.add(HistogramText.decode(one));
    sum.add(HistogramText.decode(other));
    return HistogramText.encode(sum);
  }
}
