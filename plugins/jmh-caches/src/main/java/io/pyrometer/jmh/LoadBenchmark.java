package io.pyrometer.jmh;

import static io.pyrometer.jmh.Benchmark.LOAD_BULK;

import io.pyrometer.load.ZipfSampler;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.commons.rng.UniformRandomProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * Reads Zipf keys through a bounded cache: an absent value is loaded, which costs a fixed amount of
 * CPU work. Before, every key of the range is requested once, so that the cache is full, and then
 * Zipf keys are, three times as many as it may hold entries. Hits are the requests less the loads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
public class LoadBenchmark {
  /** Enough that nearly every key of a range of a few hundred thousand is among them. */
  private static final int KEYS = 1 << 22;

  private static final int FILLS = 3;
  private static final int SMALLEST_BULK = 10;
  private static final int LARGEST_BULK = 300;
  private static final int BULK_STEP = 5;
  private static final int BULKS = 1 << 13;

  /** How far a cache may be above its bound, as some count roughly or evict later. */
  private static final double ABOVE_BOUND = 1.05;

  private final LongAdder loads = new LongAdder();

  /** Read when all threads have stopped: JMH tears the benchmark down before some of them. */
  private final Queue<Cursor> cursors = new ConcurrentLinkedQueue<>();

  private ForkedBenchmark fork;
  private CacheUnderTest cache;
  private Integer[] keys;
  private List<Set<Integer>> bulks = List.of();
  private double keysPerBulk;
  private int capacity;
  private boolean measuring;
  private long loadsBefore;

  /** Where a thread is in the sequence of requests, and what it counted. */
  @State(Scope.Thread)
  public static class Cursor {
    private int at;
    private boolean measuring;
    private long requests;
    private long wrong;

    @Setup(Level.Trial)
    public void begin(LoadBenchmark benchmark, ThreadParams thread) {
      at = (int) ((long) KEYS * thread.getThreadIndex() / thread.getThreadCount());
      benchmark.cursors.add(this);
    }

    @Setup(Level.Iteration)
    public void beginIteration(IterationParams iteration) {
      if (!measuring && iteration.getType() == IterationType.MEASUREMENT) {
        measuring = true;
        requests = 0;
      }
    }
  }

  @Setup(Level.Trial)
  public void begin() {
    fork = ForkedBenchmark.begin();
    capacity = fork.records();
    int range =
        Math.max(1, (int) Math.round(capacity * fork.settings().get(BenchmarkSettings.KEY_RANGE)));
    int cost = fork.settings().get(BenchmarkSettings.MISS_COST);
    Integer[] boxed = new Integer[range];
    Arrays.setAll(boxed, i -> i);
    keys = drawn(boxed);
    cache =
        fork.open(
            capacity,
            Optional.of(
                key -> {
                  loads.increment();
                  Blackhole.consumeCPU(cost);
                  return key;
                }));
    if (fork.spec().benchmark() == LOAD_BULK) {
      bulks = bulks();
      fillInBulks(boxed);
    } else {
      for (Integer key : boxed) {
        Integer unused = cache.getOrLoad(key);
      }
      for (long i = 0; i < (long) FILLS * capacity; i++) {
        Integer unused = cache.getOrLoad(keys[(int) (i & (KEYS - 1))]);
      }
    }
  }

  /**
   * Keys whose k-th most frequent has a frequency in proportion to k^−s. Which key is how frequent
   * is drawn, so that frequent keys are not neighbours.
   */
  private Integer[] drawn(Integer[] range) {
    SplittableRandom random = fork.random();
    UniformRandomProvider bits = random::nextLong;
    ZipfSampler ranks =
        new ZipfSampler(bits, range.length, fork.settings().get(CoreSettings.ZIPF_EXPONENT));
    Integer[] ofRank = new Integer[range.length];
    for (int i = 0; i < range.length; i++) {
      int other = random.nextInt(i + 1);
      ofRank[i] = ofRank[other];
      ofRank[other] = range[i];
    }
    Integer[] drawn = new Integer[KEYS];
    Arrays.setAll(drawn, i -> ofRank[(int) ranks.next() - 1]);
    return drawn;
  }

  private void fillInBulks(Integer[] range) {
    for (int from = 0; from < range.length; from += LARGEST_BULK) {
      int to = Math.min(range.length, from + LARGEST_BULK);
      Map<Integer, Integer> unused =
          cache.getAllOrLoad(new LinkedHashSet<>(Arrays.asList(range).subList(from, to)));
    }
    for (long i = 0; i < FILLS * capacity / keysPerBulk; i++) {
      Map<Integer, Integer> unused = cache.getAllOrLoad(bulks.get((int) (i & (BULKS - 1))));
    }
  }

  /** Different keys each; sizes from 10 to 300 in steps of 5, all equally often. */
  private List<Set<Integer>> bulks() {
    List<Set<Integer>> made = new ArrayList<>(BULKS);
    SplittableRandom random = fork.random();
    int sizes = (LARGEST_BULK - SMALLEST_BULK) / BULK_STEP + 1;
    long all = 0;
    int at = random.nextInt(KEYS);
    for (int i = 0; i < BULKS; i++) {
      int size = SMALLEST_BULK + BULK_STEP * random.nextInt(sizes);
      Set<Integer> bulk = new LinkedHashSet<>(2 * size);
      for (int k = 0; k < size; k++) {
        bulk.add(keys[at++ & (KEYS - 1)]);
      }
      made.add(bulk);
      all += bulk.size();
    }
    keysPerBulk = (double) all / BULKS;
    return made;
  }

  @Setup(Level.Iteration)
  public void beginIteration(IterationParams iteration) {
    if (!measuring && iteration.getType() == IterationType.MEASUREMENT) {
      measuring = true;
      loadsBefore = loads.sum();
    }
  }

  @Benchmark
  public Integer loadZipf(Cursor cursor) {
    Integer key = keys[cursor.at++ & (KEYS - 1)];
    Integer value = cache.getOrLoad(key);
    cursor.requests++;
    if (value.intValue() != key.intValue()) {
      cursor.wrong++;
    }
    return value;
  }

  @Benchmark
  public Map<Integer, Integer> loadBulk(Cursor cursor) {
    Set<Integer> bulk = bulks.get(cursor.at++ & (BULKS - 1));
    Map<Integer, Integer> values = cache.getAllOrLoad(bulk);
    cursor.requests += bulk.size();
    if (values.size() != bulk.size()) {
      cursor.wrong++;
    }
    return values;
  }

  @TearDown(Level.Trial)
  public void end() {
    long loaded = loads.sum() - loadsBefore;
    long requests = cursors.stream().mapToLong(cursor -> cursor.requests).sum();
    long wrong = cursors.stream().mapToLong(cursor -> cursor.wrong).sum();
    double hits = 1 - (double) loaded / Math.max(1, requests);
    fork.read(new Reading("hit-rate", 100 * hits, "%", Reading.Better.HIGHER));
    long size = cache.size();
    fork.verify(wrong == 0, "no wrong answer", wrong + " wrong answers");
    fork.verify(
        size > 0 && size <= ABOVE_BOUND * capacity,
        "1 to %d entries".formatted(capacity),
        size + " entries");
    fork.verify(loads.sum() > 0, "values that were loaded", loads.sum() + " loads");
    fork.end(fork.spec().benchmark() == LOAD_BULK ? keysPerBulk : 1);
  }
}
