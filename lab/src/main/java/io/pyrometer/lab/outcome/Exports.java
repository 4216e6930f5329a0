package io.pyrometer.lab.outcome;

import io.pyrometer.analysis.Finding;
import io.pyrometer.protocol.TrialResult;
import io.pyrometer.report.CsvFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A run's figures for other tools: {@code results.csv}, {@code results.json}. */
final class Exports {
  private static final int SCHEMA = 1;

  private Exports() {}

  /** What {@code results.json} holds. */
  record Results(
      int schema, String name, String question, List<Finding> findings, List<Ranking> rankings) {}

  static void write(RunRecord run, List<Ranking> rankings, List<Finding> findings) {
    run.folder()
        .write(
            "results.json",
            new Results(SCHEMA, run.plan().name(), run.plan().question(), findings, rankings));
    csv(run);
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
    List<TrialResult> counting = run.counting();
    List<List<Object>> rows = new ArrayList<>();
    for (TrialResult trial : run.finished()) {
      rows.add(row(trial, factors, counting.contains(trial)));
    }
    CsvFile.write(run.folder().file("results.csv"), header, rows);
  }

  private static List<Object> row(TrialResult trial, Set<String> factors, boolean counts) {
    List<Object> row =
        new ArrayList<>(
            List.of(SCHEMA, trial.trial(), trial.block() + 1, trial.attempt(), trial.job().name()));
    factors.forEach(factor -> row.add(trial.levels().getOrDefault(factor, "")));
    row.add(trial.outcome().name());
    row.add(trial.throughput().map(String::valueOf).orElse(""));
    row.add(trial.cpuMicrosPerRecord().map(String::valueOf).orElse(""));
    row.addAll(
        List.of(
            trial.records(),
            trial.calls(),
            trial.failedCalls(),
            trial.measuredSeconds(),
            trial.warmUp().settled(),
            io.pyrometer.lab.run.Repeats.disturbed(trial),
            counts));
    return row;
  }
}
