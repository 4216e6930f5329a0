package io.pyrometer.results.ranking;

import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.model.SettingText;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.EqualTerm;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Findings on treatments that their figures do not show: writes that a path accepted and that did
 * not remain, hops between servers that one machine hides, and terms that a run holds equal between
 * products and that stay unequal with some of its paths.
 */
public final class TreatmentNotes {
  private TreatmentNotes() {}

  private static final double WORTH_SAYING = 0.01;

  /** Names the paths that skipped keys that exist, and those that left earlier writes of a key. */
  static List<Finding> weakWrites(RunRecord run) {
    Map<String, Double> late =
        shares(run, trial -> trial.value(Metric.LATE_KEYS).isPresent(), TreatmentNotes::late);
    return Stream.of(
            finding("ranking.skipped-records", skipped(run)), finding("ranking.late-writes", late))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Finding> finding(String id, Map<String, Double> shares) {
    return Finding.notice(id)
        .with("most", shares.values().stream().max(Double::compare).map(Value::share))
        .naming("treatments", shares.keySet());
  }

  /**
   * The share of a trial's records, from 0 to 1 and at least, that were not stored because their
   * keys existed, by treatment: the mean over its trials, from 1 % on.
   */
  public static Map<String, Double> skipped(RunRecord run) {
    return shares(run, trial -> skips(run, trial), TreatmentNotes::skippedShare);
  }

  private static Map<String, Double> shares(
      RunRecord run, Predicate<TrialRecord> concerned, ToDoubleFunction<TrialRecord> share) {
    Map<String, Double> shares =
        run.counting(concerned).stream()
            .filter(trial -> trial.value(Metric.DISTINCT_KEYS).isPresent())
            .collect(
                Collectors.groupingBy(
                    KindReport::labelOf, LinkedHashMap::new, Collectors.averagingDouble(share)));
    shares.values().removeIf(mean -> mean < WORTH_SAYING);
    return shares;
  }

  private static boolean skips(RunRecord run, TrialRecord trial) {
    return run.plan()
        .path(trial.settings())
        .flatMap(path -> path.guarantee(trial.settings()))
        .filter(Guarantee::overwrites)
        .isEmpty();
  }

  /** Calls that ended after the measured part are not among the records accepted. */
  private static double skippedShare(TrialRecord trial) {
    long before =
        trial.timeline().samples().stream()
            .limit(trial.timeline().measuredFrom())
            .mapToLong(n -> n)
            .sum();
    double accepted = before + (double) trial.counts().records();
    double distinct = trial.value(Metric.DISTINCT_KEYS).orElse(accepted);
    double stored = distinct - CoreSettings.existing(trial.settings());
    return Math.max(0, 1 - stored / Math.max(1, accepted));
  }

  private static double late(TrialRecord trial) {
    return trial.value(Metric.LATE_KEYS).orElse(0.0)
        / Math.max(1, trial.value(Metric.DISTINCT_KEYS).orElse(1.0));
  }

  /** The levels of a run's treatments whose hops its machine hides. */
  static Set<Map<String, String>> hiddenHops(RunRecord run) {
    return run.plan().trials().stream()
        .filter(trial -> trial.settings().find(PathSettings.PARTITION_AWARENESS).isPresent())
        .filter(trial -> !trial.settings().get(PathSettings.PARTITION_AWARENESS))
        .filter(trial -> sharesMachine(run, trial.settings()))
        .map(TrialSpec::levels)
        .collect(Collectors.toSet());
  }

  /** Names them; empty where there are none, or no others. */
  static Optional<Finding> hiddenHops(RunRecord run, List<Ranking> rankings) {
    Set<Map<String, String>> hidden = hiddenHops(run);
    List<Ranking.Row> rows = rankings.stream().flatMap(r -> r.rows().stream()).toList();
    List<Ranking.Row> named = rows.stream().filter(row -> hidden.contains(row.levels())).toList();
    return Finding.notice("ranking.hidden-hop")
        .naming("treatments", named.stream().map(Ranking.Row::label).distinct().toList())
        .filter(some -> named.size() < rows.size());
  }

  private static boolean sharesMachine(RunRecord run, Settings settings) {
    List<Host> hosts = run.plan().testbed().hosts();
    boolean here = hosts.isEmpty() || hosts.equals(List.of(Host.NAMESPACES));
    return here
        && run.plan().testbed().attach().isEmpty()
        && settings.find(CoreSettings.LINK_DELAY).orElse(0.0) == 0;
  }

  /**
   * A term that stays unequal.
   *
   * @param text as an experiment's file has it: {@code heap: 512m}
   * @param why what stays unequal, a clause
   */
  public record Unequal(String product, String term, String text, String why) {}

  /** A mark that names the terms that stay unequal in a treatment; empty if all are equal. */
  static Optional<Mark> mark(PlannedRun plan, Settings treatment) {
    List<String> terms = unequal(plan, treatment).map(Unequal::term).toList();
    return terms.isEmpty()
        ? Optional.empty()
        : Optional.of(Mark.of(Mark.Kind.UNEQUAL, Phrases.and(terms)));
  }

  /** Each such term of each product in a run, once. */
  public static List<Unequal> unequal(PlannedRun plan) {
    return plan.trials().stream()
        .flatMap(trial -> unequal(plan, trial.settings()))
        .distinct()
        .toList();
  }

  private static Stream<Unequal> unequal(PlannedRun plan, Settings treatment) {
    String path = treatment.get(CoreSettings.PATH);
    return EqualTerm.of(treatment).entrySet().stream()
        .flatMap(
            term ->
                plan
                    .driver(treatment)
                    .equalTerm(term.getKey(), term.getValue())
                    .filter(mapping -> mapping.isUnequal(path))
                    .map(
                        mapping ->
                            new Unequal(
                                plan.driver(treatment).product(),
                                term.getKey(),
                                text(term.getKey(), term.getValue()),
                                mapping.caveat().orElse("")))
                    .stream());
  }

  private static String text(String term, Object value) {
    return EqualTerm.ALL.stream()
        .filter(key -> key.name().equals(EqualTerm.PREFIX + term))
        .map(key -> term + ": " + SettingText.written(key, value))
        .findFirst()
        .orElseThrow();
  }
}
