package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.experiment.yaml.ExperimentReader;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.Rankings;
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
  private RunRecord run(String stacks, String ofClients) {
    return run(FILE, stacks, ofClients);
  }

  /** Every further block costs a tenth more. */
  private RunRecord run(String experiment, String stacks, String ofClients) {
    RunFolder folder =
        MadeUpRun.of(ExperimentReader.read(experiment, "p.yaml", Path.of(""), GRID), GRID)
            .metrics(
                (trial, metrics) -> {
                  double cost = COSTS.get(trial.path());
                  cost *= 1 + 0.1 * trial.block();
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
            .write(runs, trial -> 1_000 / COSTS.get(trial.path()) / (1 + 0.1 * trial.block()));
    MadeUpRun.profile(folder, Map.of("node-0", stacks, "agent-0", ofClients));
    return RunRecord.load(folder);
  }

  private static List<List<String>> rows(RunRecord run) {
    return FoundBy.table(new RunStudies.CpuBreakdown().of(run).get(0)).rows();
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
    String parts = "network threads 60 %, JIT compilers 20 %, other 20 %";
    assertThat(rows(run))
        .containsExactlyInAnyOrder(
            List.of("put", "servers", "100", "620", parts),
            List.of("put-all", "servers", "10", "620", parts));
  }

  @Test
  void profilesOfSeveralBlocksGiveIntervals() {
    RunRecord run =
        run(FILE.replace("blocks: 1", "blocks: 3"), "Thread.run;a/nio/Server.body 900\n", "");
    // 100, 110 and 120 µs: 110 ± 4.303 · 10 / √3.
    String parts = "network threads 80 %, JIT compilers 20 %";
    assertThat(rows(run)).contains(List.of("put", "servers", "110 [85.2, 135]", "2700", parts));
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
    assertThat(rows(run)).contains(List.of("put", "clients", "50", "29", "too few samples"));
  }

  @Test
  void tooFewSamplesAreNotDivided() {
    assertThat(new RunStudies.CpuBreakdown().of(run("a;a/nio/Server.body 199\n", ""))).isEmpty();
  }
}
