package io.pyrometer.load.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.load.RecordPool;
import io.pyrometer.load.Records;
import io.pyrometer.load.StoredContents;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConcurrentReaderTest {
  private static final int READS = 20;
  private static final long KEY = 3;

  private final Records records = RecordPool.of(shape(), Settings.NONE, 3);
  private final Versions versions = new Versions(records);
  private final WrittenVersions written = new WrittenVersions(10);

  private static RecordShape shape() {
    FieldShape field = new FieldShape("price", FieldType.LONG, 0, 0, 0, 1e9, List.of(), false);
    return new RecordShape("thing", Optional.empty(), List.of(field));
  }

  /** The reading thread may lose its core between a look at the version and the read itself. */
  @Test
  void aReadThatManyVersionsOvertakeIsNotStale() throws Exception {
    ConcurrentReader reader = read(key -> written(3 * versions.different() / 4));
    assertThat(reader.reads()).isZero();
    assertThat(reader.stale()).isZero();
  }

  @Test
  void aReadThatAFewVersionsOvertakeIsJudged() throws Exception {
    ConcurrentReader newer = read(key -> written(10));
    assertThat(newer.reads()).isPositive();
    assertThat(newer.stale()).isZero();
    long first = written(1);
    long unused = written(1);
    ConcurrentReader older = read(key -> first);
    assertThat(older.stale()).isEqualTo(older.reads()).isPositive();
  }

  /** A call of many records may have stored versions that nobody has acknowledged. */
  @Test
  void aVersionThatIsOnItsWayIsNotStaleHoweverNewItIs() throws Exception {
    ConcurrentReader newer =
        read(key -> hash(written.acknowledged(key) + begun(key, versions.different() / 4)));
    assertThat(newer.reads()).isPositive();
    assertThat(newer.stale()).isZero();
  }

  @Test
  void aReadWhileTooManyVersionsAreOnTheirWayIsNotJudged() throws Exception {
    ConcurrentReader reader =
        read(key -> hash(written.acknowledged(key) + begun(key, 3 * versions.different() / 4)));
    assertThat(reader.reads()).isZero();
  }

  /** Begins to write more versions of the key, and returns how many. */
  private int begun(long key, int more) {
    int wanted = written.acknowledged(key) + more;
    while (written.begun(key) < wanted) {
      written.begin(key, true);
    }
    return more;
  }

  /** Acknowledges the next versions of the key, and returns the hash of the last of them. */
  private long written(int more) {
    int version = written.acknowledged(KEY) + more;
    begun(KEY, more);
    written.acknowledge(new long[] {KEY}, new int[] {version});
    return hash(version);
  }

  private long hash(int version) {
    return records.hash(0, records.fields(versions.record(KEY, version)));
  }

  /** Reads the key so often that a pause of the reader does not fall into every read. */
  private ConcurrentReader read(Reading reading) throws InterruptedException {
    CountDownLatch wasRead = new CountDownLatch(READS);
    ConcurrentReader reader =
        new ConcurrentReader(
            written,
            versions,
            new StoredContents() {
              @Override
              public void forEach(Visitor visitor) {}

              @Override
              public void forEachRecord(RecordVisitor visitor) {
                throw new AssertionError("fields are not asked for");
              }

              @Override
              public long get(long key) {
                long hash = reading.of(key);
                wasRead.countDown();
                return hash;
              }
            },
            () -> false);
    Thread thread = new Thread(reader);
    thread.start();
    while (wasRead.getCount() > 0) {
      written(1);
      Thread.sleep(1);
    }
    reader.stop();
    thread.join();
    return reader;
  }

  @FunctionalInterface
  private interface Reading {
    long of(long key);
  }
}
