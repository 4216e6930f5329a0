package io.pyrometer.coordinator.trial;

import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Aggregate;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.Transfers;
import io.pyrometer.protocol.message.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Sets what a trial left and answered against what it should have. */
final class Verifier {
  private Verifier() {}

  /**
   * @param said by every agent, the creator first
   * @param metrics receives counts of the verification, whether it passed or not
   */
  static Verification verify(List<Evidence> said, BiConsumer<String, Metric> metrics) {
    Evidence creators = said.get(0);
    if (creators instanceof SharedKeys) {
      return ofSharedKeys(SharedKeys.judge(of(SharedKeys.class, said)), metrics);
    }
    if (creators instanceof Transfers) {
      return ofTransfers(Transfers.judge(of(Transfers.class, said)), metrics);
    }
    Optional<Verification> verification =
        creators instanceof Evidence.Queries queries
            ? queries.answers().map(Verifier::ofQueries)
            : creators instanceof Evidence.Contents contents
                ? ofWrites(contents.found(), of(Evidence.Contents.class, said), metrics)
                : creators instanceof Evidence.WholeSet set
                    ? set.truth().map(truth -> ofAnswers(set.whole(), said, truth))
                    : Optional.empty();
    return verification.orElse(new Verification(false, "something to compare with", "nothing"));
  }

  private static <E extends Evidence> List<E> of(Class<E> type, List<Evidence> said) {
    return said.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static Verification ofTransfers(
      Transfers.Judgement judgement, BiConsumer<String, Metric> metrics) {
    metrics.accept(
        Metric.WRONG_ACCOUNTS, Metric.lowerIsBetter((double) judgement.wrong(), "accounts"));
    metrics.accept(Metric.CREATED_MONEY, Metric.neutral((double) judgement.created(), "units"));
    return new Verification(
        judgement.wrong() == 0,
        Messages.format(
            "coordinator.verify-balances",
            judgement.accounts(),
            judgement.uncertain() == 0
                ? ""
                : Messages.format("coordinator.verify-tolerance", judgement.uncertain())),
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
        Messages.format(
            "coordinator.verify-answers", answers.parameters(), answers.truth(), unknown),
        answers.wrong().isEmpty()
            ? "the same of " + String.join(", ", answers.right())
            : "something else of " + sentences(answers.wrong()));
  }

  private static String sentences(Map<String, String> byQuery) {
    return byQuery.entrySet().stream()
        .map(query -> "%s (%s)".formatted(query.getKey(), query.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static Optional<Verification> ofWrites(
      Optional<ContentDigest> found,
      List<Evidence.Contents> said,
      BiConsumer<String, Metric> metrics) {
    ContentDigest expected =
        said.stream()
            .map(Evidence.Contents::expected)
            .reduce(ContentDigest.EMPTY, ContentDigest::plus);
    long late = said.stream().mapToLong(Evidence.Contents::late).sum();
    String unordered = late == 0 ? "" : Messages.format("coordinator.verify-unordered", late);
    if (late > 0) {
      metrics.accept(Metric.LATE_KEYS, Metric.lowerIsBetter((double) late, "keys"));
    }
    return found.map(
        it -> new Verification(expected.equals(it), text(expected) + unordered, text(it)));
  }

  private static Verification ofSharedKeys(
      SharedKeys.Judgement judgement, BiConsumer<String, Metric> metrics) {
    metrics.accept(Metric.WRONG_KEYS, Metric.lowerIsBetter((double) judgement.wrong(), "keys"));
    judgement
        .left()
        .map(left -> Metric.neutral((double) left, "records"))
        .ifPresent(left -> metrics.accept(Metric.RECORDS_LEFT, left));
    return new Verification(
        judgement.wrong() == 0,
        Messages.format(
            "coordinator.verify-shared-keys",
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

  private static Verification ofAnswers(boolean whole, List<Evidence> said, Aggregate truth) {
    List<Evidence.WholeSet> passes = of(Evidence.WholeSet.class, said);
    List<Aggregate> answers =
        whole
            ? passes.stream().flatMap(one -> one.answers().stream()).distinct().toList()
            : shares(passes);
    boolean right = !answers.isEmpty() && answers.stream().allMatch(truth::equals);
    String found =
        answers.isEmpty()
            ? Messages.format("coordinator.verify-no-pass")
            : String.join(" and ", answers.stream().map(Verifier::text).toList());
    return new Verification(right, text(truth), found);
  }

  /** Each agent's answers to its share must agree; then the shares make one whole answer. */
  private static List<Aggregate> shares(List<Evidence.WholeSet> said) {
    Aggregate whole = Aggregate.NOTHING;
    List<Aggregate> disagreeing = new ArrayList<>();
    for (Evidence.WholeSet one : said) {
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
    String fields =
        new TreeMap<>(answer.highest())
            .entrySet().stream()
                .map(field -> "%s ≤ %s".formatted(field.getKey(), field.getValue()))
                .collect(Collectors.joining(", "));
    return String.format(Locale.ROOT, "%,d records, %s", answer.count(), fields);
  }
}
