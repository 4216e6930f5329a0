package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.FrameCategory.Remedy;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunChecksTest {
  private static final Remedy REMEDY =
      new Remedy(0.25, "form", List.of("object"), "ready", "a/page");
  private static final Catalogue GRID =
      Catalogue.of(
          List.of(
              MadeUpExperiment.grid(
                  "one",
                  List.of(
                      SettingKey.choice("form", Scope.LOAD, "ready", "object")
                          .meaning("Form of a value.")
                          .description()),
                  List.of(
                      PathDescription.write("put", new Guarantee(true, true, true, true), "Put.")
                          .asPlainest(),
                      PathDescription.write(
                          "put-new", new Guarantee(false, true, true, true), "Put new keys.")),
                  List.of(),
                  List.of(new FrameCategory("marshalling", "a/binary/", Optional.of(REMEDY))))));

  private static final String FILE =
      MadeUpRun.file(
          "checked",
          "driver: one, nodes: 2",
          "record: stock-order, form: object",
          "factors: {path: [put, put-new]}\nblocks: 1\nanalyses: [ranking]\n");

  @TempDir Path runs;

  private RunRecord run(String file, String stacksOfClients) throws IOException {
    RunFolder folder =
        MadeUpRun.of(ExperimentReader.read(file, "p.yaml", Path.of(""), GRID), GRID)
            .metrics(
                (trial, metrics) -> {
                  metrics.put(
                      Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU, Metric.lowerIsBetter(60, "µs"));
                  metrics.put(Metric.DEMAND_OF_CLIENTS + "jit", Metric.neutral(10, "µs"));
                  metrics.put(Metric.DISTINCT_KEYS, Metric.neutral(1_000, "keys"));
                })
            .write(Files.createTempDirectory(runs, "run"), trial -> 1_000);
    if (!stacksOfClients.isEmpty()) {
      MadeUpRun.profile(folder, Map.of("agent-0", stacksOfClients));
    }
    return RunRecord.load(folder);
  }

  private static List<Diagnosis> found(HealthReport report, String check) {
    return report.diagnoses().stream().filter(d -> d.check().equals(check)).toList();
  }

  @Test
  void workThatASettingCausesIsAProblemFromItsShareOn() throws IOException {
    RunRecord run = run(FILE, "a;a/binary/Writer.write 400\na;b/Other.work 600\n");
    HealthReport report = RunChecks.make(run).orElseThrow();
    assertThat(found(report, "marshalling")).hasSize(2);
    Diagnosis first =
        found(report, "marshalling").stream()
            .filter(each -> Value.name("put").equals(each.values().get("treatment")))
            .findFirst()
            .orElseThrow();
    assertThat(first.id()).isEqualTo("doctor.marshalling");
    assertThat(first.values()).containsEntry("role", Value.name(CpuProfile.CLIENTS));
    assertThat(first.severity()).isEqualTo(Severity.PROBLEM);
    // 40 % of the 50 µs that compilers leave.
    assertThat(first.values()).containsEntry("cost", Value.micros(20));
    assertThat(first.share()).isEqualTo(0.4);
    assertThat(first.change()).containsExactly(new Change("form", "object", "ready"));
    assertThat(first.comparison().changed()).isEqualTo(Map.of("form", "ready"));
    assertThat(RunReport.of(run).findings())
        .anyMatch(finding -> finding.category().equals("doctor"));
  }

  @Test
  void aSmallShareOrAnotherSettingIsHealthy() throws IOException {
    HealthReport small =
        RunChecks.make(run(FILE, "a;a/binary/Writer.write 240\na;b/Other.work 760\n"))
            .orElseThrow();
    assertThat(found(small, "marshalling")).isEmpty();
    assertThat(small.healthy()).contains("marshalling");
    RunRecord ready =
        run(
            FILE.replace("form: object", "form: ready"),
            "a;a/binary/Writer.write 600\na;b/Other.work 400\n");
    assertThat(found(RunChecks.make(ready).orElseThrow(), "marshalling")).isEmpty();
    assertThat(new Diagnoses().always(ready)).isFalse();
  }

  @Test
  void withoutProfilesThereIsNoReport() throws IOException {
    assertThat(RunChecks.make(run(FILE, ""))).isEmpty();
  }
}
