package io.pyrometer.load;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Trials for tests. */
public final class Trials {

  static final RecordShape SHAPE =
      new RecordShape(
          "thing",
          Optional.empty(),
          List.of(
              field("name", FieldType.STRING, 12, 0, 0, 0, false),
              field("price", FieldType.DOUBLE, 0, 0, 1, 100, false),
              field("amount", FieldType.INT, 0, 0, 1, 1_000, false),
              field("kind", FieldType.STRING, 3, 5, 0, 0, false),
              field("rest", FieldType.BYTES, 10, 0, 0, 0, true)));

  static final Settings SETTINGS = new Settings(Map.of("path", "test", "records", 100));

  private Trials() {}

  static FieldShape field(
      String name,
      FieldType type,
      int size,
      int cardinality,
      double least,
      double most,
      boolean filler) {
    return new FieldShape(name, type, size, cardinality, least, most, List.of(), filler);
  }

  static TrialSpec trial(Job job, Settings settings) {
    return new TrialSpec("t", 0, 0, Map.of(), job, settings, SHAPE, 42);
  }

  static Records records(Settings settings) {
    return Records.of(SHAPE, settings, 42);
  }

  /** What a store holds, by key. */
  public static StoredContents stored(Map<Long, Object[]> fields) {
    return new StoredContents() {
      @Override
      public void forEach(Visitor visitor) {
        fields.forEach(
            (key, values) -> visitor.visit(key, FieldHash.keyed(0, FieldHash.of(values))));
      }

      @Override
      public void forEachRecord(RecordVisitor visitor) {
        fields.forEach(visitor::visit);
      }

      @Override
      public long get(long key) {
        throw new AssertionError("single reads are not asked for");
      }
    };
  }

  /** The only load thread of a trial. */
  static LoadLoop loop(Job job, Settings settings, AccessPath path, NanoClock clock) {
    TrialSpec trial = trial(job, settings);
    LoadThread thread = new LoadThread(0, 1);
    return new LoadLoop(
        Workload.of(trial, records(settings), Guarantee.OF_ONE).open(thread, path),
        path,
        settings,
        thread,
        trial.seed(),
        clock);
  }
}
