package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.SharedKeys.KeySet;
import io.pyrometer.protocol.Transfers;
import io.pyrometer.protocol.Transfers.Changes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static final Aggregate LOW = new Aggregate(10, Map.of("price", 5.0));
  private static final Aggregate HIGH = new Aggregate(20, Map.of("price", 9.0));

  private static Evidence wrote(long count, long checksum, Optional<ContentDigest> found) {
    ContentDigest expected = new ContentDigest(count, checksum);
    return new Evidence.Contents(expected, found);
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
    Verification verification = Verifier.verify(said);
    assertThat(verification.passed()).isTrue();
    assertThat(verification.expected()).contains("under 3 keys");
    assertThat(Verifier.metrics(said).get(Metric.LATE_KEYS).value()).isEqualTo(3);
    assertThat(Verifier.metrics(List.of(wrote(10, 3, Optional.of(found))))).isEmpty();
  }

  @Test
  void whatAllAgentsWroteMustBeThere() {
    Evidence second = wrote(3, 30, Optional.empty());
    assertThat(
            Verifier.verify(List.of(wrote(2, 12, Optional.of(new ContentDigest(5, 42))), second)))
        .matches(check -> check.passed());
    assertThat(
            Verifier.verify(List.of(wrote(2, 12, Optional.of(new ContentDigest(5, 41))), second)))
        .matches(check -> !check.passed() && check.found().contains("5 records"));
    assertThat(
            Verifier.verify(List.of(wrote(2, 12, Optional.of(new ContentDigest(4, 42))), second)))
        .matches(check -> !check.passed());
  }

  @Test
  void everyWholeAnswerMustBeTheTruth() {
    assertThat(Verifier.verify(List.of(read(true, Optional.of(LOW), LOW))))
        .matches(c -> c.passed());
    assertThat(Verifier.verify(List.of(read(true, Optional.of(LOW), LOW, HIGH))))
        .matches(c -> !c.passed());
    assertThat(Verifier.verify(List.of(read(true, Optional.of(LOW)))))
        .matches(c -> !c.passed() && c.found().contains("no pass"));
  }

  @Test
  void sharesTogetherMakeTheTruth() {
    Aggregate truth = LOW.plus(HIGH);
    Evidence first = read(false, Optional.of(truth), LOW);
    assertThat(Verifier.verify(List.of(first, read(false, Optional.empty(), HIGH))))
        .matches(c -> c.passed());
    assertThat(Verifier.verify(List.of(first, read(false, Optional.empty(), LOW))))
        .matches(c -> !c.passed());
    assertThat(Verifier.verify(List.of(first, read(false, Optional.empty()))))
        .matches(c -> !c.passed());
  }

  @Test
  void aTrialThatSaysNothingToCompareWithIsNotRight() {
    assertThat(Verifier.verify(List.of(read(true, Optional.empty(), LOW))))
        .matches(c -> !c.passed());
  }

  @Test
  void aSharedKeyMustHoldTheLastWriteOfSomeAgentsThread() {
    Evidence first = shared(keys(0, 1), keys(0));
    assertThat(Verifier.verify(List.of(first, shared(keys(1), keys(1)))))
        .matches(c -> c.passed() && c.expected().contains("2 written, 1 contested"));
    assertThat(Verifier.verify(List.of(first, shared(keys(1), keys()))))
        .matches(c -> !c.passed() && c.found().startsWith("1 keys"));
  }

  @Test
  void aBalanceMustBeWhatTheTransfersOfAllAgentsGive() {
    Evidence creator = transfers(0, 0, Optional.of(new long[] {-12, 5, 7}), -5, 5, 0);
    List<Evidence> right = List.of(creator, transfers(0, 0, Optional.empty(), -7, 0, 7));
    assertThat(Verifier.verify(right)).matches(c -> c.passed());
    assertThat(Verifier.metrics(right).get(Metric.WRONG_ACCOUNTS).value()).isZero();

    List<Evidence> lost = List.of(creator, transfers(0, 0, Optional.empty(), -9, 0, 9));
    assertThat(Verifier.verify(lost))
        .matches(c -> !c.passed() && c.found().startsWith("2 wrong balances"));
    assertThat(Verifier.metrics(lost).get(Metric.WRONG_ACCOUNTS).value()).isEqualTo(2);
    assertThat(Verifier.metrics(lost).get(Metric.CREATED_MONEY).value()).isZero();
  }

  /** Account 0 gives and account 1 takes what the failed transfer moves. */
  @Test
  void aFailedTransferMayHaveBeenCarriedOutAsAWholeAndNotByHalf() {
    for (long[] found : List.of(new long[] {-5, 5, 0}, new long[] {-8, 8, 0})) {
      assertThat(Verifier.verify(List.of(transfers(3, 0, Optional.of(found), -5, 5, 0))))
          .matches(c -> c.passed() && c.expected().contains("2 with the tolerance"));
    }
    for (long[] found : List.of(new long[] {-8, 5, 0}, new long[] {-9, 9, 0})) {
      assertThat(Verifier.verify(List.of(transfers(3, 0, Optional.of(found), -5, 5, 0))))
          .matches(c -> !c.passed());
    }
  }

  @Test
  void anAbsentAccountIsWrong() {
    Evidence absent = transfers(0, 1, Optional.of(new long[] {-5, 5, 0}), -5, 5, 0);
    assertThat(Verifier.verify(List.of(absent)))
        .matches(c -> !c.passed() && c.found().startsWith("1 wrong balances"));
  }

  private static Evidence transfers(
      long failed, long damaged, Optional<long[]> found, long... made) {
    return new Transfers(
        made.length,
        Changes.of(made),
        Changes.of(new long[] {failed, 0, 0}),
        Changes.of(new long[] {0, failed, 0}),
        found.map(Changes::of),
        damaged);
  }

  private static Evidence shared(KeySet written, KeySet matching) {
    return new SharedKeys(2, written, keys(), matching, keys(), 0, Optional.empty());
  }

  private static KeySet keys(int... keys) {
    BitSet bits = new BitSet();
    Arrays.stream(keys).forEach(bits::set);
    return KeySet.of(bits);
  }
}
