package io.pyrometer.load.probe;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Call;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that breaks one promise. */
final class LeakyMap implements StoredContents {

  enum Fault {
    NONE,
    KEEPS_THE_FIRST,
    FORGETS_EVERY_FIFTH_KEY,
    READS_LAG,
    REFUSES_EVERY_THIRD_CALL,
    IS_SLOW,
    DROPS_EVERY_FIFTH_KEY
  }

  private static final int BATCH = 10;

  /** Whether writes are acknowledged and not made. */
  volatile boolean loses;

  private final Fault fault;
  private final Records records;
  private final Map<Long, Integer> now = new ConcurrentHashMap<>();
  private final Map<Long, Integer> before = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();

  LeakyMap(Fault fault, Records records) {
    this.fault = fault;
    this.records = records;
  }

  void awaitCalls(int count) throws InterruptedException {
    for (int i = 0; i < 12_000 && calls.get() < count; i++) {
      Thread.sleep(5);
    }
  }

  void awaitMoreCalls(int count) throws InterruptedException {
    awaitCalls(calls.get() + count);
  }

  AccessPath path(String... operations) {
    return new Path(List.of(operations));
  }

  @Override
  public void forEach(Visitor visitor) {
    now.forEach((key, record) -> visitor.visit(key, hash(record)));
  }

  @Override
  public void forEachRecord(RecordVisitor visitor) {
    now.forEach((key, record) -> visitor.visit(key, records.fields(record)));
  }

  @Override
  public long get(long key) {
    Integer record = (fault == Fault.READS_LAG ? before : now).get(key);
    return record == null ? ABSENT : hash(record);
  }

  private long hash(int record) {
    return records.hash(0, records.fields(record));
  }

  private final class Path implements AccessPath {
    private final List<String> operations;

    Path(List<String> operations) {
      this.operations = operations;
    }

    @Override
    public boolean mayDrop() {
      return fault == Fault.DROPS_EVERY_FIFTH_KEY;
    }

    @Override
    public int window() {
      return 1;
    }

    @Override
    public int recordsPerCall() {
      return fault == Fault.IS_SLOW ? 1 : BATCH;
    }

    @Override
    public List<String> operations() {
      return operations;
    }

    @Override
    public void call(Call call) throws InterruptedException {
      if (fault == Fault.IS_SLOW) {
        Thread.sleep(1);
      }
      if (!operations.get(call.operation()).equals("write")) {
        call.done();
        return;
      }
      if (calls.incrementAndGet() % 3 == 0 && fault == Fault.REFUSES_EVERY_THIRD_CALL) {
        throw new IllegalStateException("refused");
      }
      for (int i = 0; i < call.size(); i++) {
        write(call.key(i), call.record(i));
      }
      call.done();
    }

    private void write(long key, int record) {
      boolean forgets =
          fault == Fault.FORGETS_EVERY_FIFTH_KEY || fault == Fault.DROPS_EVERY_FIFTH_KEY;
      if (loses || (forgets && key % 5 == 0)) {
        return;
      }
      Integer old = now.get(key);
      before.put(key, old == null ? record : old);
      if (fault != Fault.KEEPS_THE_FIRST || old == null) {
        now.put(key, record);
      }
    }
  }
}
