package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.comparison.ComparisonRule.Direction;
import io.pyrometer.analysis.estimate.Means;
import io.pyrometer.experiment.model.AnalysisDeclaration.PlannedTreatment;
import io.pyrometer.experiment.plan.RateLadder;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.journal.RateSearch;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.results.NamedMetric;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.ProcessStarts;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.Texts;
import io.pyrometer.results.TrialLimits;
import io.pyrometer.results.capacity.TrialDemands;
import io.pyrometer.results.ranking.OfferedRate;
import io.pyrometer.results.ranking.Rankings;
import io.pyrometer.results.study.FactorStudy;
import io.pyrometer.results.study.StudyResult;
import io.pyrometer.results.study.StudyResult.StudyData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Analyses of parts of a run, and of what a run records besides the figures of its treatments. */
final class RunStudies {
  static final List<Analysis> ALL =
      List.of(
          new Factors(),
          new DeclaredAnalysis("highest-rate", HighestRate::of)
              .requiring(each -> each.settings().get(CoreSettings.RATE) > 0),
          new DeclaredAnalysis("transactions", Transactions::of)
              .requiring(each -> each.job().equals(Optional.of(Job.TRANSFER))),
          new DeclaredAnalysis("demands", "Service demands", "µs", Demands::analyze)
              .shownFor(run -> run.any(trial -> TrialDemands.of(run.plan(), trial).isPresent())),
          // RatioReasons draws the CPU time of a record by category below each ranking.
          new DeclaredAnalysis(
              "cpu-breakdown", run -> List.of(), run -> false, Optional.empty(), true),
          new DeclaredAnalysis("memory", Memory::of).shownFor(run -> true));

  private RunStudies() {}

  /**
   * The effects of the factors of a run on its throughput, CPU time, latencies and the metrics of
   * its kind of trial. What telemetry devices record of single processes and roles is in the
   * report's section on telemetry.
   */
  private static final class Factors implements Analysis {
    private static final Set<LatencyStatistic> SHOWN =
        Set.of(LatencyStatistic.MEAN, LatencyStatistic.P50, LatencyStatistic.P99);

    /** The names of metrics that end in a role or a process: pauses.nodes, pauses.node-0. */
    private static final Pattern OF_PROCESSES =
        Pattern.compile(".+\\.(node|agent|client|service|mock)(s|-\\d+)");

    @Override
    public String id() {
      return "factors";
    }

    @Override
    public Optional<String> unmet(List<PlannedTreatment> treatments) {
      return require(treatments, each -> !each.levels().equals(treatments.get(0).levels()));
    }

    @Override
    public List<RunAnalysis> of(RunRecord run) {
      List<Job> jobs = run.counting().stream().map(TrialRecord::job).distinct().sorted().toList();
      List<RunAnalysis> analyses = new ArrayList<>();
      for (Job job : jobs) {
        List<TrialRecord> trials = run.counting(t -> t.job() == job);
        boolean open = trials.stream().allMatch(trial -> OfferedRate.of(trial) > 0);
        for (NamedMetric response : NamedMetric.of(trials)) {
          if (isStudied(response)) {
            boolean leading =
                open
                    ? response.isLatency(LatencyStatistic.P99)
                    : response.name().equals(Metric.THROUGHPUT);
            analyses.add(
                new RunAnalysis(
                    id(),
                    jobs.size() == 1 ? "" : Phrases.title(job),
                    response.label(),
                    response.unit(),
                    leading,
                    RunAnalysis.analyze(() -> study(run, trials, response, leading))));
          }
        }
      }
      return analyses;
    }

    /** Trials of the same processes share one start, which would count as many observations. */
    private static boolean isStudied(NamedMetric metric) {
      return metric.latency().map(of -> SHOWN.contains(of.statistic())).orElse(true)
          && !OF_PROCESSES.matcher(metric.name()).matches()
          && !metric.name().equals(Metric.SERVERS_START);
    }

