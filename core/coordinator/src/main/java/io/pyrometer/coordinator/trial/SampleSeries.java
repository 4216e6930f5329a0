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
  private final List<Long> sums = new ArrayList<>();
  private final List<Long> calls = new ArrayList<>();
  private final List<Long> nanos = new ArrayList<>();
  private final List<Integer> heard = new ArrayList<>();
  private final Time time;
  private int ended;
  private long lastHeard;

  public SampleSeries(int agents, Time time) {
    this.agents = agents;
    this.time = time;
    this.lastHeard = time.nanoTime();
  }

  /** Agents are told to begin. */
  synchronized void begin() {
    lastHeard = time.nanoTime();
  }

  public synchronized void add(Answer.Sample sample) {
    lastHeard = time.nanoTime();
    while (sums.size() <= sample.index()) {
      sums.add(0L);
      calls.add(0L);
      nanos.add(0L);
      heard.add(0);
    }
    sums.set(sample.index(), sums.get(sample.index()) + sample.records());
    calls.set(sample.index(), calls.get(sample.index()) + sample.calls());
    nanos.set(sample.index(), nanos.get(sample.index()) + sample.latencyNanos());
    heard.set(sample.index(), heard.get(sample.index()) + 1);
    ended += sample.ended() ? 1 : 0;
  }

  /** The time since an agent last reported; each reports ten times a second. */
  synchronized double silentSeconds() {
    return time.secondsSince(lastHeard);
  }

  /** Whether the load of every agent has come to an end of its own. */
  synchronized boolean ended() {
    return ended == agents;
  }

  public synchronized List<Long> complete() {
    int n = 0;
    while (n < sums.size() && heard.get(n) >= agents) {
      n++;
    }
    return List.copyOf(sums.subList(0, n));
  }

  /**
   * The mean latency of the calls that ended in each complete tenth, nanoseconds; that of the tenth
   * before where none ended, and 0 before the first call.
   */
  synchronized List<Long> latencies() {
    List<Long> means = new ArrayList<>();
    long last = 0;
    int complete = complete().size();
    for (int i = 0; i < complete; i++) {
      last = calls.get(i) > 0 ? nanos.get(i) / calls.get(i) : last;
      means.add(last);
    }
    return List.copyOf(means);
  }

  /** Records that were finished since the sample of this index. */
  synchronized long sumFrom(int index) {
    return sums.stream().skip(index).mapToLong(Long::longValue).sum();
  }

  /** The longest time in seconds without one finished record, since the sample of this index. */
  synchronized double longestPauseFrom(int index) {
    int longest = 0;
    int now = 0;
    for (long sum : sums.subList(Math.min(index, sums.size()), sums.size())) {
      now = sum == 0 ? now + 1 : 0;
      longest = Math.max(longest, now);
    }
    return longest / 10.0;
  }

  /** Seconds since a record was finished last. */
  synchronized double idleSeconds() {
    int last = sums.size();
    while (last > 0 && sums.get(last - 1) == 0) {
      last--;
    }
    return (sums.size() - last) / 10.0;
  }

  /** Records a second over the last second that is complete. */
  public double recentRate() {
    List<Long> complete = complete();
    List<Long> recent = complete.subList(Math.max(0, complete.size() - 10), complete.size());
    return recent.isEmpty()
        ? 0
        : recent.stream().mapToLong(Long::longValue).average().orElse(0) * 10;
  }
}
