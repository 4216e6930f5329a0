package io.pyrometer.results.page;

import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.report.CsvFile;
import io.pyrometer.report.Finding;
import io.pyrometer.report.HtmlReport;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RunAnalysis;
import io.pyrometer.results.ranking.Answer;
import io.pyrometer.results.ranking.Ranking;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Function;

/** A run's report as files: the page, and {@code results.csv} and {@code results.json}. */
public final class ResultFiles {
  /** 2 had no answer, and findings without ids; 1 one latency of all operations in a ranking. */
  private static final int JSON_SCHEMA = 4;

  /** 1 had neither metrics by name nor the reason why an attempt does not count. */
  private static final int CSV_SCHEMA = 2;

  private ResultFiles() {}

  /**
   * Reads a folder, and writes {@code report.html}, {@code results.csv} and {@code results.json}
   * into it.
   *
   * @throws RunException if it cannot be read or written
   */
  public static RunReport write(RunFolder folder) {
    RunReport report = RunReport.of(RunRecord.load(folder));
    try {
      ForkJoinTask<?> figures =
          ForkJoinPool.commonPool()
              .submit(
                  () -> {
                    folder.write("results.json", results(report));
                    csv(report.run());
                  });
      HtmlReport.write(RunPage.of(report), report.html());
      figures.join();
      return report;
    } catch (UncheckedIOException failure) {
      throw RunException.of(
          "The report could not be written to %s (%s); make room on the disk, or the folder writable.",
          folder.path(), failure.getCause(), failure);
    }
  }

  /** The fields of {@code results.json}. */
  public record Results(
      int schema,
      String name,
      String question,
      Answer answer,
      List<Finding> findings,
      List<Ranking> rankings,
      List<Analysed> analyses) {}

  /** An analysis without its charts. */
  public record Analysed(
      String analysis, String of, String response, String unit, List<Finding> findings) {

    static Analysed of(RunAnalysis a) {
      return new Analysed(a.analysis(), a.of(), a.response(), a.unit(), a.result().findings());
    }
  }

  /** Content of {@code results.json}, to be written as JSON. */
  public static Results results(RunReport report) {
    return new Results(
        JSON_SCHEMA,
        report.run().plan().name(),
        report.run().plan().question(),
        report.answer(),
        report.findings(),
        report.rankings(),
        report.analyses().stream().map(Analysed::of).toList());
  }

  /**
   * One row an attempt at a trial, one column a metric, named as in the journal; the first column
   * is the version of the file's form.
   */
  private static void csv(RunRecord run) {
    Function<TrialRecord, Optional<String>> whyNot = run.whyNot();
    Map<String, Function<TrialRecord, Object>> columns = new LinkedHashMap<>();
    columns.put("schema", trial -> CSV_SCHEMA);
    columns.put("trial", TrialRecord::id);
    columns.put("block", trial -> trial.block() + 1);
    columns.put("attempt", TrialRecord::attempt);
    columns.put("job", trial -> trial.job().id().toUpperCase(Locale.ROOT));
    run.finished().stream()
        .flatMap(trial -> trial.levels().keySet().stream())
        .distinct()
        .sorted()
        .forEach(name -> columns.put(name, trial -> trial.levels().getOrDefault(name, "")));
    columns.put("outcome", trial -> trial.outcome().name());
    columns.put("counts", trial -> whyNot.apply(trial).isEmpty());
    columns.put("whyNot", trial -> whyNot.apply(trial).orElse(""));
    columns.put("disturbed", TrialRecord::disturbed);
    columns.put("settled", trial -> trial.timeline().warmUp().settled());
    columns.put("start", t -> t.identity().start().map(s -> "" + s.number()).orElse(""));
    columns.put("position", t -> t.identity().start().map(s -> "" + s.position()).orElse(""));
    columns.put("records", trial -> trial.counts().records());
    columns.put("calls", trial -> trial.counts().calls());
    columns.put("failedCalls", trial -> trial.counts().failedCalls());
    columns.put("seconds", trial -> trial.counts().seconds());
    run.finished().stream()
        .flatMap(trial -> trial.metrics().keySet().stream())
        .distinct()
        .sorted()
        .forEach(name -> columns.put(name, t -> t.value(name).map(String::valueOf).orElse("")));
    CsvFile.write(
        run.folder().file("results.csv"),
        List.copyOf(columns.keySet()),
        run.finished().stream()
            .map(row -> columns.values().stream().map(column -> column.apply(row)).toList())
            .toList());
  }
}
