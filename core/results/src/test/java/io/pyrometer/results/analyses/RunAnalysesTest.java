package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Section;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.ResultFiles;
import io.pyrometer.results.page.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run's report works out besides the ranking. */
class RunAnalysesTest {
  private static final String LADDER =
      MadeUpRun.file(
          "ladder",
          """
          factors:
            path: [put, get]
            nodes:
              - {label: one, set: {nodes: 1, threads: 2}}
              - {label: two, set: {nodes: 2, threads: 4}}
              - {label: three, set: {nodes: 3, threads: 6}}
              - {label: four, set: {nodes: 4, threads: 8}}
              - {label: six, set: {nodes: 6, threads: 12}}
              - {label: eight, set: {nodes: 8, threads: 16}}
              - {label: twelve, set: {nodes: 12, threads: 24}}
          blocks: 3
          analyses: [scalability]
          """);

  private static final String FACTORS =
      MadeUpRun.file(
          "screen",
          "driver: rich",
          "record: stock-order, records: 1000, path: put",
          """
          factors:
            nodes: [2, 4]
            region: [512m, 2048m]
            cache-mode: [REPLICATED, PARTITIONED]
            persistence: [true, false]
            threads: [1, 2]
          design: {fraction: [E=ABCD]}
          blocks: 3
          analyses: [factors, ranking]
          """);

  @TempDir Path runs;

  private RunReport report(Experiment experiment, ToDoubleFunction<TrialSpec> throughput) {
    RunFolder folder = MadeUpRun.of(experiment, Fixture.CATALOGUE).write(runs, throughput);
    return ResultFiles.write(folder);
  }

  private static double law(TrialSpec trial) {
    double n = trial.settings().number("nodes");
    double lambda = trial.path().equals("put") ? 10_000 : 20_000;
    return lambda * n / (1 + 0.05 * (n - 1) + 0.02 * n * (n - 1));
  }

  private static double screened(TrialSpec trial) {
    double nodes = trial.settings().number("nodes") == 4 ? 1.5 : 1;
    double persistence = trial.settings().flag("persistence") ? 0.5 : 1;
    return 10_000 * nodes * persistence * (1 + trial.block());
  }

  /** An estimate of the first finding with the id. */
  private static Estimate estimate(RunAnalysis analysis, String id, String name) {
    return FoundBy.only(analysis.result().findings(), id).estimates().get(name);
  }

  @Test
  void eachPathHasItsLawOnTheTotalThroughputOverTheNumberOfNodes() {
    RunReport report = report(Fixture.read(LADDER), RunAnalysesTest::law);
    assertThat(report.analyses()).extracting(RunAnalysis::of).containsExactly("put", "get");
    for (RunAnalysis analysis : report.analyses()) {
      assertThat(estimate(analysis, "scalability.law", "σ").contains(0.05)).isTrue();
      assertThat(estimate(analysis, "scalability.law", "κ").contains(0.02)).isTrue();
      double peak = Math.sqrt(0.95 / 0.02);
      assertThat(estimate(analysis, "scalability.peak", "N*").contains(peak)).isTrue();
      assertThat(FoundBy.ids(analysis)).contains("scalability.held-out");
      assertThat(analysis.result().sections()).extracting(Section::id).contains("beyond");
    }
    assertThat(report.findings().get(0).id()).isEqualTo("scalability.rise-and-fall");
  }

  @Test
  void theAnswerHoldsTheConclusionOfEachPartAndTheirSectionsTheRest() {
    String factors = "path: [put, get]\n  region: [512m, 2048m]";
    RunReport report =
        report(Fixture.read(LADDER.replace("path: [put, get]", factors)), RunAnalysesTest::law);
    assertThat(report.analyses()).hasSize(4);
    assertThat(report.findings())
        .filteredOn(finding -> finding.id().equals("scalability.rise-and-fall"))
        .hasSize(4);
    assertThat(report.analyses().get(0).findings())
        .as("what the answer leaves out")
        .hasSizeGreaterThan(1);
  }

  @Test
  void effectsAreThoseOnTheGridAndNotOnWhatTelemetryRecordedOfItsProcesses() {
    RunFolder folder =
        MadeUpRun.read(FACTORS)
            .metrics(
                (trial, metrics) -> {
                  for (String name :
                      List.of("gc.pauses.nodes", "gc.pauses.node-0", "entry-bytes")) {
                    metrics.put(name, Metric.lowerIsBetter(12.5 + trial.block(), "ms"));
                  }
                })
            .write(runs, RunAnalysesTest::screened);
    assertThat(ResultFiles.write(folder).analyses())
        .extracting(RunAnalysis::response)
        .contains("throughput", "entry-bytes")
        .noneMatch(response -> response.startsWith("gc."));
  }

