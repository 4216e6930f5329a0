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
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CPU time by category of work, and the problems that it shows. */
class ProfilesTest {
  private static final Remedy REMEDY =
      new Remedy(0.25, "form", List.of("object"), "ready", "a/page");
  private static final Guarantee ALL = new Guarantee(true, true, true, true);
  private static final Catalogue GRID =
      Catalogue.of(
          List.of(
              MadeUpExperiment.grid(
                  "one",
                  List.of(MadeUpExperiment.choice("form", "Form of a value.", "ready", "object")),
                  List.of(path("put", true), path("put-all", false)),
                  List.of(),
                  List.of(
                      new FrameCategory("network threads", "a/nio/", Optional.empty()),
                      new FrameCategory("marshalling", "a/binary/", Optional.of(REMEDY))))));

  private static PathDescription path(String name, boolean plainest) {
    return new PathDescription(name, Job.WRITE, plainest, "", Optional.of(ALL), List.of());
  }

  private static final String FILE =
      MadeUpRun.file(
          "parts",
          "driver: one, nodes: 2",
          "record: stock-order",
          "factors: {path: [put, put-all]}\nblocks: 1\nanalyses: [ranking, cpu-breakdown]\n");

  private static final Map<String, Double> COSTS = Map.of("put", 1.0, "put-all", 0.1);

  @TempDir Path runs;

  /** A put costs its servers 100 µs, of which compilers 20; a record of put-all a tenth. */
  private RunRecord run(String stacks, String ofClients) {
    return run(FILE, stacks, ofClients);
  }

  private RunRecord run(String experiment, String stacks, String ofClients) {
    RunFolder folder =
        MadeUpRun.of(ExperimentReader.read(experiment, "p.yaml", Path.of(""), GRID), GRID)
            .metrics(
                (trial, metrics) -> {
                  double cost = COSTS.get(trial.path());
                  String role = Metric.DEMAND_OF_SERVERS;
                  metrics.put(role + Metric.DEMAND_CPU, Metric.lowerIsBetter(100 * cost, "µs"));
                  if (!ofClients.isEmpty()) {
                    String clients = Metric.DEMAND_OF_CLIENTS;
                    metrics.put(clients + Metric.DEMAND_CPU, Metric.lowerIsBetter(50 * cost, "µs"));
                    metrics.put(clients + Metric.DEMAND_MESSAGES_OUT, Metric.neutral(0, "calls"));
                    metrics.put(Metric.CPU, Metric.lowerIsBetter(150 * cost, "µs"));
                  }
                  metrics.put(role + "system", Metric.neutral(0, "µs"));
                  metrics.put(role + "jit", Metric.neutral(20 * cost, "µs"));
                  metrics.put(role + "gc", Metric.neutral(0, "µs"));
                  metrics.put(role + Metric.DEMAND_MESSAGES_OUT, Metric.neutral(2 * cost, "calls"));
                })
            .noise(0)
            .write(runs, trial -> 1_000 / COSTS.get(trial.path()));
    MadeUpRun.profile(folder, Map.of("node-0", stacks, "agent-0", ofClients));
    return RunRecord.load(folder);
  }

  @Test
  void whatCompilersLeaveOfTheCpuTimeIsDividedAsTheSamplesAre() {
    RunRecord run =
        run(
            """
            Thread.run;a/nio/Server.body 90
            Thread.run;b/Unknown.work 30
            clone3;CompileBroker::compiler_thread_loop 500
            """,
            "");
    CpuProfile put = CpuProfile.of(run).get(0);
    assertThat(put.label()).isEqualTo("put");
    assertThat(CpuProfile.parts(put.row(), CpuProfile.SERVERS, put.shares(CpuProfile.SERVERS)))
        .isEqualTo(
            Map.of("network threads", 60.0, "other", 20.0, "JIT compilers", 20.0, "GC", 0.0));
  }

  /** By treatment, where its CPU time differs. */
  private static Map<String, String> reasons(RunRecord run) {
    List<Ranking> rankings = Rankings.of(run);
    return new RatioReasons(run)
        .figure(rankings.get(0)).orElseThrow().table().rows().stream()
            .collect(Collectors.toMap(row -> row.get(0), row -> row.get(row.size() - 1)));
  }

  @Test
  void everyTreatmentIsExplainedByItsOwnCategories() {
    RunRecord run = run("a;a/nio/Server.body 150\na;b/Unknown.work 50\n", "a;a/nio/Client 400\n");
    assertThat(reasons(run).values())
        .hasSize(2)
        .allMatch(words -> words.contains("network threads 73 %") && words.contains("13 %"));
  }

  @Test
  void tooFewSamplesOfATreatmentAreNotDivided() {
    assertThat(reasons(run("a;a/nio/Server.body 150\n", "a;a/nio/Client 49\n")))
        .containsEntry("put-all", Table.ABSENT);
  }

  @Test
  void aRoleWithFewSamplesCountsAndIsNotDivided() {
    RunRecord run = run("a;a/nio/Server.body 600\n", "a;b/Unknown.work 29\n");
    assertThat(CpuProfile.of(run))
        .hasSize(2)
        .allMatch(profile -> profile.count(CpuProfile.CLIENTS) == 29)
        .allMatch(profile -> profile.shares(CpuProfile.CLIENTS).isEmpty());
  }

  @Test
  void aSingleTreatmentIsDrawnWhereItWasProfiled() {
    String file = FILE.replace("[put, put-all]", "[put]");
    RunRecord run = run(file, "a;a/nio/Server.body 300\n", "a;a/nio/Client 300\n");
    assertThat(reasons(run)).containsOnlyKeys("put");
  }

  @Test
  void workThatASettingCausesIsAProblemFromItsShareOn() {
    String objects = FILE.replace("stock-order", "stock-order, form: object");
    RunRecord run = run(objects, "", "a;a/binary/Writer.write 400\na;b/Other.work 600\n");
    List<Diagnosis> found = Diagnoses.ofProfiles(run).orElseThrow().diagnoses();
    assertThat(found)
        .hasSize(2)
        .allMatch(each -> each.id().equals("doctor.marshalling"))
        .allMatch(each -> each.severity() == Severity.PROBLEM)
        .allMatch(each -> Value.name(CpuProfile.CLIENTS).equals(each.values().get("role")))
        .allMatch(each -> each.share() == 0.4)
        .allMatch(each -> each.change().equals(List.of(new Change("form", "object", "ready"))))
        .allMatch(each -> each.comparison().changed().equals(Map.of("form", "ready")))
        // 40 % of the 50 µs of a put.
        .anyMatch(each -> Value.micros(20).equals(each.values().get("cost")));
    assertThat(RunReport.of(run).findings())
        .anyMatch(finding -> finding.category().equals("doctor"));
  }

  @ParameterizedTest
  @CsvSource({"object, 240, 760", "ready, 600, 400"})
  void aSmallShareOrAnotherSettingIsHealthy(String form, int marshalling, int others) {
    RunRecord run =
        run(
            FILE.replace("stock-order", "stock-order, form: " + form),
            "",
            "a;a/binary/Writer.write %d\na;b/Other.work %d\n".formatted(marshalling, others));
    HealthReport report = Diagnoses.ofProfiles(run).orElseThrow();
    assertThat(report.diagnoses()).isEmpty();
    assertThat(report.healthy()).containsExactly("marshalling");
    assertThat(MadeUpRun.analysis("diagnoses").always(run)).isFalse();
  }
}
