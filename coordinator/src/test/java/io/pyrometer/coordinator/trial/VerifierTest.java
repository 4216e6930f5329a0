package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Answer.Verified;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.SharedKeys.KeySet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static final Aggregate LOW = new Aggregate(10, Map.of("price", 5.0));
  private static final Aggregate HIGH = new Aggregate(20, Map.of("price", 9.0));

  private static Verified wrote(long count, long checksum, Optional<ContentDigest> found) {
    ContentDigest expected = new ContentDigest(count, checksum);
    return new Verified(expected, found, List.of(), Optional.empty(), true);
  }

  private static Verified read(boolean whole, Optional<Aggregate> truth, Aggregate... answers) {
    return new Verified(ContentDigest.EMPTY, Optional.empty(), List.of(answers), truth, whole);
  }

  @Test
  void whatAllAgentsWroteMustBeThere() {
    Verified second = wrote(3, 30, Optional.empty());
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
    Verified first = read(false, Optional.of(truth), LOW);
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
    Verified first = shared(keys(0, 1), keys(0));
    assertThat(Verifier.verify(List.of(first, shared(keys(1), keys(1)))))
        .matches(c -> c.passed() && c.expected().contains("2 written, 1 contested"));
    assertThat(Verifier.verify(List.of(first, shared(keys(1), keys()))))
        .matches(c -> !c.passed() && c.found().startsWith("1 keys"));
  }

  private static Verified shared(KeySet written, KeySet matching) {
    SharedKeys found = new SharedKeys(2, written, keys(), matching, keys(), 0);
    return new Verified(
        ContentDigest.EMPTY,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        false,
        Optional.of(found));
  }

  private static KeySet keys(int... keys) {
    BitSet bits = new BitSet();
    Arrays.stream(keys).forEach(bits::set);
    return KeySet.of(bits);
  }
}
