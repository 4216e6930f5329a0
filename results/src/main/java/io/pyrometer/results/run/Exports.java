package io.pyrometer.results.run;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.CsvFile;
import io.pyrometer.results.study.Studied;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A run's figures for other tools: {@code results.csv}, {@code results.json}, {@code analyses.csv}.
 */
final class Exports {
  private static final int SCHEMA = 1;

  private Exports() {}

  /** What {@code results.json} holds. */
  record Results(
      int schema,
      String name,
      String question,
      List<Finding> findings,
      List<Ranking> rankings,
      List<Analysed> analyses) {}

  /** An analysis without its charts. */
  record Analysed(
      String analysis,
      String of,
      String response,
      String unit,
      List<Finding> findings,
      List<Studied.Item> estimates) {

    static Analysed of(RunAnalysis a) {
      return new Analysed(
          a.analysis(),
          a.of(),
          a.response(),
          a.unit(),
          a.studied().findings(),
          a.studied().items());
    }
  }

  static void write(RunReport report) {
    RunRecord run = report.run();
    run.folder()
        .write(
            "results.json",
            new Results(
                SCHEMA,
                run.plan().name(),
                run.plan().question(),
                report.findings(),
                report.rankings(),
                report.analyses().stream().map(Analysed::of).toList()));
    csv(run);
    if (!report.analyses().isEmpty()) {
      analyses(report);
    }
  }

  /** One row an estimate. */
  private static void analyses(RunReport report) {
    List<String> header =
        List.of(
            "schema",
            "analysis",
            "of",
            "response",
            "unit",
            "estimate",
            "value",
            "low",
            "high",
            "confidence",
            "replicates",
            "note");
    List<List<Object>> rows = new ArrayList<>();
    for (RunAnalysis a : report.analyses()) {
      for (Studied.Item item : a.studied().items()) {
        Estimate e = item.estimate();
        rows.add(
            List.of(
                SCHEMA,
                a.analysis(),
                a.of(),
                a.response(),
                e.unit(),
                item.name(),
                e.value(),
                e.low(),
                e.high(),
                e.confidence(),
                e.replicates(),
                item.note()));
      }
    }
    CsvFile.write(report.run().folder().file("analyses.csv"), header, rows);
  }

  /** One row a trial; the first column names the form of the file. */
  private static void csv(RunRecord run) {
    TreeSet<String> factors = new TreeSet<>();
    run.finished().forEach(trial -> factors.addAll(trial.levels().keySet()));
    List<String> header = new ArrayList<>(List.of("schema", "trial", "block", "attempt", "job"));
    header.addAll(factors);
    header.addAll(
        List.of(
            "outcome",
            "throughput",
            "cpuMicrosPerRecord",
            "records",
            "calls",
            "failedCalls",
            "seconds",
            "settled",
            "disturbed",
            "counts"));
    Set<TrialRecord> counting = Collections.newSetFromMap(new IdentityHashMap<>());
    counting.addAll(run.counting());
    List<List<Object>> rows = new ArrayList<>();
    for (TrialRecord trial : run.finished()) {
      rows.add(row(trial, factors, counting.contains(trial)));
    }
    CsvFile.write(run.folder().file("results.csv"), header, rows);
  }

  private static List<Object> row(TrialRecord trial, Set<String> factors, boolean counts) {
    List<Object> row =
        new ArrayList<>(
            List.of(SCHEMA, trial.id(), trial.block() + 1, trial.attempt(), trial.job().name()));
    factors.forEach(factor -> row.add(trial.levels().getOrDefault(factor, "")));
    row.add(trial.outcome().name());
    row.add(trial.throughput().map(String::valueOf).orElse(""));
    row.add(trial.value(Metric.CPU).map(String::valueOf).orElse(""));
    row.addAll(
        List.of(
            trial.counts().records(),
            trial.counts().calls(),
            trial.counts().failedCalls(),
            trial.counts().seconds(),
            trial.timeline().warmUp().settled(),
            trial.disturbed(),
            counts));
    return row;
  }
}
