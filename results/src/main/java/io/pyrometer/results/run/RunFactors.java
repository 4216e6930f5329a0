package io.pyrometer.results.run;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import io.pyrometer.experiment.Ladder;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Job;
import io.pyrometer.results.study.FactorStudy;
import io.pyrometer.results.study.Measured;
import io.pyrometer.results.study.Studied;
import io.pyrometer.results.study.StudyRequest.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** What the factors of a run do to its throughput and to the latency of each operation. */
final class RunFactors {
  private static final String MICROS = "µs";

  private final FileOrder order;
  private final List<TrialRecord> trials;
  private final String part;

  private RunFactors(FileOrder order, List<TrialRecord> trials, String part) {
    this.order = order;
    this.trials = trials;
    this.part = part;
  }

  static List<RunAnalysis> of(RunRecord run) {
    FileOrder order = FileOrder.of(run);
    List<Job> jobs = run.counting().stream().map(TrialRecord::job).distinct().sorted().toList();
    List<RunAnalysis> analyses = new ArrayList<>();
    for (Job job : jobs) {
      List<TrialRecord> trials = run.counting().stream().filter(t -> t.job() == job).toList();
      String part = jobs.size() == 1 ? "" : Words.title(job);
      analyses.addAll(new RunFactors(order, trials, part).analyses());
    }
    return analyses;
  }

  /** One response of a trial; empty where the trial does not have it. */
  private record Response(
      String name, String unit, boolean leading, Function<TrialRecord, Optional<Double>> of) {}

  private List<RunAnalysis> analyses() {
    return responses().stream()
        .map(
            r ->
                new RunAnalysis(
                    "factors",
                    part,
                    r.name(),
                    r.unit(),
                    r.leading(),
                    RunAnalyses.studied(() -> study(r))))
        .toList();
  }

  private List<Response> responses() {
    List<Response> responses = new ArrayList<>();
    responses.add(new Response("total throughput", Rankings.UNIT, true, TrialRecord::throughput));
    if (trials.stream().mapToLong(RunFactors::clients).distinct().count() > 1) {
      responses.add(
          new Response(
              "throughput of a client",
              Rankings.UNIT,
              false,
              t -> t.throughput().map(total -> total / clients(t))));
    }
    TreeSet<String> operations = new TreeSet<>();
    trials.forEach(
        trial ->
            trial
                .metrics()
                .keySet()
                .forEach(
                    name ->
                        Metric.parseLatency(name)
                            .ifPresent(latency -> operations.add(latency.operation()))));
    for (String operation : operations) {
      responses.add(
          new Response(
              "mean latency of " + operation,
              MICROS,
              false,
              t -> t.value(Metric.latency(operation, LatencyStatistic.MEAN))));
      responses.add(
          new Response(
              "median latency of " + operation,
              MICROS,
              false,
              t -> t.value(Metric.latency(operation, LatencyStatistic.P50))));
    }
    return responses;
  }

  private static long clients(TrialRecord trial) {
    return Math.max(1, Ladder.Count.CLIENTS.of(trial.settings()));
  }

  private Studied study(Response response) {
    List<Observation> observations = observations(response);
    List<String> factors =
        order.levels().keySet().stream()
            .filter(f -> observations.stream().map(o -> o.levels().get(f)).distinct().count() > 1)
            .toList();
    if (factors.isEmpty()) {
      throw BadDataException.of(
          "No two treatments have a %s that counts, so nothing can be said of the factors; make"
              + " the run again.",
          response.name());
    }
    Studied studied =
        FactorStudy.of(
            new Measured(observations, response.name(), response.unit(), Scale.LN),
            factors,
            order.levels());
    List<Finding> findings = new ArrayList<>(studied.findings());
    missing(observations).ifPresent(findings::add);
    return new Studied(studied.about(), findings, studied.sections(), studied.items());
  }

  /** In the order of the file, not in that of the run. */
  private List<Observation> observations(Response response) {
    return trials.stream()
        .filter(t -> t.outcome() == Outcome.OK)
        .filter(t -> response.of().apply(t).filter(value -> value > 0).isPresent())
        .sorted(order.comparing(TrialRecord::levels).thenComparingInt(TrialRecord::block))
        .map(
            t ->
                new Observation(
                    t.levels(),
                    String.valueOf(t.block() + 1),
                    Map.of(response.name(), response.of().apply(t).orElseThrow())))
        .toList();
  }

  private Optional<Finding> missing(List<Observation> observations) {
    long planned = trials.stream().map(TrialRecord::levels).distinct().count();
    long there = observations.stream().map(Observation::levels).distinct().count();
    if (there == planned) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Finding.Kind.NOT_ENOUGH_RUNS,
            Finding.Severity.WARNING,
            "%d of %d treatments have no trial that is right, so effects are estimated without them."
                .formatted(planned - there, planned),
            Map.of(),
            "A run in which all treatments come out right."));
  }
}
