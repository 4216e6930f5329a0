package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Artefact;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuBreakdownTest {
  private static final Guarantee ALL = new Guarantee(true, true, true, true);
  private static final Guarantee NEW_ALONE = new Guarantee(false, true, true, true);
  private static final Catalogue GRID =
      Catalogue.of(
          List.of(
              MadeUpExperiment.grid(
                  "one",
                  List.of(),
                  List.of(
                      PathDescription.write("put", ALL, "Put.").asPlainest(),
                      PathDescription.write("put-all", ALL, "Put all."),
                      PathDescription.write("put-new", NEW_ALONE, "Put new keys.")),
                  List.of(),
                  List.of(new FrameCategory("network threads", "a/nio/")))));

  private static final String FILE =
      MadeUpRun.file(
          "parts",
          "driver: one, nodes: 2",
          "record: stock-order",
          "factors: {path: [put, put-all]}\nblocks: 1\nanalyses: [ranking, cpu-breakdown]\n");

  private static final Map<String, Double> COSTS =
      Map.of("put", 1.0, "put-all", 0.1, "put-new", 0.05);

  @TempDir Path runs;

  /** A put costs its servers 100 µs, of which compilers 20; a record of put-all a tenth. */
  private RunRecord run(String stacks) throws IOException {
    return run(stacks, "");
  }

  private RunRecord run(String stacks, String ofClients) throws IOException {
    return run(FILE, stacks, ofClients);
  }

  /** Every further block costs a tenth more. */
  private RunRecord run(String experiment, String stacks, String ofClients) throws IOException {
    RunFolder folder =
        MadeUpRun.of(ExperimentReader.read(experiment, "p.yaml", Path.of(""), GRID), GRID)
            .metrics(
                (trial, metrics) -> {
                  double cost = COSTS.get(trial.path());
                  cost *= 1 + 0.1 * trial.block();
                  String role = Metric.DEMAND_OF_SERVERS;
                  metrics.put(role + Metric.DEMAND_CPU, Metric.lowerIsBetter(100 * cost, "µs"));
                  if (!ofClients.isEmpty()) {
                    metrics.put(
                        Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU,
                        Metric.lowerIsBetter(50 * cost, "µs"));
                    metrics.put(
                        Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_MESSAGES_OUT,
                        Metric.neutral(0, "calls"));
                    metrics.put(Metric.CPU, Metric.lowerIsBetter(150 * cost, "µs"));
                  }
                  metrics.put(role + "system", Metric.neutral(0, "µs"));
                  metrics.put(role + "jit", Metric.neutral(20 * cost, "µs"));
                  metrics.put(role + "gc", Metric.neutral(0, "µs"));
                  metrics.put(role + Metric.DEMAND_MESSAGES_OUT, Metric.neutral(2 * cost, "calls"));
                })
            .noise(0)
            .write(runs, trial -> 1_000 / COSTS.get(trial.path()) / (1 + 0.1 * trial.block()));
    Files.writeString(folder.file("trials/node-0-cpu.collapsed"), stacks);
    Files.writeString(folder.file("trials/agent-0-cpu.collapsed"), ofClients);
    StringBuilder profiles = new StringBuilder();
    for (TrialRecord trial : folder.trials()) {
      profiles.append(line(trial));
    }
    folder.writeText("profiles.jsonl", profiles.toString());
    return RunRecord.load(folder);
  }

  private static String line(TrialRecord trial) throws JsonProcessingException {
    List<Artefact> stacks =
        List.of(
            new Artefact("collapsed-stacks", "node-0", "trials/node-0-cpu.collapsed"),
            new Artefact("collapsed-stacks", "agent-0", "trials/agent-0-cpu.collapsed"));
    return Json.LINES.writeValueAsString(MadeUpRun.with(trial, stacks)) + "\n";
  }

  @Test
  void whatCompilersLeaveOfTheCpuTimeIsDividedAsTheSamplesAre() throws IOException {
    RunRecord run =
        run(
            """
            Thread.run;a/nio/Server.body 90
            Thread.run;b/Unknown.work 30
            clone3;CompileBroker::compiler_thread_loop 500
            """);
    List<List<String>> rows =
        new RunStudies.CpuBreakdown()
            .of(run)
            .get(0)
            .result()
            .sections()
            .get(0)
            .figures()
            .get(0)
            .table()
            .rows();
    assertThat(rows)
        .containsExactlyInAnyOrder(
            List.of(
                "put",
                "servers",
                "100",
                "620",
                "network threads 60 %, JIT compilers 20 %, other 20 %"),
            List.of(
                "put-all",
                "servers",
                "10",
                "620",
                "network threads 60 %, JIT compilers 20 %, other 20 %"));
  }

  @Test
  void profilesOfSeveralBlocksGiveIntervals() throws IOException {
    RunRecord run =
        run(FILE.replace("blocks: 1", "blocks: 3"), "Thread.run;a/nio/Server.body 900\n", "");
    var section = new RunStudies.CpuBreakdown().of(run).get(0).result().sections().get(0);
    // 100, 110 and 120 µs: 110 ± 4.303 · 10 / √3.
    assertThat(section.figures().get(0).table().rows())
        .contains(
            List.of(
                "put",
                "servers",
                "110 [85.2, 135]",
                "2,700",
                "network threads 80 %, JIT compilers 20 %"));
  }

  /** By treatment, where its CPU time differs. */
  private static Map<String, String> reasons(RunRecord run) {
    List<Ranking> rankings = Rankings.of(run);
    return new RatioReasons(run)
        .figure(rankings.get(0)).orElseThrow().table().rows().stream()
            .collect(Collectors.toMap(row -> row.get(0), row -> row.get(row.size() - 1)));
  }

  @Test
  void everyTreatmentIsExplainedByItsOwnCategories() throws IOException {
    RunRecord run = run("a;a/nio/Server.body 150\na;b/Unknown.work 50\n", "a;a/nio/Client 400\n");
    assertThat(reasons(run).values())
        .hasSize(2)
        .allMatch(words -> words.contains("network threads 73 %") && words.contains("13 %"));
  }

  @Test
  void tooFewSamplesOfATreatmentAreNotDivided() throws IOException {
    assertThat(reasons(run("a;a/nio/Server.body 150\n", "a;a/nio/Client 49\n")))
        .containsEntry("put-all", Table.ABSENT);
  }

  @Test
  void aRoleWithFewSamplesCountsAndIsNotDivided() throws IOException {
    RunRecord run = run("a;a/nio/Server.body 600\n", "a;b/Unknown.work 29\n");
    assertThat(
            new RunStudies.CpuBreakdown()
                .of(run)
                .get(0)
                .result()
                .sections()
                .get(0)
                .figures()
                .get(0)
                .table()
                .rows())
        .contains(List.of("put", "clients", "50", "29", "too few samples"));
  }

  @Test
  void tooFewSamplesAreNotDivided() throws IOException {
    assertThat(new RunStudies.CpuBreakdown().of(run("a;a/nio/Server.body 199\n"))).isEmpty();
  }
}
