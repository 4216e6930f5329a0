package io.pyrometer.load;

/** A pooled {@link Call}. */
final class Slot implements Call {

  private final LoadLoop loop;
  final long[] keys;
  final int[] records;
  final boolean[] absent;
  int size;
  int operation;
  long amount;
  long intendedStart;
  long late;

  Slot(LoadLoop loop, int capacity) {
    this.loop = loop;
    this.keys = new long[capacity];
    this.records = new int[capacity];
    this.absent = new boolean[capacity];
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
  public boolean absent(int i) {
    return absent[i];
  }

  @Override
  public void carried(int found) {
    size = found;
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