    private static StudyResult study(
        RunRecord run, List<TrialRecord> trials, NamedMetric response, boolean leading) {
      ProcessStarts starts = ProcessStarts.of(trials);
      // In the order of the file, not in that of the run.
      List<Observation> observations =
          trials.stream()
              .filter(TrialRecord::valid)
              .filter(t -> t.value(response.name()).filter(value -> value > 0).isPresent())
              .sorted(run.inOrder(TrialRecord::levels).thenComparingInt(TrialRecord::block))
              .map(
                  t ->
                      new Observation(
                          t.levels(),
                          String.valueOf(t.block() + 1),
                          starts.of(t.levels()),
                          Map.of(response.label(), t.value(response.name()).orElseThrow())))
              .toList();
      Predicate<String> varied =
          f -> observations.stream().map(o -> o.levels().get(f)).distinct().count() > 1;
      List<String> factors =
          RunAnalysis.require(
              "effect.no-trial",
              run.experiment().levels().keySet().stream().filter(varied).toList());
      StudyResult studied =
          FactorStudy.of(
              new StudyData(observations, response.label(), response.unit(), ResponseScale.LN),
              factors,
              run.experiment().levels());
      List<Finding> findings = new ArrayList<>();
      Finding.warning("effect.one-start")
          .naming("factors", ProcessStarts.confounded(trials, factors))
          .ifPresent(findings::add);
      findings.addAll(studied.findings());
      if (leading) {
        TrialLimits.oversubscribed(trials).ifPresent(findings::add);
      }
      return new StudyResult(studied.about(), findings, studied.sections());
    }
  }

  /**
   * The highest offered rate that keeps the stated p99, up a ladder of rates: kept is a rate that
   * in every block was really reached and kept it without a lost request. A lower one that did not
   * is named as well: what more load puts right is no limit of load.
   */
  private static final class HighestRate {
    private record Step(double rate, List<TrialRecord> trials) {
      boolean kept() {
        return trials.stream().allMatch(RateSearch::holds);
      }

      /** Returns whether some trial has calls enough for a p99, or failed. */
      boolean judged() {
        return worst(LatencyStatistic.P99).isPresent()
            || trials.stream().anyMatch(trial -> !trial.valid());
      }

      String verdict() {
        return !judged() ? "too few calls" : kept() ? "yes" : "no";
      }

      double reached() {
        return trials.stream().mapToDouble(RateSearch::reached).min().orElse(0);
      }

      /** Milliseconds in the worst trial. */
      Optional<Double> worst(LatencyStatistic statistic) {
        return trials.stream()
            .flatMap(trial -> RateSearch.worst(trial, statistic).stream())
            .max(Double::compare)
            .map(micros -> micros / 1e3);
      }
    }

    static List<RunAnalysis> of(RunRecord run) {
      Map<Map<String, String>, List<TrialRecord>> parts =
          run.counting(trial -> trial.settings().get(CoreSettings.RATE) > 0).stream()
              .collect(ListsByKey.by(HighestRate::part));
      return RunAnalysis.parts(
          "highest-rate",
          "latency against load",
          "calls/s",
          parts,
          (part, trials) -> analyze(run, part, trials));
    }

    private static Map<String, String> part(TrialRecord trial) {
      Map<String, String> part = new LinkedHashMap<>(trial.levels());
      part.remove(CoreSettings.RATE.name());
      return part;
    }

    private static StudyResult analyze(
        RunRecord run, Map<String, String> part, List<TrialRecord> trials) {
      List<Step> steps = new ArrayList<>();
      trials.stream()
          .collect(
              Collectors.groupingBy(
                  trial -> trial.settings().get(CoreSettings.RATE),
                  TreeMap::new,
                  Collectors.toList()))
          .forEach((rate, of) -> steps.add(new Step(rate, of)));
      Value limit = Value.seconds(trials.get(0).settings().get(CoreSettings.P99_LIMIT));
      boolean searched = run.plan().searching();
      MetricTable<Step> table =
          Texts.<Step>table("highest-rate.load")
              .formatted("offered/s", step -> Numbers.whole(step.rate()))
              .formatted("reached/s", step -> Numbers.whole(step.reached()))
              .number("p50", step -> step.worst(LatencyStatistic.P50))
              .number("p99", step -> step.worst(LatencyStatistic.P99))
              .count("blocks", step -> step.trials().size())
              .formatted("kept", Step::verdict);
      List<Finding> ofSearch =
          searched ? searchFindings(found(run, part), steps, limit) : List.of();
      return StudyResult.of(
          ofSearch.isEmpty() ? ladderFindings(steps, limit) : ofSearch,
          Texts.section(
              "highest-rate.load",
              Texts.of("highest-rate." + (searched ? "search" : "ladder")),
              List.of(table.figure(Texts.of("highest-rate.rows"), steps))));
    }

