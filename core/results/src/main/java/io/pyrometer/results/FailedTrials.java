package io.pyrometer.results;

import io.pyrometer.analysis.Figures;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The blocks in which an attempt at a trial of one treatment failed or failed verification. A
 * repeat that succeeded gives the block a figure, and does not undo the failure.
 *
 * @param label of the treatment
 * @param blocks in which it was attempted
 * @param failed of these, with a failed attempt
 * @param lost of these, without a valid attempt
 * @param wrong whether every failed attempt was carried out and failed verification
 * @param cause a clause
 */
public record FailedTrials(
    String label, int blocks, int failed, int lost, boolean wrong, String cause) {
  /** Failures of each treatment with a failed attempt, by its levels. */
  public static Map<Map<String, String>, FailedTrials> of(RunRecord run) {
    Map<Map<String, String>, FailedTrials> all = new LinkedHashMap<>();
    run.finished().stream()
        .collect(ListsByKey.by(TrialRecord::levels))
        .forEach(
            (levels, attempts) -> {
              List<TrialRecord> failed = attempts.stream().filter(FailedTrials::isFailed).toList();
              if (!failed.isEmpty()) {
                all.put(
                    levels,
                    new FailedTrials(
                        KindReport.labelOf(attempts.get(0)),
                        blocks(attempts),
                        blocks(failed),
                        blocks(run.counting(t -> isFailed(t) && t.levels().equals(levels))),
                        failed.stream().allMatch(trial -> trial.outcome() == Outcome.WRONG),
                        cause(failed.get(0))));
              }
            });
    return all;
  }

  private static boolean isFailed(TrialRecord trial) {
    return !trial.valid();
  }

  private static int blocks(List<TrialRecord> trials) {
    return (int) trials.stream().map(TrialRecord::block).distinct().count();
  }

  private static String cause(TrialRecord trial) {
    return Phrases.clause(trial.why().orElse("no reason given"));
  }

  /**
   * The finding about treatments of which some attempts failed.
   *
   * @param ranked whether a finding names those without any valid trial already
   * @param recommended labels of treatments
   */
  public static Optional<Finding> finding(RunRecord run, boolean ranked, List<String> recommended) {
    List<FailedTrials> all =
        of(run).values().stream().filter(f -> !ranked || f.lost < f.blocks).toList();
    return all.stream()
        .max(Comparator.comparingInt(FailedTrials::lost))
        .map(
            worst -> {
              boolean excluded = ranked && worst.lost > 0 && !recommended.contains(worst.label);
              Finding finding =
                  Finding.warning(
                          worst.wrong
                              ? "trials.wrong"
                              : excluded ? "trials.failed-not-recommended" : "trials.failed")
                      .with("treatment", worst.label)
                      .with("failed", worst.failed)
                      .with("blocks", worst.blocks)
                      .with("lost", worst.lost)
                      .with("cause", worst.cause);
              long alike =
                  all.stream()
                      .filter(f -> f.wrong == worst.wrong && f.lost > 0 == worst.lost > 0)
                      .count();
              return alike == 1 ? finding : finding.with("others", Value.count(alike - 1));
            });
  }

  /** The reason why not all trials of a run are valid, a clause; empty if they are. */
  public static Optional<String> reason(RunRecord run) {
    List<TrialRecord> lost = run.counting(FailedTrials::isFailed);
    List<String> causes =
        lost.stream().map(t -> KindReport.labelOf(t) + ": " + cause(t)).distinct().toList();
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%d of %s failed or failed verification (%s%s)"
                .formatted(
                    lost.size(),
                    Figures.count(run.counting().size(), "trial"),
                    causes.get(0),
                    causes.size() == 1 ? "" : "; and others"));
  }
}
