package io.pyrometer.driver.nullgrid;

import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Aggregation;
import io.pyrometer.load.Call;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** One trial: the index of the record stored under each key, in an array. */
final class ArrayTrial implements TrialSession {

  private static final int ABSENT = -1;

  private final TrialSpec trial;
  private final Records records;
  private final int[] recordOfKey;
  private final List<String> fields;
  private final double[][] values;

  ArrayTrial(TrialSpec trial, Records records) {
    this.trial = trial;
    this.records = records;
    this.recordOfKey = new int[trial.settings().get(CoreSettings.RECORDS).intValue()];
    java.util.Arrays.fill(recordOfKey, ABSENT);
    this.fields = Aggregation.fields(records.shape(), trial.settings());
    List<String> names = records.shape().fields().stream().map(f -> f.name()).toList();
    this.values = new double[records.size()][fields.size()];
    for (int record = 0; record < values.length; record++) {
      Object[] all = records.fields(record);
      for (int i = 0; i < fields.size(); i++) {
        values[record][i] = ((Number) all[names.indexOf(fields.get(i))]).doubleValue();
      }
    }
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
    return switch (trial.path()) {
      case NullDriver.PUT -> new Put(1, Runnable::run);
      case NullDriver.PUT_ASYNC ->
          new Put(
              trial.settings().get(PathSettings.IN_FLIGHT),
              Executors.newSingleThreadExecutor(ArrayTrial::daemon));
      case NullDriver.STUCK -> new Stuck();
      case NullDriver.GET -> new Get(false);
      default -> new Get(true);
    };
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "completions");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public ContentDigest digest() {
    long count = 0;
    long checksum = 0;
    for (int key = 0; key < recordOfKey.length; key++) {
      if (recordOfKey[key] != ABSENT) {
        count++;
        checksum += records.hash(key, records.fields(recordOfKey[key]));
      }
    }
    return new ContentDigest(count, checksum);
  }

  @Override
  public StoredContents contents() {
    return new StoredContents() {
      @Override
      public void forEach(Visitor visitor) {
        for (int key = 0; key < recordOfKey.length; key++) {
          if (recordOfKey[key] != ArrayTrial.ABSENT) {
            visitor.visit(key, get(key));
          }
        }
      }

      @Override
      public void forEachRecord(RecordVisitor visitor) {
        for (int key = 0; key < recordOfKey.length; key++) {
          if (recordOfKey[key] != ArrayTrial.ABSENT) {
            visitor.visit(key, records.fields(recordOfKey[key]));
          }
        }
      }

      @Override
      public long get(long key) {
        int record = recordOfKey[(int) key];
        return record == ArrayTrial.ABSENT
            ? StoredContents.ABSENT
            : records.hash(0, records.fields(record));
      }
    };
  }

  @Override
  public void destroy() {}

  @Override
  public void close() {}

  private final class Put implements AccessPath {
    private final int window;
    private final Executor completions;

    Put(int window, Executor completions) {
      this.window = window;
      this.completions = completions;
    }

    @Override
    public int window() {
      return window;
    }

    @Override
    public int recordsPerCall() {
      return 1;
    }

    @Override
    public List<String> operations() {
      return List.of(trial.path());
    }

    @Override
    public void call(Call call) {
      recordOfKey[(int) call.key(0)] = call.record(0);
      if (window == 1) {
        call.done();
      } else {
        completions.execute(call::done);
      }
    }
  }

  /** Takes a call and never ends it. */
  private static final class Stuck implements AccessPath {
    @Override
    public int window() {
      return 1;
    }

    @Override
    public int recordsPerCall() {
      return 1;
    }

    @Override
    public List<String> operations() {
      return List.of(NullDriver.STUCK);
    }

    @Override
    public void call(Call call) {}
  }

  private final class Get implements AccessPath {
    private final boolean whole;
    private final double[] highest = new double[fields.size()];
    private long count;

    Get(boolean whole) {
      this.whole = whole;
      java.util.Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    }

    @Override
    public int window() {
      return 1;
    }

    @Override
    public int recordsPerCall() {
      return whole ? recordOfKey.length : 1;
    }

    @Override
    public boolean wholeSet() {
      return whole;
    }

    @Override
    public List<String> operations() {
      return List.of(trial.path());
    }

    @Override
    public void call(Call call) {
      if (whole) {
        for (int record : recordOfKey) {
          take(record);
        }
      } else {
        take(recordOfKey[(int) call.key(0)]);
      }
      call.done();
    }

    private void take(int record) {
      count++;
      for (int i = 0; i < highest.length; i++) {
        highest[i] = Math.max(highest[i], values[record][i]);
      }
    }

    @Override
    public Aggregate takeAnswer() {
      TreeMap<String, Double> answer = new TreeMap<>();
      for (int i = 0; i < highest.length; i++) {
        answer.put(fields.get(i), highest[i]);
      }
      Aggregate taken = new Aggregate(count, answer);
      count = 0;
      java.util.Arrays.fill(highest, Double.NEGATIVE_INFINITY);
      return taken;
    }
  }
}