    private static List<Finding> ladderFindings(List<Step> steps, Value limit) {
      List<Step> judged = steps.stream().filter(Step::judged).toList();
      if (judged.isEmpty()) {
        return List.of(Finding.notice("highest-rate.too-few-calls"));
      }
      double last = judged.stream().filter(Step::kept).mapToDouble(Step::rate).max().orElse(0);
      Optional<Value> next =
          judged.stream().map(Step::rate).filter(rate -> rate > last).findFirst().map(Value::rate);
      if (last == 0 && judged.size() < steps.size()) {
        return List.of(Finding.notice("highest-rate.too-few-calls"));
      }
      String id = last == 0 ? "none" : next.isPresent() ? "kept" : "beyond";
      List<Finding> findings = new ArrayList<>();
      findings.add(
          Finding.info("highest-rate." + id)
              .with("limit", limit)
              .with("rate", Optional.of(last).filter(rate -> rate > 0).map(Value::rate))
              .with("next", next));
      List<String> missed =
          judged.stream()
              .filter(s -> s.rate() < last && !s.kept())
              .map(step -> Numbers.shorten(step.rate()))
              .toList();
      Finding.notice("highest-rate.missed").naming("rates", missed).ifPresent(findings::add);
      return findings;
    }

    /** The rate that each block's search of the part found, if any. */
    private static List<Optional<Double>> found(RunRecord run, Map<String, String> part) {
      return run.plan().groups().stream()
          .flatMap(group -> RateLadder.of(group).stream())
          .filter(ladder -> ladder.levels().equals(part))
          .map(ladder -> RateSearch.highest(ladder, run.finished()))
          .toList();
    }

    /** Each block's search is a replicate; empty where none found a rate. */
    private static List<Finding> searchFindings(
        List<Optional<Double>> searches, List<Step> steps, Value limit) {
      double[] found = searches.stream().flatMap(Optional::stream).mapToDouble(v -> v).toArray();
      Step highest = steps.get(steps.size() - 1);
      if (found.length == 0 || steps.stream().noneMatch(Step::judged)) {
        return List.of();
      }
      boolean open = Arrays.stream(found).max().orElse(0) >= highest.rate() && highest.kept();
      List<Finding> findings = new ArrayList<>();
      findings.add(
          Finding.info(open ? "highest-rate.found-beyond" : "highest-rate.found")
              .with("limit", limit)
              .with("searches", found.length)
              .with("rate", Means.geometric(found, "calls/s")));
      if (searches.size() > found.length) {
        findings.add(
            Finding.notice("highest-rate.unfinished")
                .with("searches", searches.size() - found.length));
      }
      return findings;
    }
  }

  /**
   * The anomalies and the cost of kinds of transactions, under each condition (such as the number
   * of accounts) by itself: wrong balances, rollbacks, and the fastest kind that left every balance
   * right.
   */
  private static final class Transactions {
    private static final String ROLLBACKS = Metric.EVENTS + "rollbacks-";
    private static final double RECORDS_OF_A_TRANSFER = 2;

