package io.pyrometer.coordinator.trial;

import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of several agents summed tenth by tenth. A tenth is complete when every agent has
 * told of it; only complete ones are given out. Safe for several threads.
 */
public final class SampleSeries {
  private final int agents;
  private final List<Tenth> tenths = new ArrayList<>();
  private final Time time;
  private int ended;
  private long lastHeard;

  private static final class Tenth {
    private long records;
    private long calls;
    private long nanos;
    private int heard;
  }

  public SampleSeries(int agents, Time time) {
    this.agents = agents;
    this.time = time;
    this.lastHeard = time.nanoTime();
  }

  synchronized void begin() {
    lastHeard = time.nanoTime();
  }

  public synchronized void add(Answer.Sample sample) {
    lastHeard = time.nanoTime();
    while (tenths.size() <= sample.index()) {
      tenths.add(new Tenth());
    }
    Tenth tenth = tenths.get(sample.index());
    tenth.records += sample.records();
    tenth.calls += sample.calls();
    tenth.nanos += sample.latencyNanos();
    tenth.heard++;
    ended += sample.ended() ? 1 : 0;
  }

  /** The time since an agent last reported; each reports ten times a second. */
  synchronized double silentSeconds() {
    return time.secondsSince(lastHeard);
  }

  /** Returns whether the load of every agent has come to an end of its own. */
  synchronized boolean ended() {
    return ended == agents;
  }

  public synchronized List<Long> complete() {
    return tenths.stream()
        .takeWhile(tenth -> tenth.heard >= agents)
        .map(tenth -> tenth.records)
        .toList();
  }

  /**
   * The mean latency of the calls that ended in each complete tenth, nanoseconds; that of the tenth
   * before where none ended, and 0 before the first call.
   */
  synchronized List<Long> latencies() {
    List<Long> means = new ArrayList<>();
    long last = 0;
    for (Tenth tenth : tenths.subList(0, complete().size())) {
      last = tenth.calls > 0 ? tenth.nanos / tenth.calls : last;
      means.add(last);
    }
    return List.copyOf(means);
  }

  /** Records that were finished since the sample of this index. */
  synchronized long sumFrom(int index) {
    return tenths.stream().skip(index).mapToLong(tenth -> tenth.records).sum();
  }

  /** The longest time in seconds without one finished record, since the sample of this index. */
  synchronized double longestPauseFrom(int index) {
    int longest = 0;
    int now = 0;
    for (Tenth tenth : tenths.subList(Math.min(index, tenths.size()), tenths.size())) {
      now = tenth.records == 0 ? now + 1 : 0;
      longest = Math.max(longest, now);
    }
    return longest / 10.0;
  }

  /** Seconds since a record was finished last. */
  synchronized double idleSeconds() {
    int last = tenths.size();
    while (last > 0 && tenths.get(last - 1).records == 0) {
      last--;
    }
    return (tenths.size() - last) / 10.0;
  }

  /** Records a second over the last second that is complete. */
  public double recentRate() {
    List<Long> complete = complete();
    List<Long> recent = complete.subList(Math.max(0, complete.size() - 10), complete.size());
    return recent.stream().mapToLong(Long::longValue).average().orElse(0) * 10;
  }
}
