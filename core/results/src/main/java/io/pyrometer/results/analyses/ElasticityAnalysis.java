package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ServerEvents;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The depth and length of dips of throughput when a server leaves, is killed, joins or returns, and
 * whether keys were lost.
 */
public final class ElasticityAnalysis implements Analysis {

  @Override
  public String id() {
    return "elasticity";
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each ->
            each.settings()
                .find(CoreSettings.SERVER_EVENT)
                .filter(event -> !event.equals("none"))
                .isPresent(),
        "'elasticity' needs a server event, and no treatment has one; give 'server-event: kill' or"
            + " another, or remove it.");
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id(), "server events", "", () -> analyze(run)));
  }

  private static StudyResult analyze(RunRecord run) {
    List<EventDips> rows = EventDips.of(run);
    if (rows.isEmpty()) {
      throw new BadDataException(
          "No trial has a server event with enough samples around it; set 'server-event', and 'event-after' to a second or more.");
    }
    List<Finding> findings = new ArrayList<>();
    keys(run).ifPresent(findings::add);
    rows.forEach(row -> findings.add(finding(row)));
    MetricTable<EventDips> table =
        new MetricTable<EventDips>("no block recovered before the end, or nothing joined")
            .text("treatment", EventDips::treatment)
            .text("event", EventDips::event)
            .estimate("depth [%]", row -> Optional.of(row.depth()))
            .estimate("below 90 % [s]", row -> Optional.of(row.below()))
            .estimate("recovers after [s]", EventDips::recovery)
            .formatted("not recovered", row -> row.notRecovered() + " of " + row.dips().size())
            .number("missed [s of load]", row -> Optional.of(row.missed()))
            .number("join took [s]", EventDips::meanJoin)
            .formatted("blocks", row -> String.valueOf(row.dips().size()));
    return StudyResult.of(
        findings,
        new Section(
            "elasticity",
            "Dips of throughput",
            "Throughput in windows of half a second, against its mean in up to five seconds before"
                + " the event, until the next event or the end. Depth: the shortfall of the lowest"
                + " window. Below 90 %: the total time in windows below that (or below the lowest"
                + " one before the event, if that is lower). Recovers after: from the event to the"
                + " end of the last such window. Missed: the work not done meanwhile, in seconds of"
                + " the load before, which an open loop catches up on. Starting a server takes CPU"
                + " time of its machine, also from the other processes there.",
            List.of(table.figure("One row per treatment and event", rows))));
  }

  private static Finding finding(EventDips of) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    long dipped = of.dips().stream().filter(dip -> dip.depth() > 0).count();
    long notRecovered = of.notRecovered();
    String what = "When %s (%s), throughput ".formatted(of.event(), of.treatment());
    String sentence;
    if (dipped == 0) {
      sentence = what + "does not fall by more than its noise or 10 %.";
    } else {
      Estimate depth = of.depth();
      estimates.put("depth", depth);
      Optional<Estimate> recovery = of.recovery();
      estimates.put("below 90 %", of.below());
      recovery.ifPresent(seconds -> estimates.put("recovers after", seconds));
      sentence =
          what
              + "falls by %s %%, is below 90 %% for %s s"
                  .formatted(Numbers.estimate(depth), Numbers.estimate(of.below()))
              + recovery
                  .map(seconds -> " and recovers after %s s".formatted(Numbers.estimate(seconds)))
                  .orElse("")
              + (notRecovered > 0
                  ? "; in %d of %d blocks it does not recover before the next event or the end"
                      .formatted(notRecovered, of.dips().size())
                  : "")
              + ".";
    }
    return new Finding(
        Finding.Kind.ESTIMATE,
        notRecovered > 0 ? Finding.Severity.NOTICE : Finding.Severity.INFO,
        sentence,
        estimates,
        "More blocks, more data to rebalance, or another load.");
  }

  /** Lost and stale keys, from the verification of the trials with an event. */
  private static Optional<Finding> keys(RunRecord run) {
    List<TrialRecord> trials =
        run.counting().stream().filter(trial -> !ServerEvents.of(trial).isEmpty()).toList();
    List<String> lost = new ArrayList<>();
    long judged = 0;
    for (TrialRecord trial : trials) {
      if (trial.outcome() == TrialRecord.Outcome.WRONG) {
        String keys =
            trial
                .value(Metric.WRONG_KEYS)
                .map(n -> " (%s keys)".formatted(Numbers.whole(n)))
                .orElse("");
        lost.add(Rankings.label(trial) + ", block " + (trial.block() + 1) + keys);
      }
      judged += trial.outcome() == TrialRecord.Outcome.FAILED ? 0 : 1;
    }
    if (!lost.isEmpty()) {
      return Optional.of(
          Finding.warning(
              Finding.Kind.COMPARISON,
              "Acknowledged writes are lost or stale after a server event: %s."
                  .formatted(Phrases.andOthers(lost)),
              "Nothing; one lost or stale key is conclusive."));
    }
    return judged == 0
        ? Optional.empty()
        : Optional.of(
            Finding.info(
                Finding.Kind.COMPARISON,
                "No acknowledged write was lost or stale in the %d trials with a server event."
                    .formatted(judged),
                "One lost or stale key in more trials: finding none is no proof."));
  }
}