  @Test
  void aLadderOfClientsAloneIsFittedOverClients() {
    Experiment experiment =
        Fixture.withTail(
            """
            factors:
              path: [put]
              agents: [1, 2, 4]
              threads: [1, 3, 5]
            analyses: [scalability]
            """);
    RunReport report =
        report(
            experiment,
            trial -> {
              double c = trial.settings().number("agents") * trial.settings().number("threads");
              return 1000 * c / (1 + 0.1 * (c - 1));
            });
    assertThat(report.analyses()).hasSize(1);
    assertThat(estimate(report.analyses().get(0), "scalability.law", "σ").contains(0.1)).isTrue();
  }

  @Test
  void noLawIsFittedToRatesThatWereOffered() {
    String rates = "  rate: [0, 500]\n  nodes:\n";
    RunReport report =
        report(
            Fixture.read(
                LADDER.replace("path: [put, get]", "path: [put]").replace("  nodes:\n", rates)),
            trial -> 500);
    assertThat(report.analyses())
        .filteredOn(each -> each.analysis().equals("scalability"))
        .hasSize(1);
  }

  @Test
  void blocksAreTheReplicatesOfAScreen() {
    RunReport report = report(Fixture.read(FACTORS), RunAnalysesTest::screened);
    RunAnalysis throughput = report.analyses().get(0);
    List<Finding> effects =
        throughput.findings().stream().filter(f -> f.id().equals("effect.main")).toList();
    assertThat(effects).hasSize(2);
    assertThat(effects).anyMatch(f -> isEffect(f, "nodes", 1.5));
    assertThat(effects).anyMatch(f -> isEffect(f, "persistence", 2));
    assertThat(FoundBy.table(throughput).rows()).anyMatch(row -> row.get(0).equals("A = BCDE"));
  }

  private static boolean isEffect(Finding finding, String factor, double size) {
    return Optional.ofNullable(finding.estimates().get(factor))
        .filter(effect -> effect.contains(size))
        .isPresent();
  }

  @Test
  void everyResponseHasItsEffectsButThroughputLeads() {
    RunReport report = report(Fixture.read(FACTORS), RunAnalysesTest::screened);
    assertThat(report.analyses())
        .extracting(RunAnalysis::response, RunAnalysis::leading)
        .containsExactly(
            tuple("throughput", true),
            tuple("CPU time per record", false),
            tuple("mean latency of call", false),
            tuple("p50 latency of call", false),
            tuple("p99 latency of call", false));
    assertThat(report.analyses().get(4).findings())
        .anyMatch(finding -> isEffect(finding, "persistence", 0.5));
  }

  @Test
  void tooFewValidTrialsHaveAFindingAndNoFigures() throws IOException {
    RunReport none = report(Fixture.read(LADDER), trial -> 0);
    RunReport two =
        report(Fixture.read(LADDER), t -> t.settings().number("nodes") > 2 ? Double.NaN : law(t));
    RunReport nothing = report(Fixture.read(FACTORS), trial -> 0);
    RunReport one = report(Fixture.read(FACTORS), t -> t.ordinal() == 0 ? 100 : Double.NaN);
    RunReport odd = report(Fixture.read(FACTORS), t -> t.ordinal() % 5 == 0 ? 100 : 0);
    for (RunReport report : List.of(none, two, nothing, one, odd)) {
      assertThat(shown(report)).doesNotContain("NaN", "Infinity");
      assertThat(report.findings()).isNotEmpty();
    }
  }

  @Test
  void aMissingTreatmentIsNamedAndTheRestStillAnalysed() {
    var lost =
        Map.of("nodes", "2", "region", "512m", "cache-mode", "REPLICATED", "persistence", "true");
    RunReport report =
        report(
            Fixture.read(FACTORS),
            t -> t.levels().entrySet().containsAll(lost.entrySet()) ? 0 : screened(t));
    assertThat(FoundBy.ids(report.findings())).contains("ranking.no-valid-trial");
    assertThat(report.analyses().get(0).result().sections().get(0).figures()).isNotEmpty();
  }

  /** A report without the scripts that every report carries. */
  private static String shown(RunReport report) throws IOException {
    String html = Files.readString(report.html());
    return html.substring(0, html.indexOf("<script>"));
  }
}