    static List<RunAnalysis> of(RunRecord run) {
      RunRecord transfers = run.of(trial -> trial.job() == Job.TRANSFER);
      List<String> conditions = Rankings.conditions(run);
      // Less contention hides a lost update: a kind that lost one anywhere in the run is unsafe.
      Set<Map<String, String>> unsafe =
          transfers.counting(trial -> trial.value(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0).stream()
              .map(trial -> levels(trial, conditions, false))
              .collect(Collectors.toSet());
      Map<Map<String, String>, List<TrialRecord>> parts =
          transfers.counting().stream()
              .collect(ListsByKey.by(trial -> levels(trial, conditions, true)));
      if (parts.isEmpty()) {
        parts.put(Map.of(), List.of());
      }
      return RunAnalysis.parts(
          "transactions",
          "transactions",
          "transfers/s",
          parts,
          (part, trials) ->
              analyze(
                  transfers.of(t -> levels(t, conditions, true).equals(part)),
                  row -> !unsafe.contains(levels(row.trial(), conditions, false))));
    }

    /** The levels of conditions, or of all other factors: the kind of transaction. */
    private static Map<String, String> levels(
        TrialRecord trial, List<String> conditions, boolean ofConditions) {
      Map<String, String> levels = new LinkedHashMap<>(trial.levels());
      levels.keySet().removeIf(factor -> conditions.contains(factor) != ofConditions);
      return levels;
    }

    private static StudyResult analyze(RunRecord part, Predicate<TreatmentRow> safe) {
      Tabulation all = new Tabulation("transactions", part, TreatmentRow.ranked(part));
      all.warn("transactions.lost-updates", row -> row.max(Metric.WRONG_ACCOUNTS).orElse(0.0) > 0);
      Predicate<TreatmentRow> recommendable = row -> safe.test(row) && atomic(part, row);
      List<TreatmentRow> left =
          all.rows().stream()
              .filter(row -> recommendable.test(row) && row.throughput().isPresent())
              .toList();
      if (left.isEmpty()) {
        all.add(Finding.warning("transactions.none-right"));
      } else if (left.size() == 1) {
        all.add(
            Finding.info("transactions.only-one")
                .with("treatment", left.get(0).label())
                .with("rate", transfers(left.get(0), "transfers/s").orElseThrow()));
      }
      all.compare(
          Texts.of("transactions.metric"),
          new NamedMetric(Metric.THROUGHPUT, "transfers/s", Direction.HIGHER),
          trial -> trial.throughput().map(records -> records / RECORDS_OF_A_TRANSFER),
          recommendable);
      all.show(table(part, all));
      return all.result();
    }

    private static Optional<Estimate> transfers(TreatmentRow row, String unit) {
      return row.throughput().map(rate -> rate.times(1 / RECORDS_OF_A_TRANSFER, unit));
    }

    private static boolean atomic(RunRecord part, TreatmentRow row) {
      return part.plan()
          .path(row.trial().settings())
          .flatMap(PathDescription::guarantee)
          .map(Guarantee::atomic)
          .orElse(false);
    }

    private static MetricTable<TreatmentRow> table(RunRecord part, Tabulation all) {
      MetricTable<TreatmentRow> table =
          all.table()
              .text("atomic", row -> atomic(part, row) ? "yes" : "no")
              .estimate("transfers/s", row -> transfers(row, ""))
              .estimate("p99 [ms]", row -> row.millis(LatencyStatistic.P99))
              .number("wrong balances", row -> row.max(Metric.WRONG_ACCOUNTS))
              .count(
                  "trials with wrong balances",
                  row -> row.values(Metric.WRONG_ACCOUNTS).stream().filter(n -> n > 0).count());
      part.counting().stream()
          .flatMap(trial -> trial.metrics().keySet().stream())
          .filter(name -> name.startsWith(ROLLBACKS))
          .distinct()
          .sorted()
          .forEach(
              name ->
                  table.number(
                      "rollbacks: " + name.substring(ROLLBACKS.length()),
                      row -> row.average(name)));
      return table;
    }
  }

  /**
   * The service demands of a run: CPU time, bytes and calls of clients and servers for one record.
   */
  private static final class Demands {
    private record Role(TreatmentRow row, String name, Optional<Estimate> micros) {
      Optional<Double> mean(String metric) {
        return row.average(CpuProfile.demandOf(name) + metric);
      }

      Optional<Double> ofServers(String metric) {
        return name.equals(CpuProfile.SERVERS) ? row.average(metric) : Optional.empty();
      }
    }

