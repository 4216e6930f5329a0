package io.pyrometer.load.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.load.Records;
import io.pyrometer.load.Trials;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads that are overtaken by writes between a look at the version and the read itself. */
class ConcurrentReaderTest {
  private static final long KEY = 3;

  private final Records records = ProbeTest.records(0);
  private final Versions versions = new Versions(records);
  private final WrittenVersions written = new WrittenVersions(10);
  private final ConcurrentReader reader =
      new ConcurrentReader(written, versions, Trials.stored(Map.of()), () -> false);

  /** Makes calls with the next versions of the key, and returns the hash of the last of them. */
  private long begun(int more) {
    int wanted = written.begun(KEY) + more;
    while (written.begun(KEY) < wanted) {
      written.begin(KEY, true);
    }
    return records.hash(0, records.fields(versions.record(KEY, wanted)));
  }

  /** Acknowledges the next versions of the key, and returns the hash of the last of them. */
  private long written(int more) {
    long hash = begun(more);
    written.acknowledge(new long[] {KEY}, new int[] {written.begun(KEY)});
    return hash;
  }

  private ProbeCounts judged(int acknowledged, long hash) {
    reader.judge(KEY, acknowledged, hash);
    return reader.counts();
  }

  @Test
  void aReadThatManyVersionsOvertakeIsNotJudged() {
    long first = written(1);
    long unused = written(3 * versions.different() / 4);
    assertThat(judged(1, first).checked()).isZero();
  }

  @Test
  void aReadThatAFewVersionsOvertakeIsJudged() {
    long old = written(1);
    long first = written(1);
    long last = written(10);
    assertThat(judged(2, first).staleOrLost()).isZero();
    assertThat(judged(2, last).staleOrLost()).isZero();
    assertThat(judged(2, old).stale()).isEqualTo(1);
    assertThat(reader.counts().checked()).isEqualTo(3);
  }

  /** A call of many records may have stored versions that nobody has acknowledged. */
  @Test
  void aVersionThatIsOnItsWayIsNotStaleHoweverNewItIs() {
    long unused = written(1);
    ProbeCounts newer = judged(1, begun(versions.different() / 4));
    assertThat(newer.checked()).isEqualTo(1);
    assertThat(newer.stale()).isZero();
    assertThat(judged(1, begun(versions.different() / 2)).checked())
        .as("too many are on their way")
        .isEqualTo(1);
  }
}
