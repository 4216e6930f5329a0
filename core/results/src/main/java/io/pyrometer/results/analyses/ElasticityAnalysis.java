package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.analysis.steady.Dip;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ServerEvents;
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
    Optional<Estimate> depth() {
      return Means.arithmetic(dips.stream().mapToDouble(dip -> 100 * dip.depth()), "%");
    }

    Optional<Estimate> below() {
      return Means.arithmetic(dips.stream().mapToDouble(Dip::below), "s");
    }

    /** Mean over the blocks that recovered. */
    Optional<Estimate> recovery() {
      return Means.arithmetic(dips.stream().flatMapToDouble(dip -> dip.seconds().stream()), "s");
    }

    /** Seconds of the load before the event. */
    Optional<Double> missed() {
      return Means.arithmetic(
              dips.stream()
                  .mapToDouble(
                      dip -> dip.missing() * SAMPLE_SECONDS / Math.max(dip.before(), 1e-9)),
              "s")
          .map(Estimate::value);
    }

    long notRecovered() {
      return dips.stream().filter(dip -> dip.seconds().isEmpty()).count();
    }

    Optional<Double> joined() {
      return Means.arithmetic(joins.stream().mapToDouble(Double::doubleValue), "s")
          .map(Estimate::value);
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
      throw new NoResult("elasticity.no-trial");
    }
    List<Finding> findings = new ArrayList<>();
    keys(trials).ifPresent(findings::add);
    rows.forEach(row -> findings.addAll(findings(row)));
    MetricTable<Row> table =
        new MetricTable<Row>("no block recovered before the end, or nothing joined")
            .text("treatment", Row::treatment)
            .text("event", Row::event)
            .estimate("depth [%]", Row::depth)
            .estimate("below 90 % [s]", Row::below)
            .estimate("recovers after [s]", Row::recovery)
            .count("not recovered", Row::notRecovered)
            .number("missed [s of load]", Row::missed)
            .number("join took [s]", Row::joined)
            .count("blocks", row -> row.dips().size());
    return StudyResult.of(
        findings,
        Section.of(
            "elasticity",
            "Dips of throughput",
            "Throughput in windows of half a second, against its mean in up to five seconds before the event. Depth: the shortfall of the lowest window; recovers after: from the event to the end of the last window below 90 %. Missed: the work not done meanwhile, in seconds of the load before.",
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
                List.of(trial.label(), event.name()),
                key -> new Row(key.get(0), key.get(1), new ArrayList<>(), new ArrayList<>()));
        row.dips().add(Dip.after(around, SAMPLE_SECONDS, begin - from));
        if (event.end() > event.begin()) {
          row.joins().add(event.end() - event.begin());
        }
      }
      floor = measuredFrom + (int) Math.ceil(event.end() / SAMPLE_SECONDS);
    }
  }

  private static List<Finding> findings(Row of) {
    List<Finding> findings = new ArrayList<>();
    if (of.dips().stream().noneMatch(dip -> dip.depth() > 0)) {
      findings.add(Finding.info("elasticity.no-dip"));
    } else {
      findings.add(
          Finding.info("elasticity.dip")
              .with("depth", of.depth().orElseThrow())
              .with("below", of.below().orElseThrow()));
    }
    if (of.notRecovered() > 0) {
      findings.add(
          Finding.notice("elasticity.not-recovered")
              .with("open", Value.count(of.notRecovered()))
              .with("blocks", Value.count(of.dips().size())));
    }
    return findings.stream()
        .map(
            each ->
                each.with("treatment", Value.name(of.treatment()))
                    .with("event", Value.name(of.event())))
        .toList();
  }

  /** Lost and stale keys, from the verification of the trials with an event. */
  private static Optional<Finding> keys(List<TrialRecord> trials) {
    List<TrialRecord> wrong =
        trials.stream().filter(trial -> trial.outcome() == Outcome.WRONG).toList();
    long judged = trials.stream().filter(trial -> trial.outcome() != Outcome.FAILED).count();
    if (judged == 0) {
      return Optional.empty();
    }
    return Optional.of(
        wrong.isEmpty()
            ? Finding.info("elasticity.no-loss").with("trials", Value.count(judged))
            : Finding.warning("elasticity.loss")
                .with("trials", Value.count(wrong.size()))
                .with(
                    "treatments",
                    Value.names(wrong.stream().map(TrialRecord::label).distinct().toList())));
  }
}
