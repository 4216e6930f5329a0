package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.TrialSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads 0 and 1 belong to one agent, thread 2 to another. */
class SharedKeyCheckTest {

  private static final int KEYS = 20;
  private static final int THREADS = 3;
  private static final Records RECORDS = Trials.records(Trials.SETTINGS.with("records", 400));
  private static final ExpectedContents CONTENTS = ExpectedContents.written(RECORDS);

  private final List<WriteModel> models = new ArrayList<>();
  private final Map<Integer, Integer> grid = new HashMap<>();
  private int record;

  private void open(boolean overwrites) {
    models.clear();
    grid.clear();
    record = 0;
    for (int thread = 0; thread < THREADS; thread++) {
      models.add(new WriteModel(new KeySpace(0, 1, KEYS), overwrites));
    }
  }

  /** A write that is done and acknowledged. Every record is written once. */
  private int write(int thread, int key) {
    grid.put(key, record);
    models.get(thread).wrote(key, record);
    return record++;
  }

  private SharedKeys.Judgement judged(int filled) {
    return judged(filled, false);
  }

  private SharedKeys.Judgement judged(int filled, boolean mayDrop) {
    return SharedKeys.judge(
        Stream.of(models.subList(0, 2), models.subList(2, 3))
            .map(agent -> new SharedKeyCheck(agent, CONTENTS, KEYS, filled, mayDrop))
            .map(check -> check.compare(stored()))
            .toList());
  }

  private StoredContents stored() {
    Map<Long, Object[]> fields = new HashMap<>();
    grid.forEach((key, r) -> fields.put((long) key, RECORDS.fields(r)));
    return Trials.stored(fields);
  }

  @Property(tries = 200)
  void anyOrderOfWritesIsRight(
      @ForAll @Size(max = 200) List<@IntRange(max = KEYS * THREADS - 1) Integer> writes,
      @ForAll boolean filled) {
    open(true);
    if (filled) {
      fill();
    }
    writes.forEach(w -> write(w % THREADS, w / THREADS));
    SharedKeys.Judgement judgement = judged(filled ? RECORDS.size() : 0);
    assertThat(judgement.wrong()).isZero();
    assertThat(judgement.written())
        .isEqualTo(writes.stream().map(w -> w / THREADS).distinct().count());
    long byTwo =
        IntStream.range(0, KEYS)
            .filter(key -> writes.stream().filter(w -> w / THREADS == key).distinct().count() > 1)
            .count();
    assertThat(judgement.contested()).isEqualTo(byTwo);
  }

  /** Absent keys are right where the grid may drop records; stale values are wrong all the same. */
  @Property(tries = 200)
  void recordsThatTheGridDroppedAreNotLostButStaleOnesAreFound(
      @ForAll @Size(max = 200) List<@IntRange(max = KEYS * THREADS - 1) Integer> writes,
      @ForAll boolean filled,
      @ForAll @Size(max = 20) List<@IntRange(max = KEYS - 1) Integer> dropped,
      @ForAll @IntRange(max = KEYS - 1) int stale) {
    open(true);
    if (filled) {
      fill();
    }
    writes.forEach(w -> write(w % THREADS, w / THREADS));
    dropped.forEach(grid::remove);
    SharedKeys.Judgement judgement = judged(filled ? RECORDS.size() : 0, true);
    assertThat(judgement.wrong()).isZero();
    assertThat(judgement.left()).contains((long) grid.size());
    int old = write(0, stale);
    write(0, stale);
    grid.put(stale, old);
    assertThat(judged(filled ? RECORDS.size() : 0, true).wrong()).isEqualTo(1);
    assertThat(judged(filled ? RECORDS.size() : 0, false).left()).isEmpty();
  }

