package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Figures;
import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.Examination;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.FrameCategory.Remedy;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Section;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.study.StudyResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Diagnoses of the run's grids under brief trials, and of the run's trials themselves. The three
 * problems that weigh most are findings of the run; risks and advice are in its table.
 */
public final class Diagnoses implements Analysis {
  private static final int FINDINGS = 3;

  @Override
  public String id() {
    return "diagnoses";
  }

  @Override
  public List<RunAnalysis> of(RunRecord run) {
    return List.of(RunAnalysis.whole(id(), "diagnoses", "", () -> analyze(run)));
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
    return ofProfiles(run).stream()
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

  private static StudyResult analyze(RunRecord run) {
    List<Examination> examinations = run.folder().examinations();
    List<Examination> all = new ArrayList<>(examinations);
    all.addAll(ofTrials(run));
    List<Row> rows = rows(RunAnalysis.require("diagnoses.no-trial", all));
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

  /**
   * Checks of what the profiles of a run show and no look at its grid does: CPU time that a setting
   * of the experiment causes; empty where the run has no profiles that any of them looks at.
   */
  public static Optional<HealthReport> ofProfiles(RunRecord run) {
    List<Diagnosis> diagnoses = new ArrayList<>();
    Set<String> healthy = new TreeSet<>();
    for (CpuProfile profile : CpuProfile.of(run)) {
      Settings settings = profile.row().trial().settings();
      for (FrameCategory category : run.plan().driver(settings).frameCategories()) {
        if (category.remedy().isPresent()) {
          healthy.add(category.name());
          diagnoses.addAll(judge(profile, category.name(), category.remedy().get()));
        }
      }
    }
    diagnoses.sort(Diagnosis.MOST_URGENT);
    diagnoses.forEach(found -> healthy.remove(found.check()));
    String subject = Figures.count(run.counting().size(), "trial") + " of the run";
    return diagnoses.isEmpty() && healthy.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new HealthReport(
                subject, 0, 0, List.of(), diagnoses, List.copyOf(healthy), Map.of(), List.of()));
  }

  private static List<Diagnosis> judge(CpuProfile profile, String category, Remedy remedy) {
    Object value = profile.row().trial().settings().values().get(remedy.setting());
    return CpuProfile.ROLES.stream()
        .filter(role -> remedy.causing().contains(String.valueOf(value)))
        .filter(role -> profile.shares(role).getOrDefault(category, 0.0) >= remedy.from())
        .map(role -> diagnosis(profile, role, category, remedy, String.valueOf(value)))
        .toList();
  }

  private static Diagnosis diagnosis(
      CpuProfile profile, String role, String category, Remedy remedy, String value) {
    Map<String, Double> shares = profile.shares(role);
    double share = shares.getOrDefault(category, 0.0);
    double micros = CpuProfile.parts(profile.row(), role, shares).getOrDefault(category, 0.0);
    String where = role + ", " + profile.label();
    return new Diagnosis(
        Diagnosis.id(category),
        Severity.PROBLEM,
        Map.of(
            "role", Value.name(role),
            "treatment", Value.name(profile.label()),
            "share", Value.share(share),
            "cost", Value.micros(micros)),
        share,
        List.of(
            new Evidence(category + " [µs/record]", Value.shorten(micros), where),
            new Evidence("share of the CPU time", Value.share(share).text(), where),
            new Evidence("samples", "" + profile.count(role), where),
            new Evidence(remedy.setting(), value, profile.label())),
        List.of(new Change(remedy.setting(), value, remedy.instead())),
        Needs.CLIENTS,
        new Comparison(Map.of(remedy.setting(), value), Map.of(remedy.setting(), remedy.instead())),
        remedy.source(),
        Optional.empty());
  }
}
