package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.CsvFile;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A run's figures as files for other tools: {@code results.csv}, {@code results.json}, {@code
 * analyses.csv}.
 */
final class ResultFiles {
  private static final int SCHEMA = 1;

  /** 1 had one latency of all operations in a ranking. */
  private static final int JSON_SCHEMA = 2;

  /** 1 had neither metrics by name nor the reason why an attempt does not count. */
  private static final int CSV_SCHEMA = 2;

  private ResultFiles() {}

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
      List<StudyResult.Item> estimates) {

    static Analysed of(RunAnalysis a) {
      return new Analysed(
          a.analysis(), a.of(), a.response(), a.unit(), a.result().findings(), a.result().items());
    }
  }

  static Results results(RunReport report) {
    return new Results(
        JSON_SCHEMA,
        report.run().plan().name(),
        report.run().plan().question(),
        report.findings(),
        report.rankings(),
        report.analyses().stream().map(Analysed::of).toList());
  }

  static void write(RunReport report) {
    RunRecord run = report.run();
    run.folder().write("results.json", results(report));
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
      for (StudyResult.Item item : a.result().items()) {
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

  /**
   * One row an attempt at a trial, one column a metric, named as in the journal; the first column
   * is the version of the file's form.
   */
  private static void csv(RunRecord run) {
    TreeSet<String> factors = new TreeSet<>();
    TreeSet<String> metrics = new TreeSet<>();
    run.finished().forEach(trial -> factors.addAll(trial.levels().keySet()));
    run.finished().forEach(trial -> metrics.addAll(trial.metrics().keySet()));
    List<String> header = new ArrayList<>(List.of("schema", "trial", "block", "attempt", "job"));
    header.addAll(factors);
    header.addAll(
        List.of(
            "outcome",
            "counts",
            "whyNot",
            "disturbed",
            "settled",
            "records",
            "calls",
            "failedCalls",
            "seconds"));
    header.addAll(metrics);
    Map<String, TrialRecord> counting = new HashMap<>();
    run.counting().forEach(trial -> counting.put(trial.id(), trial));
    List<List<Object>> rows = new ArrayList<>();
    for (TrialRecord trial : run.finished()) {
      rows.add(row(trial, counting.getOrDefault(trial.id(), trial), factors, metrics));
    }
    CsvFile.write(run.folder().file("results.csv"), header, rows);
  }

  private static List<Object> row(
      TrialRecord trial, TrialRecord counting, Set<String> factors, Set<String> metrics) {
    boolean counts = trial.attempt() == counting.attempt();
    List<Object> row =
        new ArrayList<>(
            List.of(
                CSV_SCHEMA,
                trial.id(),
                trial.block() + 1,
                trial.attempt(),
                trial.job().id().toUpperCase(Locale.ROOT)));
    factors.forEach(factor -> row.add(trial.levels().getOrDefault(factor, "")));
    row.addAll(
        List.of(
            trial.outcome().name(),
            counts,
            counts ? "" : Attempts.whyNot(trial, counting),
            trial.disturbed(),
            trial.timeline().warmUp().settled(),
            trial.counts().records(),
            trial.counts().calls(),
            trial.counts().failedCalls(),
            trial.counts().seconds()));
    metrics.forEach(metric -> row.add(trial.value(metric).map(String::valueOf).orElse("")));
    return row;
  }
}
