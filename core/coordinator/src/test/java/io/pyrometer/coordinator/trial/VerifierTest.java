package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.PackedNumbers;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.Transfers;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static final Aggregate LOW = new Aggregate(10, Map.of("price", 5.0));
  private static final Aggregate HIGH = new Aggregate(20, Map.of("price", 9.0));

  private static Verification verify(List<Evidence> said) {
    return Verifier.verify(said, (name, metric) -> {});
  }

  private static Map<String, Metric> metrics(List<Evidence> said) {
    Map<String, Metric> metrics = new TreeMap<>();
    Verification unused = Verifier.verify(said, metrics::put);
    return metrics;
  }

  private static boolean passed(Evidence... said) {
    return verify(List.of(said)).passed();
  }

  private static Evidence wrote(long count, long checksum, Optional<ContentDigest> found) {
    ContentDigest expected = new ContentDigest(count, checksum);
    return new Evidence.Contents(expected, found, 0);
  }

  private static Evidence read(boolean whole, Optional<Aggregate> truth, Aggregate... answers) {
    return new Evidence.WholeSet(List.of(answers), truth, whole);
  }

  @Test
  void keysWhoseOrderAPathDoesNotKeepAreCountedAndNotWrong() {
    ContentDigest found = new ContentDigest(20, 7);
    List<Evidence> said =
        List.of(
            new Evidence.Contents(new ContentDigest(10, 3), Optional.of(found), 2),
            new Evidence.Contents(new ContentDigest(10, 4), Optional.empty(), 1));
    Verification verification = verify(said);
    assertThat(verification.passed()).isTrue();
    assertThat(metrics(said).get(Metric.LATE_KEYS).value()).isEqualTo(3);
    assertThat(metrics(List.of(wrote(10, 3, Optional.of(found))))).isEmpty();
  }

  @Test
  void whatAllAgentsWroteMustBeThere() {
    Evidence second = wrote(3, 30, Optional.empty());
    assertThat(passed(wrote(2, 12, Optional.of(new ContentDigest(5, 42))), second)).isTrue();
    assertThat(passed(wrote(2, 12, Optional.of(new ContentDigest(5, 41))), second)).isFalse();
    assertThat(passed(wrote(2, 12, Optional.of(new ContentDigest(4, 42))), second)).isFalse();
  }

  @Test
  void everyWholeAnswerMustBeTheTruth() {
    assertThat(passed(read(true, Optional.of(LOW), LOW))).isTrue();
    assertThat(passed(read(true, Optional.of(LOW), LOW, HIGH))).isFalse();
    assertThat(passed(read(true, Optional.of(LOW)))).isFalse();
  }

  @Test
  void sharesTogetherMakeTheTruth() {
    Aggregate truth = LOW.plus(HIGH);
    Evidence first = read(false, Optional.of(truth), LOW);
    assertThat(passed(first, read(false, Optional.empty(), HIGH))).isTrue();
    assertThat(passed(first, read(false, Optional.empty(), LOW))).isFalse();
    assertThat(passed(first, read(false, Optional.empty()))).isFalse();
  }

  @Test
  void aSharedKeyMustHoldTheLastWriteOfSomeAgentsThread() {
    Evidence first = shared(keys(0, 1), keys(0));
    assertThat(passed(first, shared(keys(1), keys(1)))).isTrue();
    assertThat(passed(first, shared(keys(1), keys()))).isFalse();
  }

  @Test
  void aBalanceMustBeWhatTheTransfersOfAllAgentsGive() {
    Evidence creator = transfers(0, 0, Optional.of(new long[] {-12, 5, 7}), -5, 5, 0);
    List<Evidence> right = List.of(creator, transfers(0, 0, Optional.empty(), -7, 0, 7));
    assertThat(verify(right).passed()).isTrue();
    assertThat(metrics(right).get(Metric.WRONG_ACCOUNTS).value()).isZero();

    List<Evidence> lost = List.of(creator, transfers(0, 0, Optional.empty(), -9, 0, 9));
    assertThat(verify(lost).passed()).isFalse();
    assertThat(metrics(lost).get(Metric.WRONG_ACCOUNTS).value()).isEqualTo(2);
    assertThat(metrics(lost).get(Metric.CREATED_MONEY).value()).isZero();
  }

  /** Account 0 gives and account 1 takes what the failed transfer moves. */
  @Test
  void aFailedTransferMayHaveBeenCarriedOutAsAWholeAndNotByHalf() {
    for (long[] found : List.of(new long[] {-5, 5, 0}, new long[] {-8, 8, 0})) {
      assertThat(passed(transfers(3, 0, Optional.of(found), -5, 5, 0))).isTrue();
    }
    for (long[] found : List.of(new long[] {-8, 5, 0}, new long[] {-9, 9, 0})) {
      assertThat(passed(transfers(3, 0, Optional.of(found), -5, 5, 0))).isFalse();
    }
  }

  private static Evidence transfers(
      long failed, long damaged, Optional<long[]> found, long... made) {
    return new Transfers(
        made.length,
        PackedNumbers.of(made),
        PackedNumbers.of(new long[] {failed, 0, 0}),
        PackedNumbers.of(new long[] {0, failed, 0}),
        found.map(PackedNumbers::of),
        damaged);
  }

  private static Evidence shared(PackedNumbers written, PackedNumbers matching) {
    return new SharedKeys(2, written, keys(), matching, keys(), 0, Optional.empty());
  }

  private static PackedNumbers keys(int... keys) {
    BitSet bits = new BitSet();
    Arrays.stream(keys).forEach(bits::set);
    return PackedNumbers.of(bits.toLongArray());
  }

  @Test
  void aTrialThatSaysNothingToCompareWithIsNotRight() {
    assertThat(passed(read(true, Optional.empty(), LOW))).isFalse();
  }

  @Test
  void anAbsentAccountIsWrong() {
    Evidence absent = transfers(0, 1, Optional.of(new long[] {-5, 5, 0}), -5, 5, 0);
    assertThat(passed(absent)).isFalse();
  }
}
