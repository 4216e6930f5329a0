package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.SharedKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Sets what a trial left and answered against what it should have. */
final class Verifier {
  private Verifier() {}

  /**
   * @param said by every agent, the creator first
   */
  static Verification verify(List<Answer.Verified> said) {
    Answer.Verified creator = said.get(0);
    if (creator.shared().isPresent()) {
      return ofSharedKeys(
          SharedKeys.judge(said.stream().flatMap(one -> one.shared().stream()).toList()));
    }
    if (creator.found().isPresent()) {
      return ofWrites(said, creator.found().get());
    }
    if (creator.truth().isPresent()) {
      return ofAnswers(said, creator.truth().get());
    }
    return new Verification(false, "something to compare with", "nothing");
  }

  private static Verification ofWrites(List<Answer.Verified> said, ContentDigest found) {
    ContentDigest expected =
        said.stream()
            .map(Answer.Verified::expected)
            .reduce(ContentDigest.EMPTY, ContentDigest::plus);
    return new Verification(expected.equals(found), text(expected), text(found));
  }

  private static Verification ofSharedKeys(SharedKeys.Judgement judgement) {
    return new Verification(
        judgement.wrong() == 0,
        String.format(
            Locale.ROOT,
            "under each of %,d keys the last write of a thread (%,d written, %,d contested)",
            judgement.keys(),
            judgement.written(),
            judgement.contested()),
        String.format(Locale.ROOT, "%,d keys with another value or none", judgement.wrong()));
  }

  private static Verification ofAnswers(List<Answer.Verified> said, Aggregate truth) {
    List<Aggregate> answers = said.get(0).whole() ? wholes(said) : shares(said);
    boolean right = !answers.isEmpty() && answers.stream().allMatch(truth::equals);
    String found =
        answers.isEmpty()
            ? "no pass over the whole set was finished"
            : String.join(" and ", answers.stream().map(Verifier::text).toList());
    return new Verification(right, text(truth), found);
  }

  private static List<Aggregate> wholes(List<Answer.Verified> said) {
    return said.stream().flatMap(one -> one.answers().stream()).distinct().toList();
  }

  /** Each agent's answers to its share must agree; then the shares make one whole answer. */
  private static List<Aggregate> shares(List<Answer.Verified> said) {
    Aggregate whole = Aggregate.NOTHING;
    List<Aggregate> disagreeing = new ArrayList<>();
    for (Answer.Verified one : said) {
      if (one.answers().isEmpty()) {
        return List.of();
      }
      whole = whole.plus(one.answers().get(0));
      if (one.answers().size() > 1) {
        disagreeing.addAll(one.answers());
      }
    }
    return disagreeing.isEmpty() ? List.of(whole) : disagreeing;
  }

  private static String text(ContentDigest digest) {
    return String.format(
        Locale.ROOT, "%,d records, checksum %016x", digest.count(), digest.checksum());
  }

  private static String text(Aggregate answer) {
    List<String> fields = new ArrayList<>();
    for (String field : new TreeSet<>(answer.highest().keySet())) {
      fields.add("%s ≤ %s".formatted(field, answer.highest().get(field)));
    }
    return String.format(Locale.ROOT, "%,d records, %s", answer.count(), String.join(", ", fields));
  }
}
