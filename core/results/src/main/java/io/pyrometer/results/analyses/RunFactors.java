package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.experiment.design.ScalingSeries;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.LevelOrder;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Oversubscription;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.FactorStudy;
import io.pyrometer.results.study.StudyData;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The effects of the factors of a run on its throughput, CPU time, latencies and the metrics of its
 * kind of trial. What telemetry devices record of single processes and roles is in the report's
 * section on telemetry.
 */
public final class RunFactors implements Analysis {
  private static final Set<LatencyStatistic> SHOWN =
      Set.of(LatencyStatistic.MEAN, LatencyStatistic.P50, LatencyStatistic.P99);

  /** The names of metrics that end in a role or a process: pauses.nodes, pauses.node-0. */
  private static final Pattern OF_PROCESSES =
      Pattern.compile(".+\\.(node|agent|client|service|mock)(s|-\\d+)");

  /** Trials of the same processes share one start, which would count as many observations. */
  private static final Set<String> NOT_OF_TRIALS = Set.of(Metric.THROUGHPUT, Metric.SERVERS_START);

  @Override
  public String id() {
    return "factors";
  }

  @Override
  public Optional<String> unmet(List<PlannedTreatment> treatments) {
    return PlannedTreatment.require(
        treatments,
        each -> !each.levels().equals(treatments.get(0).levels()),
        "'factors' needs a factor of two levels or more, and there is none; vary something or"
            + " remove it.");
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    LevelOrder order = LevelOrder.of(run);
    List<Job> jobs = run.counting().stream().map(TrialRecord::job).distinct().sorted().toList();
    List<RunAnalysis> analyses = new ArrayList<>();
    for (Job job : jobs) {
      List<TrialRecord> trials = run.counting().stream().filter(t -> t.job() == job).toList();
      for (Response response : responses(trials)) {
        analyses.add(
            new RunAnalysis(
                id(),
                jobs.size() == 1 ? "" : Phrases.title(job),
                response.name(),
                response.unit(),
                response.leading(),
                RunAnalyses.analyze(() -> study(order, trials, response))));
      }
    }
    return analyses;
  }

  /** One response of a trial; empty where the trial does not have it. */
  private record Response(
      String name, String unit, boolean leading, Function<TrialRecord, Optional<Double>> of) {}

  /** Throughput, in an open loop the p99 of each operation, leads; every other metric follows. */
  private static List<Response> responses(List<TrialRecord> trials) {
    boolean open = trials.stream().allMatch(trial -> OfferedRate.of(trial) > 0);
    List<Response> responses = new ArrayList<>();
    responses.add(new Response("total throughput", Rankings.UNIT, !open, TrialRecord::throughput));
    if (trials.stream().mapToLong(RunFactors::clients).distinct().count() > 1) {
      responses.add(
          new Response(
              "throughput of a client",
              Rankings.UNIT,
              false,
              t -> t.throughput().map(total -> total / clients(t))));
    }
    NamedMetric.of(trials).stream()
        .filter(m -> m.latency().map(of -> SHOWN.contains(of.statistic())).orElse(true))
        .filter(m -> !OF_PROCESSES.matcher(m.name()).matches())
        .filter(m -> !NOT_OF_TRIALS.contains(m.name()))
        .map(
            m ->
                new Response(
                    m.label(),
                    m.unit(),
                    open && m.isLatency(LatencyStatistic.P99),
                    t -> t.value(m.name())))
        .forEach(responses::add);
    return responses;
  }

  private static long clients(TrialRecord trial) {
    return Math.max(1, ScalingSeries.Count.CLIENTS.of(trial.settings()));
  }

  private static StudyResult study(LevelOrder order, List<TrialRecord> trials, Response response) {
    ProcessStarts starts = ProcessStarts.of(trials);
    // In the order of the file, not in that of the run.
    List<Observation> observations =
        trials.stream()
            .filter(t -> t.outcome() == Outcome.OK)
            .filter(t -> response.of().apply(t).filter(value -> value > 0).isPresent())
            .sorted(order.comparing(TrialRecord::levels).thenComparingInt(TrialRecord::block))
            .map(
                t ->
                    new Observation(
                        t.levels(),
                        String.valueOf(t.block() + 1),
                        starts.of(t.levels()),
                        Map.of(response.name(), response.of().apply(t).orElseThrow())))
            .toList();
    List<String> factors =
        order.levels().keySet().stream()
            .filter(f -> observations.stream().map(o -> o.levels().get(f)).distinct().count() > 1)
            .toList();
    if (factors.isEmpty()) {
      throw BadDataException.of(
          "No two treatments have a valid %s, so no effects can be estimated; repeat the run.",
          response.leading() ? response.name() : "value");
    }
    StudyResult studied =
        FactorStudy.of(
            new StudyData(observations, response.name(), response.unit(), ResponseScale.LN),
            factors,
            order.levels());
    List<Finding> findings = new ArrayList<>();
    List<String> confounded = ProcessStarts.confounded(trials, factors);
    if (!confounded.isEmpty()) {
      findings.add(Finding.warning("effect.one-start").with("factors", Value.names(confounded)));
    }
    findings.addAll(studied.findings());
    long planned = trials.stream().map(TrialRecord::levels).distinct().count();
    long there = observations.stream().map(Observation::levels).distinct().count();
    if (there < planned) {
      findings.add(
          Finding.warning("effect.missing-treatments")
              .with("missing", Value.count(planned - there))
              .with("treatments", Value.count(planned)));
    }
    if (response.leading()) {
      Oversubscription.of(
              trials,
              "effects are those on the CPU cost of one shared machine; on machines of their own,"
                  + " more nodes or cores add CPU time")
          .ifPresent(findings::add);
    }
    return new StudyResult(studied.about(), findings, studied.sections(), studied.items());
  }
}
