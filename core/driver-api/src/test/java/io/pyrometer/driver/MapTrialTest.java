package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.MixedOperation;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MapTrialTest {
  private static final Settings SETTINGS = new Settings(Map.of("batch", 4, "records", 10L));
  private static final Records RECORDS =
      Records.of(
          new RecordShape(
              "number",
              Optional.empty(),
              List.of(new FieldShape("n", FieldType.LONG, 8, 100, 0, 1_000, List.of(), false))),
          SETTINGS,
          7);

  private final Map<Long, byte[]> stored = new HashMap<>();

  /** A trial on a map in memory. */
  private final class InMemory extends MapTrial<Long, byte[]> {
    InMemory() {
      this(SETTINGS);
    }

    InMemory(Settings settings) {
      super(
          new TrialSpec(
              "t", 0, 0, Map.of(), Job.WRITE, settings.with("path", "put-all"), RECORDS.shape(), 7),
          RECORDS,
          100,
          Long::valueOf,
          new RecordBytes(RECORDS));
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public AccessPath path(LoadThread thread) {
      return putAll(stored::putAll);
    }

    @Override
    protected byte @Nullable [] read(Long key) {
      return stored.get(key);
    }

    @Override
    protected void load(Map<Long, byte[]> batch) {
      stored.putAll(batch);
    }

    @Override
    protected void scan(StoredContents.RecordVisitor visitor) {
      stored.forEach((key, value) -> visitor.visit(key, form.fields(value)));
    }

    @Override
    public void destroy() {
      stored.clear();
    }
  }

  private static Settings mix(String shares) {
    return SETTINGS.with("mix", shares).with("reads", 0.5);
  }

  @Test
  void aMixHasTheOperationsOfItsSettingAndNoOthers() {
    AccessPath path = mixed(new InMemory(mix("get 20%, put-all 50%, get-all 20%, remove 10%")));
    assertThat(path.operations()).containsExactly("get", "get-all", "remove", "put-all");
    assertThat(path.mix())
        .extracting(MixedOperation::records)
        .as("records of a call")
        .containsExactly(1, 4, 1, 4);
    assertThat(path.mix()).extracting(MixedOperation::weight).containsExactly(0.2, 0.2, 0.1, 0.5);
    assertThatThrownBy(() -> mixed(new InMemory(mix("get 50%, invoke 50%"))))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("'invoke'");
  }

  @Test
  void aMixWithBatchesIsNotAtomic() {
    PathDescription mixed =
        new PathDescription(
            "mixed", Job.MIX, true, "Mixes.", Optional.of(Guarantee.OF_ONE), List.of());
    assertThat(mixed.guarantee(mix("get 50%, put 50%"))).contains(Guarantee.OF_ONE);
    assertThat(mixed.guarantee(mix("put-all 50%, put 50%")))
        .contains(new Guarantee(true, true, true, false));
  }

  @Test
  void aMixedReadThatMissesOrHitsWhatItShouldNotFails() throws Exception {
    InMemory trial = new InMemory(mix("get-all 50%, put 50%"));
    trial.fill(0, 3);
    AccessPath path = mixed(trial);
    path.call(new Batch(0, 1, 2));
    assertThatThrownBy(() -> path.call(new Batch(1, 9))).hasMessageContaining(" 9 ");
    assertThatThrownBy(() -> path.call(new Batch(true, 9, 1))).hasMessageContaining(" 1 ");
    stored.remove(1L);
    path.call(new Batch(true, 9, 1));
  }

  private AccessPath mixed(InMemory trial) {
    return trial
        .mixed("put", stored::get, stored::put)
        .putAll(stored::putAll)
        .getAll(
            wanted -> {
              Map<Long, byte[]> found = new HashMap<>(stored);
              found.keySet().retainAll(wanted);
              return found;
            })
        .remove(stored::remove)
        .open();
  }

  /**
   * Call of an operation.
   *
   * @param none whether none of the keys should be there
   */
  private record Batch(boolean none, long... keys) implements Call {
    Batch(long... keys) {
      this(false, keys);
    }

    @Override
    public boolean absent(int i) {
      return none;
    }

    @Override
    public int size() {
      return keys.length;
    }

    @Override
    public long key(int i) {
      return keys[i];
    }

    @Override
    public int record(int i) {
      return i;
    }

    @Override
    public int operation() {
      return 0;
    }

    @Override
    public void done() {}

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  @Test
  void recordsThatABatchMergesAreCountedAndTheLastOneOfAKeyIsWritten() throws Exception {
    InMemory trial = new InMemory();
    try (AccessPath path = trial.path(new LoadThread(0, 1))) {
      path.call(new Batch(1, 2, 1, 1));
      path.call(new Batch(5, 6, 7, 8));
      assertThat(path.mergedRecords()).isEqualTo(2);
      assertThat(path.events()).isEqualTo(Map.of("records-merged", 2L));
    }
    assertThat(stored).hasSize(6);
    assertThat(stored.get(1L)).isEqualTo(new RecordBytes(RECORDS).of(3));
  }

  @Test
  void theFillIsReadBack() {
    InMemory trial = new InMemory();
    trial.fill(0, 10);
    assertThat(stored).hasSize(10);
    assertThat(trial.contents().get(3)).isEqualTo(RECORDS.hash(0, RECORDS.fields(3)));
    assertThat(trial.digest().count()).isEqualTo(10);
  }
}
