package io.pyrometer.driver.nullgrid;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ScannedContents;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.HighestFields;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.TrialSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** One trial: the index of the record stored under each key, in an array. */
final class ArrayTrial implements TrialSession {
  private static final int ABSENT = -1;

  private final TrialSpec trial;
  private final Records records;
  private final int[] recordOfKey;

  ArrayTrial(TrialSpec trial, Records records) {
    this.trial = trial;
    this.records = records;
    this.recordOfKey = new int[trial.settings().get(CoreSettings.RECORDS).intValue()];
    Arrays.fill(recordOfKey, ABSENT);
  }

  @Override
  public Map<String, String> configuration() {
    return Map.of("records", String.valueOf(recordOfKey.length));
  }

  @Override
  public void fill(long from, long to) {
    for (long key = from; key < to; key++) {
      recordOfKey[(int) key] = (int) (key % records.size());
    }
  }

  @Override
  public AccessPath path(LoadThread thread) {
    String path = trial.path();
    return switch (path) {
      case "put" -> FunctionPath.writing(path, 1, this::store);
      case "put-async" -> {
        Executor completions = Executors.newSingleThreadExecutor(Daemon.factory("completions"));
        yield FunctionPath.asynchronous(
            path,
            trial.settings().get(PathSettings.IN_FLIGHT),
            1,
            call -> {
              store(call);
              completions.execute(call::done);
            });
      }
      case "stuck" -> FunctionPath.asynchronous(path, 1, 1, call -> {});
      case "get" -> {
        Highest highest = new Highest(trial, records);
        yield FunctionPath.reading(
            path, 1, highest::take, call -> highest.see(recordOfKey[(int) call.key(0)]));
      }
      default -> {
        Highest highest = new Highest(trial, records);
        yield FunctionPath.wholeSet(
            path,
            recordOfKey.length,
            highest::take,
            call -> {
              for (int record : recordOfKey) {
                highest.see(record);
              }
            });
      }
    };
  }

  private void store(Call call) {
    recordOfKey[(int) call.key(0)] = call.record(0);
  }

  /** The highest value of each field over the records seen, from values that are at hand. */
  private static final class Highest {
    private final HighestFields fields;
    private final double[][] values;
    private final double[] highest;
    private long count;

    Highest(TrialSpec trial, Records records) {
      fields = new HighestFields(records.shape(), trial.settings());
      List<String> all = records.shape().fields().stream().map(FieldShape::name).toList();
      int[] places = fields.names().stream().mapToInt(all::indexOf).toArray();
      values = new double[records.size()][places.length];
      for (int record = 0; record < values.length; record++) {
        Object[] of = records.fields(record);
        for (int i = 0; i < places.length; i++) {
          values[record][i] = ((Number) of[places[i]]).doubleValue();
        }
      }
      highest = new double[places.length];
      Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    }

    void see(int record) {
      count++;
      for (int i = 0; i < highest.length; i++) {
        highest[i] = Math.max(highest[i], values[record][i]);
      }
    }

    Aggregate take() {
      fields.merge(count, highest);
      count = 0;
      Arrays.fill(highest, Double.NEGATIVE_INFINITY);
      return fields.take();
    }
  }

  @Override
  public ContentDigest digest() {
    return contents().digest();
  }

  @Override
  public ScannedContents contents() {
    return new ScannedContents(records, this::scan, this::stored);
  }

  private void scan(StoredContents.RecordVisitor visitor) {
    for (int key = 0; key < recordOfKey.length; key++) {
      if (recordOfKey[key] != ABSENT) {
        visitor.visit(key, records.fields(recordOfKey[key]));
      }
    }
  }

  private Optional<Object[]> stored(long key) {
    int record = recordOfKey[(int) key];
    return record == ABSENT ? Optional.empty() : Optional.of(records.fields(record));
  }

  @Override
  public void destroy() {}

  @Override
  public void close() {}
}
