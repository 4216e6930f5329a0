package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.steady.Dip;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ServerEvents;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The depth and length of dips of throughput when a server leaves, is killed, joins or returns, and
 * whether keys were lost.
 */
public final class ElasticityAnalysis extends WholeRunAnalysis {
  private static final double SAMPLE_SECONDS = 0.1;

  /** Samples before an event that throughput is compared with. */
  private static final int MAX_BEFORE = 50;

  public ElasticityAnalysis() {
    super("elasticity", "server events", "");
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
        "'elasticity' needs a server event, and no treatment has one; give 'server-event: kill' or another, or remove it.");
  }

  /**
   * The dips after one server event with one treatment; blocks are the replicates.
   *
   * @param joins what joining took, in seconds, where a server joined
   */
  private record Row(String treatment, String event, List<Dip> dips, List<Double> joins) {
    Optional<Estimate> mean(String unit, ToDoubleFunction<Dip> value, Predicate<Dip> which) {
      return Means.arithmetic(dips.stream().filter(which).mapToDouble(value), unit);
    }

    Optional<Estimate> depth() {
      return mean("%", dip -> 100 * dip.depth(), dip -> true);
    }

    Optional<Estimate> below() {
      return mean("s", Dip::below, dip -> true);
    }

    /** Of the blocks that recovered. */
    Optional<Estimate> recovery() {
      return mean("s", dip -> dip.seconds().orElse(0), dip -> dip.seconds().isPresent());
    }

    /** In seconds of the load before the event. */
    Optional<Double> missed() {
      return mean(
              "s",
              dip -> dip.missing() * SAMPLE_SECONDS / Math.max(dip.before(), 1e-9),
              dip -> true)
          .map(Estimate::value);
    }

    Optional<Double> joined() {
      return Means.arithmetic(joins.stream().mapToDouble(Double::doubleValue), "s")
          .map(Estimate::value);
    }

    String notRecovered() {
      return dips.stream().filter(dip -> dip.seconds().isEmpty()).count() + " of " + dips.size();
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<TrialRecord> trials =
        run.counting().stream().filter(trial -> !ServerEvents.of(trial).isEmpty()).toList();
    Map<List<String>, Row> byEvent = new LinkedHashMap<>();
    trials.forEach(trial -> add(trial, byEvent));
    List<Row> rows = List.copyOf(byEvent.values());
    if (rows.isEmpty()) {
      throw new BadDataException(
          "No trial has a server event with enough samples around it; set 'server-event', and 'event-after' to a second or more.");
    }
    List<Finding> findings = new ArrayList<>();
    keys(trials).ifPresent(findings::add);
    rows.forEach(row -> findings.add(finding(row)));
    MetricTable<Row> table =
        new MetricTable<Row>("no block recovered before the end, or nothing joined")
            .text("treatment", Row::treatment)
            .text("event", Row::event)
            .estimate("depth [%]", Row::depth)
            .estimate("below 90 % [s]", Row::below)
            .estimate("recovers after [s]", Row::recovery)
            .formatted("not recovered", Row::notRecovered)
            .number("missed [s of load]", Row::missed)
            .number("join took [s]", Row::joined)
            .count("blocks", row -> row.dips().size());
    return StudyResult.of(
        findings,
        Section.of(
            "elasticity",
            "Dips of throughput",
            "Throughput in windows of half a second, against its mean in up to five seconds before"
                + " the event, until the next event or the end. Depth: the shortfall of the lowest"
                + " window. Below 90 %: the total time in windows below that (or below the lowest"
                + " one before the event, if that is lower). Recovers after: from the event to the"
                + " end of the last such window. Missed: the work not done meanwhile, in seconds of"
                + " the load before, which an open loop catches up on. Starting a server takes CPU"
                + " time of its machine, also from the other processes there.",
            table.figure("One row per treatment and event", rows)));
  }

  /** Adds the dips of every event with enough samples around it. */
  private static void add(TrialRecord trial, Map<List<String>, Row> byEvent) {
    List<ServerEvents.Event> events = ServerEvents.of(trial);
    List<Long> samples = trial.timeline().samples();
    int measuredFrom = trial.timeline().measuredFrom();
    int floor = measuredFrom;
    for (int i = 0; i < events.size(); i++) {
      ServerEvents.Event event = events.get(i);
      int begin = measuredFrom + (int) (event.begin() / SAMPLE_SECONDS);
      int from = Math.max(floor, begin - MAX_BEFORE);
      int next =
          i + 1 < events.size()
              ? measuredFrom + (int) (events.get(i + 1).begin() / SAMPLE_SECONDS)
              : samples.size();
      int to = Math.min(next, samples.size());
      if (begin - from >= Dip.LEAST_BEFORE && to - begin >= Dip.WINDOW) {
        double[] around =
            samples.subList(from, to).stream().mapToDouble(Long::doubleValue).toArray();
        Row row =
            byEvent.computeIfAbsent(
                List.of(trial.label(), event.words()),
                key -> new Row(key.get(0), key.get(1), new ArrayList<>(), new ArrayList<>()));
        row.dips().add(Dip.after(around, SAMPLE_SECONDS, begin - from));
        if (event.end() > event.begin()) {
          row.joins().add(event.end() - event.begin());
        }
      }
      floor = measuredFrom + (int) Math.ceil(event.end() / SAMPLE_SECONDS);
    }
  }

  private static Finding finding(Row of) {
    String what = "When %s (%s), throughput ".formatted(of.event(), of.treatment());
    String wouldChange = "More blocks, more data to rebalance, or another load.";
    if (of.dips().stream().noneMatch(dip -> dip.depth() > 0)) {
      return Finding.info(
          Finding.Kind.ESTIMATE,
          what + "does not fall by more than its noise or 10 %.",
          wouldChange);
    }
    Estimate depth = of.depth().orElseThrow();
    Estimate below = of.below().orElseThrow();
    boolean open = of.dips().stream().anyMatch(dip -> dip.seconds().isEmpty());
    return Finding.of(
        Finding.Kind.ESTIMATE,
        open ? Finding.Severity.NOTICE : Finding.Severity.INFO,
        "%sfalls by %s %% and is below 90 %% for %s s%s."
            .formatted(
                what,
                Numbers.estimate(depth),
                Numbers.estimate(below),
                open
                    ? "; in %s blocks it does not recover before the next event or the end"
                        .formatted(of.notRecovered())
                    : ""),
        Finding.estimates("depth", depth, "below 90 %", below),
        wouldChange);
  }

  /** Lost and stale keys, from the verification of the trials with an event. */
  private static Optional<Finding> keys(List<TrialRecord> trials) {
    List<String> lost =
        trials.stream()
            .filter(trial -> trial.outcome() == Outcome.WRONG)
            .map(
                trial ->
                    "%s, block %d%s"
                        .formatted(
                            trial.label(),
                            trial.block() + 1,
                            trial
                                .value(Metric.WRONG_KEYS)
                                .map(n -> " (%s keys)".formatted(Numbers.whole(n)))
                                .orElse("")))
            .toList();
    long judged = trials.stream().filter(trial -> trial.outcome() != Outcome.FAILED).count();
    if (judged == 0) {
      return Optional.empty();
    }
    return Optional.of(
        lost.isEmpty()
            ? Finding.info(
                Finding.Kind.COMPARISON,
                "No acknowledged write was lost or stale in the %s with a server event."
                    .formatted(Figures.count(judged, "trial")),
                "One lost or stale key in more trials: finding none is no proof.")
            : Finding.warning(
                Finding.Kind.COMPARISON,
                "Acknowledged writes are lost or stale after a server event: %s."
                    .formatted(Phrases.andOthers(lost)),
                "Nothing; one lost or stale key is conclusive."));
  }
}
