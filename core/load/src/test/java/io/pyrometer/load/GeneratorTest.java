package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.load.MixedOperation.Effect;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.HistogramText;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SharedKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GeneratorTest {
  private static final Duration DRAIN = Duration.ofSeconds(1);
  private static final Settings PARTLY_FILLED =
      Trials.SETTINGS.with("records", 1_000).with("keys", "once").with("existing", 0.25);

  private final ConcurrentLinkedQueue<Answer.Sample> samples = new ConcurrentLinkedQueue<>();
  private final List<MemoryPath> paths = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"64, 7, 3", "1, 1, 1"})
  void aWindowOfCallsEndedByOtherThreadsLosesNone(int window, int batch, int threads)
      throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      Settings settings = Trials.SETTINGS.with("records", 100 * batch);
      Generator generator =
          generator(Job.WRITE, settings, () -> new MemoryPath(window, batch, executor));
      assertThat(run(generator).calls()).isPositive();
      assertThat(expected(generator)).isEqualTo(stored());
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void eachKeyIsWrittenOnceAndTheLoadThenEndsByItself() throws Exception {
    Settings settings =
        Trials.SETTINGS.with("threads", 3).with("records", 1_003).with("keys", "once");
    Generator generator = generator(Job.WRITE, settings, () -> new MemoryPath(1, 7, Runnable::run));
    beginAndAwaitEnd(generator);
    Answer.Finished finished = generator.finish();
    assertThat(finished.records()).isEqualTo(1_003);
    assertThat(finished.calls()).isEqualTo(48 + 48 + 48);
    assertThat(samples.stream().mapToLong(Answer.Sample::records).sum()).isEqualTo(1_003);
    long recorded = 0;
    for (Answer.Interval interval : finished.intervals()) {
      for (String histogram : interval.histograms().values()) {
        recorded += HistogramText.decode(histogram).getTotalCount();
      }
    }
    assertThat(recorded).as("measured calls").isEqualTo(finished.calls());
    assertThat(expected(generator)).isEqualTo(stored());
    assertThat(paths.stream().mapToInt(path -> path.stored.size()).sum()).isEqualTo(1_003);
  }

  @Test
  void aLoadOverwritesTheKeysThatExist() throws Exception {
    Generator generator = partlyFilled(Guarantee.OF_ONE, MemoryPath::synchronous);
    Answer.Finished finished = generator.finish();
    assertThat(finished.records()).isEqualTo(1_000);
    assertThat(expected(generator)).isEqualTo(stored());
  }

  @Test
  void aLoadThatSkipsTheKeysThatExistLeavesTheirRecords() throws Exception {
    Map<Long, Integer> left = new HashMap<>();
    int records = Trials.records(PARTLY_FILLED).size();
    for (long key = 0; key < 250; key++) {
      left.put(key, (int) (key % records));
    }
    Generator generator =
        partlyFilled(
            new Guarantee(false, true, true, true),
            () ->
                MemoryPath.doing(
                    (path, call) -> {
                      for (int i = 0; i < call.size(); i++) {
                        left.putIfAbsent(call.key(i), call.record(i));
                      }
                      call.done();
                    }));
    generator.finish();
    paths.get(0).stored.putAll(left);
    assertThat(expected(generator)).isEqualTo(stored());
  }

  /** Each key is written once, so that an older record is no late write but a lost one. */
  @Test
  void aLoadThatLosesAnOverwriteIsFoundWhateverTheOrderOfItsPath() throws Exception {
    Generator generator =
        partlyFilled(
            new Guarantee(true, false, true, true),
            () ->
                MemoryPath.doing(
                    (path, call) -> {
                      if (call.key(0) == 3) {
                        path.stored.put(3L, 3);
                        call.done();
                      } else {
                        path.write(call);
                      }
                    }));
    generator.finish();
    assertThat(stored().count()).isEqualTo(1_000);
    assertThat(expected(generator)).isNotEqualTo(stored());
  }

  /** A load of 1,000 keys, a quarter of which exist, after its end. */
  private Generator partlyFilled(Guarantee guarantee, Supplier<MemoryPath> path) {
    AtomicLong filled = new AtomicLong();
    Generator generator = generator(Job.WRITE, PARTLY_FILLED, guarantee, filled::set, path);
    assertThat(filled).hasValue(250);
    beginAndAwaitEnd(generator);
    return generator;
  }

  private void beginAndAwaitEnd(Generator generator) {
    generator.begin();
    while (samples.stream().noneMatch(Answer.Sample::ended)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aFailedWriteIsCountedAndNotExpected() throws Exception {
    Generator generator =
        doing(
            Job.WRITE,
            Trials.SETTINGS,
            (path, call) -> {
              if (call.key(0) % 2 == 1) {
                throw new IllegalStateException("odd keys are refused\nand so on");
              }
              path.write(call);
            });
    Answer.Finished finished = run(generator);
    assertThat(finished.failedCalls()).isPositive();
    assertThat(finished.errors()).containsExactly("IllegalStateException: odd keys are refused");
    assertThat(expected(generator)).isEqualTo(stored());
  }

  @Test
  void readsThatAreToMissGoBeyondTheKeysThatAreThereAndWritesNever() throws Exception {
    List<String> wrong = new ArrayList<>();
    AtomicInteger missed = new AtomicInteger();
    Settings settings = Trials.SETTINGS.with("misses", 0.5);
    Generator generator =
        doing(
            Job.MIX,
            settings,
            (path, call) -> {
              boolean beyond = call.key(0) >= settings.number("records");
              if (beyond != call.absent(0) || (beyond && call.operation() == 1)) {
                wrong.add("operation " + call.operation() + " of key " + call.key(0));
              }
              missed.addAndGet(beyond ? 1 : 0);
              call.done();
            });
    runUntil(generator, () -> missed.get() > 10);
    assertThat(wrong).isEmpty();
  }

  @Test
  void anErrorThatKillsALaneIsTold() throws Exception {
    AtomicInteger thrown = new AtomicInteger();
    Generator generator =
        doing(
            Job.WRITE,
            Trials.SETTINGS,
            (path, call) -> {
              thrown.incrementAndGet();
              throw new NoClassDefFoundError("com/example/Gone");
            });
    assertThat(runUntil(generator, () -> thrown.get() > 0).errors())
        .containsExactly("NoClassDefFoundError: com/example/Gone");
  }

  /** The second is paced, and not waited for. */
  @ParameterizedTest
  @CsvSource({"5001, 2, 0, 100", "300, 1, 0.5, 1"})
  void passesOverAllKeysGiveOneAnswerEvenWhereFinishComesFirst(
      int records, int threads, double rate, int batch) throws Exception {
    Settings settings =
        Trials.SETTINGS.with("threads", threads).with("records", records).with("rate", rate);
    Generator generator =
        generator(Job.AGGREGATE, settings, () -> new MemoryPath(1, batch, Runnable::run));
    generator.begin();
    generator.finish();
    assertThat(answers(generator)).containsExactly(new Aggregate(records, Map.of()));
  }

  @Test
  void aPathThatHangsFailsTheTrialInOneSentence() throws Exception {
    AtomicLong time = new AtomicLong();
    Generator generator =
        generator(Job.WRITE, Trials.SETTINGS, () -> new MemoryPath(4, 1, call -> {}));
    generator.begin();
    while (paths.get(0).stored.isEmpty()) {
      Thread.sleep(5);
    }
    assertThatThrownBy(
            () -> generator.finish(DRAIN, clock(() -> time.getAndAdd(DRAIN.toNanos() / 4))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'test'");
  }

  /** A pass of 300 calls, each of which takes nearly as long as calls may stay in flight. */
  @Test
  void aPassGetsTheTimeThatItsPaceNeeds() throws Exception {
    AtomicLong time = new AtomicLong();
    CountDownLatch stopped = new CountDownLatch(1);
    Generator generator =
        doing(
            Job.AGGREGATE,
            Trials.SETTINGS.with("records", 300),
            (path, call) -> {
              stopped.await();
              time.addAndGet(9 * DRAIN.toNanos() / 10);
              path.write(call);
            });
    generator.begin();
    generator.finish(
        DRAIN,
        clock(
            () -> {
              stopped.countDown();
              return time.get();
            }));
    assertThat(answers(generator)).containsExactly(new Aggregate(300, Map.of()));
  }

  private static NanoClock clock(LongSupplier nanos) {
    return new FakeClock() {
      @Override
      public long nanoTime() {
        return nanos.getAsLong();
      }
    };
  }

  @Test
  void aMixDrawsItsOperationsAtTheShareAskedFor() throws Exception {
    AtomicInteger[] drawn = {new AtomicInteger(), new AtomicInteger()};
    Generator generator =
        generator(
            Job.MIX,
            Trials.SETTINGS,
            () -> {
              MemoryPath mix =
                  MemoryPath.doing(
                      (path, call) -> {
                        drawn[call.operation()].incrementAndGet();
                        path.write(call);
                      });
              mix.reads = 0.8;
              return mix;
            });
    runUntil(generator, () -> drawn[0].get() + drawn[1].get() >= 20_000);
    double share = drawn[0].doubleValue() / (drawn[0].get() + drawn[1].get());
    assertThat(share).isBetween(0.78, 0.82);
  }

  @Test
  void aMixThatRemovesSaysWhichKeysAreAbsentAndExpectsWhatIsLeft() throws Exception {
    Settings settings = Trials.SETTINGS.with("threads", 2).with("keys", "uniform");
    int records = Trials.records(settings).size();
    List<String> wrong = new ArrayList<>();
    AtomicInteger absent = new AtomicInteger();
    Generator generator =
        generator(Job.MIX, settings, () -> new RemovingPath(records, wrong, absent));
    runUntil(generator, () -> absent.get() > 1_000);
    assertThat(wrong).isEmpty();
    // Both threads' maps hold what was filled in, but each writes and removes its own keys alone.
    for (int thread = 0; thread < 2; thread++) {
      long other = 1 - thread;
      paths.get(thread).stored.keySet().removeIf(key -> key % 2 == other);
    }
    assertThat(stored().count()).isLessThan(100);
    assertThat(expected(generator)).isEqualTo(stored());
  }

  @Test
  void removalsOfSharedKeysAreRefused() {
    Settings settings = Trials.SETTINGS.with("key-sharing", "shared");
    assertThatThrownBy(
            () ->
                generator(
                    Job.MIX,
                    settings,
                    () -> new RemovingPath(10, new ArrayList<>(), new AtomicInteger())))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Reads batches of five, removes and writes one record; notes what it is told wrongly. */
  private static final class RemovingPath extends MemoryPath {
    private final List<String> wrong;
    private final AtomicInteger absent;

    RemovingPath(int records, List<String> wrong, AtomicInteger absent) {
      super(1, 5, Runnable::run);
      this.wrong = wrong;
      this.absent = absent;
      for (long key = 0; key < 100; key++) {
        stored.put(key, (int) (key % records));
      }
    }

    @Override
    public List<String> operations() {
      return mix().stream().map(MixedOperation::name).toList();
    }

    @Override
    public List<MixedOperation> mix() {
      return List.of(
          new MixedOperation("get-all", Effect.READ, 5, 0.4),
          new MixedOperation("remove", Effect.REMOVE, 1, 0.3),
          new MixedOperation("put", Effect.WRITE, 1, 0.3));
    }

    @Override
    public void call(Call call) {
      for (int i = 0; i < call.size(); i++) {
        if (call.absent(i) == stored.containsKey(call.key(i))) {
          wrong.add("key " + call.key(i) + " absent: " + call.absent(i));
        }
        absent.addAndGet(call.absent(i) ? 1 : 0);
      }
      if (call.size() != (call.operation() == 0 ? 5 : 1)) {
        wrong.add("operation " + call.operation() + " of " + call.size() + " records");
      }
      if (call.operation() == 1) {
        stored.remove(call.key(0));
      } else if (call.operation() == 2) {
        stored.put(call.key(0), call.record(0));
      }
      call.done();
    }
  }

  @ParameterizedTest
  @CsvSource({"'', price", "kind, kind"})
  void anUpdateLeavesTheOtherFieldsAsTheyWereFilledIn(String named, String field) throws Exception {
    Settings plain = Trials.SETTINGS.with("threads", 3).with("keys", "uniform");
    Settings settings = named.isEmpty() ? plain : plain.with("update-field", named);
    Generator generator = generator(Job.UPDATE, settings, MemoryPath::synchronous);
    run(generator);
    assertThat(expected(generator)).isEqualTo(updated(settings, field));
  }

  @ParameterizedTest
  @CsvSource({"false, 0", "false, 40", "true, 0", "true, 3"})
  void aSharedKeyMustHoldTheLastWriteOfOneThread(boolean mix, int planted) throws Exception {
    SharedKeys.Judgement judged = sharedKeys(mix ? Job.MIX : Job.WRITE, planted);
    assertThat(judged.wrong()).isEqualTo(planted);
    assertThat(judged.written()).isEqualTo(100);
    assertThat(judged.contested()).isPositive();
  }

  /**
   * Four threads each write all of 100 keys of one map; then so many keys get a value that nobody
   * wrote.
   */
  private SharedKeys.Judgement sharedKeys(Job job, int planted) throws Exception {
    Settings settings =
        Trials.SETTINGS.with("threads", 4).with("key-sharing", "shared").with("keys", "uniform");
    Records records = Trials.records(settings);
    Map<Long, Integer> map = new ConcurrentHashMap<>();
    for (long key = 0; job == Job.MIX && key < 100; key++) {
      map.put(key, (int) (key % records.size()));
    }
    Generator generator =
        doing(
            job,
            settings,
            (path, call) -> {
              if (job != Job.MIX || call.operation() == 1) {
                map.put(call.key(0), call.record(0));
                path.stored.put(call.key(0), call.record(0));
              }
              call.done();
            });
    runUntil(generator, () -> paths.stream().allMatch(path -> path.stored.size() == 100));
    Map<Long, Object[]> found = new HashMap<>();
    map.forEach((key, record) -> found.put(key, records.fields(record)));
    for (long key = 0; key < planted; key++) {
      found.put(key, new Object[] {key});
    }
    StoredContents contents = Trials.stored(found);
    Evidence verified = generator.verify(true, () -> ContentDigest.EMPTY, () -> contents);
    return SharedKeys.judge(List.of((SharedKeys) verified));
  }

  /** What is there when each key has its own record with this field of the one last written. */
  private ContentDigest updated(Settings settings, String field) {
    Records records = Trials.records(settings);
    List<String> names = records.shape().fields().stream().map(FieldShape::name).toList();
    int place = names.indexOf(field);
    ContentDigest sum = ContentDigest.EMPTY;
    for (long key = 0; key < settings.number("records"); key++) {
      Object[] fields = records.fields((int) (key % records.size()));
      for (MemoryPath path : paths) {
        Integer written = path.stored.get(key);
        if (written != null) {
          fields[place] = records.fields(written)[place];
        }
      }
      sum = sum.plus(new ContentDigest(1, records.hash(key, fields)));
    }
    return sum;
  }

  private Generator doing(Job job, Settings settings, MemoryPath.Step step) {
    return generator(job, settings, () -> MemoryPath.doing(step));
  }

  private Generator generator(Job job, Settings settings, Supplier<MemoryPath> p) {
    return generator(job, settings, Guarantee.OF_ONE, filled -> {}, p);
  }

  private Generator generator(
      Job job, Settings settings, Guarantee guarantee, LongConsumer fill, Supplier<MemoryPath> p) {
    return new Generator(
        Trials.trial(job, settings),
        Trials.records(settings),
        0,
        1,
        guarantee,
        fill,
        thread -> {
          MemoryPath path = p.get();
          paths.add(path);
          return path;
        },
        samples::add);
  }

  private static ContentDigest expected(Generator generator) {
    return ((Evidence.Contents) verified(generator)).expected();
  }

  private static List<Aggregate> answers(Generator generator) {
    return ((Evidence.WholeSet) verified(generator)).answers();
  }

  private static Evidence verified(Generator generator) {
    return generator.verify(
        false,
        () -> ContentDigest.EMPTY,
        () -> {
          throw new AssertionError("only shared keys are read back one by one");
        });
  }

  /** More calls are counted than may be in flight. */
  private Answer.Finished run(Generator generator) throws Exception {
    generator.begin();
    awaitCalls(20);
    generator.measure();
    awaitCalls(calls() + 200);
    return generator.finish();
  }

  private void awaitCalls(long count) throws InterruptedException {
    while (calls() < count) {
      Thread.sleep(1);
    }
  }

  private long calls() {
    return paths.stream().mapToLong(path -> path.calls.get()).sum();
  }

  private static Answer.Finished runUntil(Generator generator, BooleanSupplier enough)
      throws Exception {
    generator.begin();
    while (!enough.getAsBoolean()) {
      Thread.sleep(5);
    }
    return generator.finish();
  }

  private ContentDigest stored() {
    Records records = Trials.records(Trials.SETTINGS);
    ContentDigest sum = ContentDigest.EMPTY;
    for (MemoryPath path : paths) {
      for (Map.Entry<Long, Integer> entry : path.stored.entrySet()) {
        long hash = records.hash(entry.getKey(), records.fields(entry.getValue()));
        sum = sum.plus(new ContentDigest(1, hash));
      }
    }
    return sum;
  }
}
