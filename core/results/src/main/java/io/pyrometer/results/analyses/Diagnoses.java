package io.pyrometer.results.analyses;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Examination;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.analyses.RunAnalysis.NoResult;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Diagnoses of the run's grids under brief trials, and of the run's trials themselves. The three
 * problems that weigh most are findings of the run; risks and advice are in its table.
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
            .anyMatch(Diagnoses::isProblem);
  }

  private static boolean isProblem(Diagnosis found) {
    return found.costsNow() && found.severity() != Severity.RISK && found.explainedBy().isEmpty();
  }

  private static List<Examination> ofTrials(RunRecord run) {
    return RunChecks.make(run).stream()
        .map(report -> new Examination(Map.of(), report))
        .filter(each -> !each.report().diagnoses().isEmpty())
        .toList();
  }

  /** A diagnosis and the grids that it holds for. */
  private record Row(Diagnosis found, Set<String> grids) {
    String where() {
      return String.join(", ", grids);
    }
  }

  @Override
  StudyResult analyze(RunRecord run) {
    List<Examination> examinations = run.folder().examinations();
    List<Examination> all = new ArrayList<>(examinations);
    all.addAll(ofTrials(run));
    if (all.isEmpty()) {
      throw new NoResult("diagnoses.no-trial");
    }
    List<Row> rows = rows(all);
    List<Finding> findings =
        rows.stream()
            .filter(row -> isProblem(row.found()))
            .limit(FINDINGS)
            .map(Diagnoses::finding)
            .toList();
    return StudyResult.of(findings, section(examinations, rows));
  }

  /** Rows of the table, where the same diagnosis of several grids is one row. */
  private static List<Row> rows(List<Examination> examinations) {
    Map<List<Object>, Row> rows = new LinkedHashMap<>();
    for (Examination examination : examinations) {
      for (Diagnosis found : examination.report().diagnoses()) {
        Row row =
            rows.computeIfAbsent(
                List.of(found.id(), names(found)), same -> new Row(found, new LinkedHashSet<>()));
        row.grids().add(Labels.of(examination.levels(), ""));
      }
    }
    rows.values().forEach(row -> row.grids().remove(""));
    return rows.values().stream()
        .sorted(Comparator.comparing(Row::found, Diagnosis.MOST_URGENT))
        .toList();
  }

  /** The values that tell apart diagnoses of one id, such as a table; measured ones vary. */
  private static Set<Value> names(Diagnosis found) {
    return found.values().values().stream()
        .filter(value -> value.type() == Value.Type.NAME)
        .collect(Collectors.toSet());
  }

  private static Finding finding(Row row) {
    Diagnosis found = row.found();
    Finding finding =
        Messages.bundled().template(found.id()).isPresent()
            ? new Finding(found.id(), Finding.Severity.NOTICE, found.values(), Map.of())
            : Finding.notice("doctor.undescribed").with("id", found.id());
    return row.where().isEmpty() ? finding : finding.under(row.where());
  }

  private static Section section(List<Examination> examinations, List<Row> rows) {
    int healthy =
        examinations.stream().mapToInt(each -> each.report().healthy().size()).min().orElse(0);
    MetricTable<Row> table =
        new MetricTable<Row>("not measured")
            .text("severity", row -> row.found().severity().toString())
            .text("check", row -> row.found().check())
            .text("grid", Row::where)
            .text("finding", row -> row.found().sentence())
            .number(
                "cost [%]", row -> Optional.of(100 * row.found().share()).filter(cost -> cost > 0))
            .text("action", row -> row.found().remedy().orElse(""))
            .text("needs", row -> row.found().needs().phrase());
    return new Section(
        "diagnoses",
        "Diagnoses of the grid",
        Messages.bundled()
            .text(
                "doctor-section.%s.phrase".formatted(examinations.isEmpty() ? "trials" : "grids"),
                Map.of("healthy", Value.count(healthy)))
            .orElseThrow(),
        rows.isEmpty() ? List.of() : List.of(table.figure("One row per diagnosis", rows)));
  }
}
