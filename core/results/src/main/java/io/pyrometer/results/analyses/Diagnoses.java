package io.pyrometer.results.analyses;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Examination;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the driver's checks found in the run's grids while brief trials loaded them, and what the
 * run's trials show themselves. The three problems that weigh most are findings of the run; risks
 * and advice are in its table.
 */
public final class Diagnoses extends WholeRunAnalysis {
  private static final int FINDINGS = 3;

  public Diagnoses() {
    super("diagnoses", "diagnoses", "");
  }

  @Override
  public boolean needsExamination() {
    return true;
  }

  @Override
  public boolean always(RunRecord run) {
    return !run.folder().examinations().isEmpty()
        || ofTrials(run).stream()
            .flatMap(each -> each.report().diagnoses().stream())
            .anyMatch(found -> found.severity() == Severity.PROBLEM);
  }

  private static List<Examination> ofTrials(RunRecord run) {
    return RunChecks.make(run).stream()
        .map(report -> new Examination(Map.of(), report))
        .filter(each -> !each.report().diagnoses().isEmpty())
        .toList();
  }

  /** A diagnosis and the levels of the grids that it holds for. */
  private record Row(Diagnosis found, List<Map<String, String>> grids) {

    String where() {
      return grids.stream().map(levels -> Labels.of(levels, "")).collect(Collectors.joining(", "));
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<Examination> examinations = run.folder().examinations();
    List<Examination> all = new ArrayList<>(examinations);
    all.addAll(ofTrials(run));
    if (all.isEmpty()) {
      throw new BadDataException(
          "The run's grids were not examined: that needs load trials of a driver that has checks.");
    }
    List<Row> rows = rows(all);
    List<Finding> findings =
        rows.stream()
            .filter(row -> row.found().severity() == Severity.PROBLEM)
            .limit(FINDINGS)
            .map(Diagnoses::finding)
            .toList();
    return StudyResult.of(findings, section(examinations, rows));
  }

  /** The same diagnosis of several grids is one row. */
  private static List<Row> rows(List<Examination> examinations) {
    List<Row> rows = new ArrayList<>();
    for (Examination examination : examinations) {
      for (Diagnosis found : examination.report().diagnoses()) {
        Row row =
            rows.stream()
                .filter(each -> each.found().check().equals(found.check()))
                .filter(each -> each.found().action().equals(found.action()))
                .findFirst()
                .orElseGet(
                    () -> {
                      Row first = new Row(found, new ArrayList<>());
                      rows.add(first);
                      return first;
                    });
        if (!examination.levels().isEmpty()) {
          row.grids().add(examination.levels());
        }
      }
    }
    rows.sort(Comparator.comparing(Row::found, Diagnosis.MOST_URGENT));
    return rows;
  }

  private static Finding finding(Row row) {
    Diagnosis found = row.found();
    String where = row.where();
    return Finding.notice(
        Finding.Kind.DIAGNOSIS,
        "%s%s %s %s"
            .formatted(
                where.isEmpty() ? "" : where + ": ",
                where.isEmpty() ? found.symptom() : Finding.afterColon(found.symptom()),
                found.impact().map(measured -> "Measured: " + measured + ".").orElse(""),
                found.cause())
            .replaceAll(" +", " "),
        found.action());
  }

  private static Section section(List<Examination> examinations, List<Row> rows) {
    int healthy =
        examinations.stream().mapToInt(each -> each.report().healthy().size()).min().orElse(0);
    Table table =
        Table.ofWords(
            List.of("severity", "check", "grid", "symptom", "measured", "action", "needs"),
            rows.stream().map(Diagnoses::cells).toList());
    return new Section(
        "diagnoses",
        "Diagnoses of the grid",
        examinations.isEmpty()
            ? "Checks of the run's trials and profiles."
            : "Checks of the grid's configuration and metrics while each treatment loaded it once more, briefly, and of the run's trials and profiles. %d of the grid's found nothing."
                .formatted(healthy),
        rows.isEmpty() ? List.of() : List.of(Figure.of("One row per diagnosis", table)));
  }

  private static List<String> cells(Row row) {
    Diagnosis found = row.found();
    return List.of(
        found.severity().toString(),
        found.check(),
        row.where(),
        found.symptom(),
        found.impact().orElse(""),
        found.action(),
        found.needs().words());
  }
}
