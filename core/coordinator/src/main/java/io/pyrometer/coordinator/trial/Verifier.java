package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.Transfers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Sets what a trial left and answered against what it should have. */
final class Verifier {
  private Verifier() {}

  /**
   * @param said by every agent, the creator first
   */
  static Verification verify(List<Answer.Verified> said) {
    Answer.Verified creator = said.get(0);
    if (creator.shared().isPresent()) {
      return ofSharedKeys(ofShared(said));
    }
    if (creator.transfers().isPresent()) {
      return ofTransfers(judged(said));
    }
    if (creator.queries().isPresent()) {
      return ofQueries(creator.queries().get());
    }
    if (creator.found().isPresent()) {
      return ofWrites(said, creator.found().get());
    }
    if (creator.truth().isPresent()) {
      return ofAnswers(said, creator.truth().get());
    }
    return new Verification(false, "something to compare with", "nothing");
  }

  /** What the verification counts, as metrics of the trial, whether it passed or not. */
  static Map<String, Metric> metrics(List<Answer.Verified> said) {
    if (said.get(0).shared().isPresent()) {
      SharedKeys.Judgement judgement = ofShared(said);
      Map<String, Metric> metrics = new TreeMap<>();
      metrics.put(Metric.WRONG_KEYS, Metric.lowerIsBetter((double) judgement.wrong(), "keys"));
      judgement
          .left()
          .ifPresent(
              left -> metrics.put(Metric.RECORDS_LEFT, Metric.neutral((double) left, "records")));
      return metrics;
    }
    if (said.get(0).transfers().isEmpty()) {
      return Map.of();
    }
    Transfers.Judgement judgement = judged(said);
    return Map.of(
        Metric.WRONG_ACCOUNTS, Metric.lowerIsBetter((double) judgement.wrong(), "accounts"),
        Metric.CREATED_MONEY, Metric.neutral((double) judgement.created(), "units"));
  }

  /** How many records are left of those that the grid may drop; empty where it must keep all. */
  static Optional<Long> left(List<Answer.Verified> said) {
    return said.get(0).shared().flatMap(SharedKeys::left);
  }

  private static SharedKeys.Judgement ofShared(List<Answer.Verified> said) {
    return SharedKeys.judge(said.stream().flatMap(one -> one.shared().stream()).toList());
  }

  private static Transfers.Judgement judged(List<Answer.Verified> said) {
    return Transfers.judge(said.stream().flatMap(one -> one.transfers().stream()).toList());
  }

  private static Verification ofTransfers(Transfers.Judgement judgement) {
    return new Verification(
        judgement.wrong() == 0,
        String.format(
            Locale.ROOT,
            "in each of %,d accounts the balance that the acknowledged transfers give%s",
            judgement.accounts(),
            judgement.uncertain() == 0
                ? ""
                : " (%,d with the tolerance of a failed transfer)"
                    .formatted(judgement.uncertain())),
        String.format(
            Locale.ROOT,
            "%,d wrong balances, which together hold %,d %s",
            judgement.wrong(),
            Math.abs(judgement.created()),
            judgement.created() < 0 ? "too little" : "too much"));
  }

  private static Verification ofQueries(QueryAnswers answers) {
    String unknown =
        answers.unknown().isEmpty() ? "" : "; not compared: " + sentences(answers.unknown());
    return new Verification(
        answers.wrong().isEmpty(),
        String.format(
            Locale.ROOT,
            "of each operation, with %,d sets of parameters, %s%s",
            answers.parameters(),
            answers.truth(),
            unknown),
        answers.wrong().isEmpty()
            ? "the same of " + String.join(", ", answers.right())
            : "something else of " + sentences(answers.wrong()));
  }

  private static String sentences(Map<String, String> byQuery) {
    return byQuery.entrySet().stream()
        .map(query -> "%s (%s)".formatted(query.getKey(), query.getValue()))
        .collect(Collectors.joining(", "));
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
            "under each of %,d keys the last write of a thread%s (%,d written, %,d contested)",
            judgement.keys(),
            judgement.left().isPresent() ? ", or none" : "",
            judgement.written(),
            judgement.contested()),
        String.format(
            Locale.ROOT,
            "%,d keys with another value%s",
            judgement.wrong(),
            judgement.left().isPresent() ? "" : " or none"));
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