    static StudyResult analyze(RunRecord run) {
      List<TrialRecord> trials =
          RunAnalysis.require(
              "demands.no-trial",
              run.counting(trial -> TrialDemands.of(run.plan(), trial).isPresent()).stream()
                  .sorted(run.inOrder(TrialRecord::levels))
                  .toList());
      List<Role> roles = new ArrayList<>();
      for (TreatmentRow row : TreatmentRow.of(trials, TrialRecord::label, List.of())) {
        roles.add(new Role(row, CpuProfile.CLIENTS, micros(run, row, TrialDemands::clientSeconds)));
        roles.add(new Role(row, CpuProfile.SERVERS, micros(run, row, TrialDemands::serverSeconds)));
      }
      Figure times =
          table()
              .estimate("demand µs", Role::micros)
              .number("user µs", role -> role.mean("user"))
              .number("system µs", role -> role.mean("system"))
              .number("gc µs", role -> role.mean("gc"))
              .number("jit µs", role -> role.mean(Metric.DEMAND_JIT))
              .number("idle ms/s", role -> role.ofServers(Metric.IDLE_SERVER))
              .number("memory bytes", role -> role.ofServers(Metric.MEMORY))
              .figure(Texts.of("demands.times"), roles);
      Figure calls =
          table()
              .number("bytes out", role -> role.mean(Metric.DEMAND_BYTES_OUT))
              .number("bytes in", role -> role.mean(Metric.DEMAND_BYTES_IN))
              .number("writes", role -> role.mean(Metric.DEMAND_MESSAGES_OUT))
              .number("reads", role -> role.mean(Metric.DEMAND_MESSAGES_IN))
              .number("switches", role -> role.mean(Metric.DEMAND_SWITCHES))
              .figure(Texts.of("demands.calls"), roles);
      return StudyResult.of(List.of(), Texts.section("demands.table", times, calls));
    }

    private static Optional<Estimate> micros(
        RunRecord run, TreatmentRow row, ToDoubleFunction<TrialDemands> seconds) {
      return row.geometricMean(
          trial -> TrialDemands.of(run.plan(), trial).map(of -> 1e6 * seconds.applyAsDouble(of)));
    }

    private static MetricTable<Role> table() {
      return Texts.<Role>table("demands.table")
          .text("treatment", role -> role.row().label())
          .text("role", Role::name);
    }
  }

  /** Memory and time to start of the servers of each product, in runs that compare products. */
  private static final class Memory {
    private static final String SERVER = Metric.RESIDENT_BYTES_OF + "node-";
    private static final double MEBIBYTE = 1 << 20;

    /** One analysis of the whole run; none unless it has servers of two products or more. */
    static List<RunAnalysis> of(RunRecord run) {
      List<TreatmentRow> rows =
          TreatmentRow.of(
              run.counting(trial -> mebibytes(trial).isPresent()),
              trial -> trial.settings().find(CoreSettings.DRIVER).orElse(""),
              List.of());
      if (rows.size() < 2) {
        return List.of();
      }
      Section section =
          Texts.section(
              "memory.servers",
              new MetricTable<TreatmentRow>("not recorded")
                  .text("product", TreatmentRow::label)
                  .estimate("resident [MiB]", row -> mean(row, Memory::mebibytes))
                  .estimate(
                      "start of all servers [s]",
                      row -> mean(row, trial -> trial.value(Metric.SERVERS_START)))
                  .figure("Means of the blocks", rows));
      return List.of(
          new RunAnalysis(
              "memory", "", section.title(), "MiB", false, StudyResult.of(List.of(), section)));
    }

    private static Optional<Double> mebibytes(TrialRecord trial) {
      return Means.arithmetic(
              trial.metrics().entrySet().stream()
                  .filter(metric -> metric.getKey().startsWith(SERVER))
                  .mapToDouble(metric -> metric.getValue().value() / MEBIBYTE),
              "")
          .map(Estimate::value);
    }

    /** The mean of the largest value in each block. */
    private static Optional<Estimate> mean(
        TreatmentRow row, Function<TrialRecord, Optional<Double>> value) {
      Map<Integer, Double> blocks = new TreeMap<>();
      row.trials()
          .forEach(
              t -> value.apply(t).ifPresent(found -> blocks.merge(t.block(), found, Math::max)));
      return Means.arithmetic(blocks.values().stream().mapToDouble(v -> v), "");
    }
  }
}
