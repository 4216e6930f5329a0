package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Threads 0 and 1 belong to one agent, thread 2 to another; each has keys of its own. */
class LateWritesTest {
  private static final int KEYS = 20;
  private static final int THREADS = 3;
  private static final Records RECORDS = Trials.records(Trials.SETTINGS.with("records", 400));
  private static final ExpectedContents CONTENTS = ExpectedContents.written(RECORDS);

  private final List<WriteModel> models = new ArrayList<>();
  private final Map<Long, List<Integer>> writes = new HashMap<>();
  private final Map<Long, Object[]> grid = new HashMap<>();

  private void write(List<Integer> keys) {
    models.clear();
    writes.clear();
    grid.clear();
    for (int thread = 0; thread < THREADS; thread++) {
      models.add(new WriteModel(KeySpace.own(new LoadThread(thread, THREADS), KEYS), true));
    }
    for (int record = 0; record < keys.size(); record++) {
      long key = keys.get(record);
      models.get((int) (key % THREADS)).wrote(key, record);
      writes.computeIfAbsent(key, k -> new ArrayList<>()).add(record);
      grid.put(key, RECORDS.fields(record));
    }
  }

  private List<Evidence.Contents> compared() {
    return List.of(
        compared(models.subList(0, 2), Optional.of(found())),
        compared(models.subList(2, 3), Optional.empty()));
  }

  private Evidence.Contents compared(List<WriteModel> threads, Optional<ContentDigest> found) {
    ContentDigest last =
        threads.stream()
            .map(thread -> thread.expected(CONTENTS))
            .reduce(ContentDigest.EMPTY, ContentDigest::plus);
    return LateWrites.compare(threads, CONTENTS, Trials.stored(grid), last, found);
  }

  private ContentDigest found() {
    return grid.entrySet().stream()
        .map(
            entry ->
                new ContentDigest(
                    1, FieldHash.keyed(entry.getKey(), FieldHash.of(entry.getValue()))))
        .reduce(ContentDigest.EMPTY, ContentDigest::plus);
  }

  private boolean accepted() {
    return compared().stream()
        .map(Evidence.Contents::expected)
        .reduce(ContentDigest.EMPTY, ContentDigest::plus)
        .equals(found());
  }

  private long late() {
    return compared().stream().mapToLong(Evidence.Contents::late).sum();
  }

  @Property(tries = 200)
  void keysWithAnEarlierWriteAreCountedAndAccepted(
      @ForAll @NotEmpty @Size(max = 200) List<@IntRange(max = KEYS - 1) Integer> keys,
      @ForAll @IntRange(max = 7) int which) {
    write(keys);
    assertThat(late()).isZero();
    assertThat(accepted()).isTrue();
    long changed = 0;
    for (Map.Entry<Long, List<Integer>> of : writes.entrySet()) {
      List<Integer> records = of.getValue();
      int remaining = records.get(which % records.size());
      grid.put(of.getKey(), RECORDS.fields(remaining));
      changed += remaining == records.get(records.size() - 1) ? 0 : 1;
    }
    assertThat(late()).isEqualTo(changed);
    assertThat(accepted()).isTrue();
  }

  @Test
  void absentKeysForeignValuesAndForeignKeysStayWrong() {
    List<Integer> keys = List.of(1, 2, 3, 1, 2, 3);
    write(keys);
    grid.remove(1L);
    assertThat(accepted()).isFalse();

    write(keys);
    Object[] foreign = RECORDS.fields(0).clone();
    foreign[0] = RECORDS.fields(1)[0];
    grid.put(2L, foreign);
    assertThat(accepted()).isFalse();

    write(keys);
    grid.put(9L, RECORDS.fields(4));
    assertThat(accepted()).isFalse();
  }
}
