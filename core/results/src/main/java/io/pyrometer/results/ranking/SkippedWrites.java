package io.pyrometer.results.ranking;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Records that a path accepted and did not store, because their keys existed already. */
final class SkippedWrites {
  private static final double WORTH_SAYING = 0.01;

  private SkippedWrites() {}

  /** Names the paths that do not overwrite and were given keys again. */
  static Optional<Finding> of(RunRecord run) {
    Map<String, Double> shares =
        run.counting().stream()
            .filter(trial -> skips(run, trial))
            .filter(trial -> trial.value(Metric.DISTINCT_KEYS).isPresent())
            .collect(
                Collectors.groupingBy(
                    KindReport::labelOf,
                    LinkedHashMap::new,
                    Collectors.averagingDouble(SkippedWrites::share)));
    shares.values().removeIf(share -> share < WORTH_SAYING);
    if (shares.isEmpty()) {
      return Optional.empty();
    }
    List<String> parts =
        shares.entrySet().stream()
            .map(of -> "%s (%s)".formatted(of.getKey(), Figures.percent(of.getValue())))
            .toList();
    return Optional.of(
        Finding.notice(
            Kind.COMPARISON,
            "A path that does not overwrite skips records of keys that exist, so its throughput is not that of storing; it skipped at least this share of a trial's records: %s."
                .formatted(Phrases.andOthers(parts)),
            "More 'records' than a trial writes, or 'keys: once'."));
  }

  private static boolean skips(RunRecord run, TrialRecord trial) {
    return run.plan()
        .path(trial.settings())
        .flatMap(path -> path.guarantee(trial.settings()))
        .filter(Guarantee::overwrites)
        .isEmpty();
  }

  /** Calls that ended after the measured part are not among the records accepted. */
  private static double share(TrialRecord trial) {
    long before =
        trial.timeline().samples().stream()
            .limit(trial.timeline().measuredFrom())
            .mapToLong(Long::longValue)
            .sum();
    double accepted = before + (double) trial.counts().records();
    double distinct = trial.value(Metric.DISTINCT_KEYS).orElse(accepted);
    return Math.max(0, 1 - distinct / Math.max(1, accepted));
  }
}
