package io.pyrometer.load;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.TrialSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** One agent's load of one trial: its lanes, from Begin over Measure to Finish. */
public final class Generator {

  private final TrialSpec trial;
  private final Records records;
  private final List<LoadLoop> lanes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Sampler sampler;
  private Marks from = new Marks(0, 0, 0, 0);

  private record Marks(long nanos, long records, long calls, long failures) {}

  /**
   * @param agent index of this agent among {@code agents}
   * @param overwrites whether a later write to a key is the one that remains
   * @param open opens the trial's access path for a lane
   * @param samples is told what was finished in each tenth of a second
   */
  public Generator(
      TrialSpec trial,
      Records records,
      int agent,
      int agents,
      boolean overwrites,
      Function<LoadThread, AccessPath> open,
      Consumer<Answer.Sample> samples) {
    this.trial = trial;
    this.records = records;
    int perAgent = trial.settings().integer("threads");
    for (int t = 0; t < perAgent; t++) {
      LoadThread lane = new LoadThread(agent * perAgent + t, agents * perAgent);
      LoadLoop runner = new LoadLoop(trial, lane, open.apply(lane), records.size(), overwrites);
      lanes.add(runner);
      Thread thread = new Thread(runner, "lane-" + lane.index());
      thread.setDaemon(true);
      threads.add(thread);
    }
    this.sampler = new Sampler(() -> sum(Recording::records), samples);
  }

  public void begin() {
    threads.forEach(Thread::start);
    sampler.begin();
  }

  /** Forgets what was recorded so far. */
  public void measure() {
    lanes.forEach(lane -> lane.recording().takeLatencies());
    takeSlip();
    from = marks();
  }

  /**
   * Stops counting, then loading.
   *
   * @throws IllegalStateException with one sentence if calls in flight do not come to their end
   */
  public Answer.Finished finish() {
    return finish(DrainTimeout.of(trial.settings()));
  }

  Answer.Finished finish(Duration longestDrain) {
    Marks to = marks();
    Map<String, String> histograms = new TreeMap<>();
    latencies().forEach((operation, histogram) -> histograms.put(operation, encode(histogram)));
    Histogram slip = takeSlip();
    lanes.forEach(LoadLoop::stop);
    sampler.stop();
    drain(longestDrain);
    Set<String> errors = new LinkedHashSet<>();
    lanes.forEach(lane -> errors.addAll(lane.errors()));
    return new Answer.Finished(
        (to.nanos - from.nanos) / 1e9,
        to.records - from.records,
        to.calls - from.calls,
        sum(Recording::failures) - from.failures,
        List.copyOf(errors),
        histograms,
        slip.getValueAtPercentile(99) / 1e3);
  }

  private Map<String, Histogram> latencies() {
    Map<String, Histogram> merged = new TreeMap<>();
    for (LoadLoop lane : lanes) {
      List<Histogram> taken = lane.recording().takeLatencies();
      for (int i = 0; i < taken.size(); i++) {
        merged
            .computeIfAbsent(lane.path().operations().get(i), name -> new Histogram(3))
            .add(taken.get(i));
      }
    }
    return merged;
  }

  private Histogram takeSlip() {
    Histogram merged = new Histogram(3);
    lanes.forEach(lane -> merged.add(lane.recording().takeSlip()));
    return merged;
  }

  private void drain(Duration longest) {
    long deadline = System.nanoTime() + longest.toNanos();
    for (Thread thread : threads) {
      try {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        thread.interrupt();
        throw new IllegalStateException(
            "Calls of '"
                + trial.path()
                + "' did not come to an end within "
                + longest.toSeconds()
                + " s of the stop; the path hangs or is far slower than the trial allows for.");
      }
    }
    lanes.forEach(lane -> lane.path().close());
  }

  /** What the lanes' acknowledged writes should have left. */
  public ContentDigest expected() {
    if (trial.job() == Job.AGGREGATE) {
      return ContentDigest.EMPTY;
    }
    ExpectedContents remains = ExpectedContents.of(trial, records);
    return lanes.stream()
        .map(lane -> lane.expected(remains))
        .reduce(ContentDigest.EMPTY, ContentDigest::plus);
  }

  /**
   * What complete passes came to: where every call covers the whole set each different answer, else
   * the sum over the lanes (and each different answer of a lane apart where its passes disagree).
   */
  public List<Aggregate> answers() {
    if (whole() || lanes.stream().anyMatch(lane -> lane.answers().size() != 1)) {
      return lanes.stream().flatMap(lane -> lane.answers().stream()).distinct().toList();
    }
    return List.of(
        lanes.stream()
            .map(lane -> lane.answers().get(0))
            .reduce(Aggregate.NOTHING, Aggregate::plus));
  }

  public boolean whole() {
    return lanes.get(0).path().wholeSet();
  }

  /** Gives the lanes up without waiting for them. */
  public void abandon() {
    sampler.stop();
    lanes.forEach(LoadLoop::stop);
    threads.forEach(Thread::interrupt);
  }

  private Marks marks() {
    return new Marks(
        System.nanoTime(),
        sum(Recording::records),
        sum(Recording::calls),
        sum(Recording::failures));
  }

  private long sum(ToLongFunction<Recording> of) {
    return lanes.stream().mapToLong(lane -> of.applyAsLong(lane.recording())).sum();
  }

  private static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }
}
