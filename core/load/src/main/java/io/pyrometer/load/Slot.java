package io.pyrometer.load;

/** A pooled {@link Call}. */
final class Slot implements Call {

  private final LoadLoop loop;
  final long[] keys;
  final int[] records;
  int size;
  int operation;
  boolean misses;
  long amount;
  long intendedStart;

  Slot(LoadLoop loop, int capacity) {
    this.loop = loop;
    this.keys = new long[capacity];
    this.records = new int[capacity];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long key(int i) {
    return keys[i];
  }

  @Override
  public int record(int i) {
    return records[i];
  }

  @Override
  public int operation() {
    return operation;
  }

  @Override
  public boolean misses() {
    return misses;
  }

  @Override
  public long amount() {
    return amount;
  }

  @Override
  public void done() {
    loop.ended(this);
  }

  @Override
  public void failed(Throwable cause) {
    loop.failed(this, cause);
  }
}