  @Property(tries = 100)
  void theFirstWriteRemainsWhereAPathDoesNotOverwrite(
      @ForAll @Size(max = 200) List<@IntRange(max = KEYS * THREADS - 1) Integer> writes) {
    open(false);
    for (int w : writes) {
      int before = grid.getOrDefault(w / THREADS, WriteModel.NONE);
      write(w % THREADS, w / THREADS);
      if (before != WriteModel.NONE) {
        grid.put(w / THREADS, before);
      }
    }
    assertThat(judged(0).wrong()).isZero();
  }

  @Property(tries = 200)
  void aValueThatItsThreadHasWrittenOverIsFound(
      @ForAll @Size(max = 100) List<@IntRange(max = KEYS * THREADS - 1) Integer> between,
      @ForAll @IntRange(max = KEYS - 1) int key,
      @ForAll @IntRange(max = THREADS - 1) int thread) {
    open(true);
    int old = write(thread, key);
    between.forEach(w -> write(w % THREADS, w / THREADS));
    write(thread, key);
    assertThat(judged(0).wrong()).isZero();
    grid.put(key, old);
    assertThat(judged(0).wrong()).isEqualTo(1);
  }

  @Test
  void absentKeysForeignValuesAndForeignKeysAreWrong() {
    open(true);
    write(0, 3);
    write(2, 3);
    grid.remove(3);
    assertThat(judged(0).wrong()).isEqualTo(1);
    grid.put(3, write(1, 4));
    assertThat(judged(0).wrong()).isEqualTo(1);
    grid.put(KEYS, 1);
    assertThat(judged(0).wrong()).isEqualTo(2);
  }

  @Test
  void aKeyThatNobodyWroteMustBeAbsentOrAsItWasFilledIn() {
    open(true);
    grid.put(5, 7);
    assertThat(judged(0).wrong()).isEqualTo(1);
    fill();
    assertThat(judged(RECORDS.size()).wrong()).isZero();
    grid.put(5, 7);
    assertThat(judged(RECORDS.size()).wrong()).isEqualTo(1);
    grid.remove(5);
    assertThat(judged(RECORDS.size()).wrong()).isEqualTo(1);
  }

  @Test
  void theRecordFilledInIsWrongOnceAThreadHasWritten() {
    open(true);
    fill();
    record = 100;
    write(2, 5);
    grid.put(5, 5);
    assertThat(judged(RECORDS.size()).wrong()).isEqualTo(1);
  }

  @Test
  void anUpdateMustLeaveTheOtherFieldsAsTheyWereFilledIn() {
    ExpectedContents updated = ExpectedContents.updated(RECORDS, 1);
    open(true);
    fill();
    record = 100;
    write(0, 5);
    SharedKeyCheck check =
        new SharedKeyCheck(models.subList(0, 1), updated, KEYS, RECORDS.size(), false);
    assertThat(SharedKeys.judge(List.of(check.compare(stored()))).wrong()).isEqualTo(1);
  }

  /** Four bytes of half the heap for a write's key, eight of a quarter for an account. */
  @ParameterizedTest
  @CsvSource({"write, 8", "transfer, 32"})
  void moreKeysThanTheHeapCanRememberAreRefused(String job, int bytesOfHeap) {
    int threads = 10;
    long most = Runtime.getRuntime().maxMemory() / (bytesOfHeap * threads);
    Settings settings = Trials.SETTINGS.with("key-sharing", "shared").with("threads", threads);
    TrialSpec fits = Trials.trial(Job.of(job), settings.with("records", most));
    assertThat(Workload.of(fits, RECORDS, Guarantee.OF_ONE).recordsBefore()).isNotNegative();
    TrialSpec tooMany = Trials.trial(Job.of(job), settings.with("records", most + 1));
    assertThatThrownBy(() -> Workload.of(tooMany, RECORDS, Guarantee.OF_ONE))
        .hasMessageContaining("agent-heap");
  }

  private void fill() {
    for (int key = 0; key < KEYS; key++) {
      grid.put(key, key % RECORDS.size());
    }
  }
}
