package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Examination;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosesTest {
  private static final String FILE =
      MadeUpRun.file(
          "examined",
          "driver: rich",
          "record: stock-order, records: 1000, path: put",
          "factors: {nodes: [1, 2]}\nblocks: 2\n");

  @TempDir Path runs;

  private static Diagnosis diagnosis(String check, Severity severity) {
    return new Diagnosis(
        Diagnosis.id(check),
        severity,
        Map.of("id", Value.name(check), "share", Value.share(0.12)),
        0.12,
        List.of(),
        List.of(),
        Needs.SERVERS,
        Comparison.NONE,
        "https://example.org",
        Optional.empty());
  }

  private RunRecord run(Map<String, List<Diagnosis>> byNodes) {
    RunFolder folder = MadeUpRun.read(FILE).write(runs, trial -> 1000);
    folder.write(
        RunFolder.EXAMINATIONS,
        byNodes.entrySet().stream()
            .map(
                each ->
                    new Examination(
                        Map.of("nodes", each.getKey()),
                        new HealthReport(
                            "a grid",
                            5,
                            1,
                            List.of(),
                            each.getValue(),
                            List.of("memory", "pools"),
                            Map.of(),
                            List.of())))
            .toList());
    return RunRecord.load(folder);
  }

  @Test
  void atMostThreeProblemsAreFindingsOfTheRun() {
    List<Diagnosis> many =
        List.of(
            diagnosis("one", Severity.PROBLEM),
            diagnosis("undescribed", Severity.PROBLEM),
            diagnosis("three", Severity.PROBLEM),
            diagnosis("four", Severity.PROBLEM),
            diagnosis("five", Severity.RISK));
    RunReport report =
        RunReport.of(run(new TreeMap<>(Map.of("1", many, "2", List.of(many.get(1))))));
    List<Finding> found =
        report.findings().stream().filter(each -> each.category().equals("doctor")).toList();
    assertThat(found)
        .extracting(Finding::id)
        .containsExactly("doctor.undescribed", "doctor.undescribed", "doctor.undescribed");
    assertThat(found)
        .anyMatch(each -> Value.name("nodes 1, nodes 2").equals(each.values().get("part")));
  }

  @Test
  void risksAndAdviceAreInTheTableAlone() {
    RunRecord run =
        run(
            Map.of(
                "1", List.of(diagnosis("one", Severity.RISK), diagnosis("two", Severity.ADVICE))));
    RunAnalysis analysis = MadeUpRun.analysis("diagnoses").of(run).get(0);
    assertThat(analysis.findings()).isEmpty();
    assertThat(FoundBy.table(analysis).rows()).hasSize(2);
  }
}
