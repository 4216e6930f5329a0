package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Figure;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentences on ratios, and when there must be none. */
class RatioReasonsTest {
  private static final String FILE =
      """
      pyrometer: 1
      name: why
      question: Why?
      grid: {driver: rich, nodes: 2}
      workload: {record: stock-order, records: 1000}
      factors: {path: [put, put-all]}
      blocks: 3
      analyses: [ranking]
      """;

  private static final double PUT = 1_000;
  private static final double PUT_ALL = 20_000;

  @TempDir Path runs;

  private ToDoubleFunction<TrialSpec> throughput = trial -> isPut(trial) ? PUT : PUT_ALL;
  private BiConsumer<TrialSpec, Map<String, Metric>> changes = (trial, metrics) -> {};
  private String disturbed = "";

  private static boolean isPut(TrialSpec trial) {
    return trial.path().equals("put");
  }

  private static void costs(Map<String, Metric> metrics, double clients, double servers) {
    metrics.put(Metric.CPU, Metric.lowerIsBetter(clients + servers, "µs"));
    role(metrics, Metric.DEMAND_OF_CLIENTS, clients);
    role(metrics, Metric.DEMAND_OF_SERVERS, servers);
  }

  /** Of which 40 % in the kernel and 20 % for collections; a message for every 100 µs. */
  private static void role(Map<String, Metric> metrics, String role, double micros) {
    metrics.put(role + Metric.DEMAND_CPU, Metric.lowerIsBetter(micros, "µs"));
    metrics.put(role + "system", Metric.neutral(0.4 * micros, "µs"));
    metrics.put(role + "gc", Metric.neutral(0.2 * micros, "µs"));
    metrics.put(role + "jit", Metric.neutral(0, "µs"));
    metrics.put(role + Metric.DEMAND_MESSAGES_OUT, Metric.neutral(micros / 100, "calls"));
  }

  private RunReport report(String experiment) {
    return RunReport.of(
        RunRecord.load(
            MadeUpRun.of(Fixture.read(experiment), Fixture.CATALOGUE)
                .noise(0)
                .metrics(
                    (trial, metrics) -> {
                      costs(metrics, isPut(trial) ? 400 : 20, isPut(trial) ? 500 : 40);
                      changes.accept(trial, metrics);
                    })
                .validity(
                    trial ->
                        List.of(
                            new Check(
                                Check.STEAL, 9, 1, "%", trial.id().startsWith(disturbed + "-"))))
                .write(runs, throughput)));
  }

  private List<String> findings(String experiment) {
    return report(experiment).findings().stream()
        .map(Finding::sentence)
        .filter(
            sentence ->
                sentence.contains("because a record costs") || sentence.contains("explained"))
        .toList();
  }

  /** The table below the ranking. */
  private List<List<String>> rows(String experiment) {
    return report(experiment).page().sections().stream()
        .flatMap(section -> section.figures().stream())
        .filter(figure -> figure.caption().startsWith("Why: "))
        .map(Figure::table)
        .flatMap(table -> table.rows().stream())
        .toList();
  }

  @Test
  void aRatioIsDividedIntoCpuTimeAndBusyCpusAndTheCpuTimeByWhatWasCounted() {
    // 900 by 60 µs is 15 of the 20 times: ln 15 / ln 20 is 90 %.
    String sentence =
        "put-all is 20 times put, because a record costs 60 µs of CPU time instead of 900 µs (90 %"
            + " of the ratio); 1.2 instead of 0.9 CPUs are busy. Of the CPU time saved (clients 20"
            + " µs instead of 400 µs, servers 40 µs instead of 500 µs): kernel 40 %, GC 20 %, not"
            + " explained 40 %. Of what remains, 40 % is kernel. Per record: 0.6 instead of 9"
            + " messages.";
    assertThat(findings(FILE)).containsExactly(sentence);
    assertThat(rows(FILE))
        .containsExactly(List.of("put-all", "15× [15×, 15×]", "1.33× [1.33×, 1.33×]", sentence));
  }

  @Test
  void whatCpuTimeDoesNotExplainIsSaidToBeNotExplained() {
    changes = (trial, metrics) -> costs(metrics, 100, isPut(trial) ? 100 : 90);
    assertThat(findings(FILE))
        .containsExactly(
            "put-all is 20 times put: 98 % not explained by CPU time, because calls wait less (3.8"
                + " instead of 0.2 CPUs are busy); a record costs 190 µs of CPU time instead of 200"
                + " µs.");
  }

  @Test
  void withoutTheCpuTimeOfTheServersNothingIsExplained() {
    changes =
        (trial, metrics) ->
            metrics.keySet().removeIf(name -> name.startsWith(Metric.DEMAND_OF_SERVERS));
    assertThat(findings(FILE)).isEmpty();
    assertThat(rows(FILE))
        .containsExactly(
            List.of(
                "put-all",
                "–",
                "–",
                "put-all is 20 times put; not explained: the CPU time of some processes is not"
                    + " recorded."));
  }

  @Test
  void countersThatOneTreatmentLacksAreNotCompared() {
    changes =
        (trial, metrics) ->
            metrics
                .keySet()
                .removeIf(
                    name ->
                        isPut(trial)
                            && name.startsWith("demand.")
                            && !name.endsWith(Metric.DEMAND_CPU));
    assertThat(findings(FILE))
        .singleElement()
        .satisfies(
            sentence ->
                assertThat(sentence)
                    .endsWith("servers 40 µs instead of 500 µs): not explained 100 %."));
  }

  @Test
  void aDisturbedTrialExplainsNothing() {
    disturbed = "0001";
    changes =
        (trial, metrics) -> {
          if (trial.id().startsWith("0001")) {
            costs(metrics, 9e6, 9e6);
          }
        };
    assertThat(findings(FILE))
        .singleElement()
        .satisfies(
            sentence ->
                assertThat(sentence)
                    .contains("a record costs 60 µs of CPU time instead of 900 µs"));
  }

  @Test
  void onlyBlocksThatBothHaveAreCompared() {
    throughput = trial -> trial.block() == 2 && isPut(trial) ? 0 : isPut(trial) ? PUT : PUT_ALL;
    changes =
        (trial, metrics) -> {
          if (trial.block() == 2) {
            costs(metrics, 9e6, 9e6);
          }
        };
    assertThat(findings(FILE))
        .singleElement()
        .satisfies(
            sentence ->
                assertThat(sentence)
                    .contains("a record costs 60 µs of CPU time instead of 900 µs"));
  }

  @Test
  void withoutACommonBlockNothingIsExplained() {
    throughput = trial -> (trial.block() == 0) == isPut(trial) ? (isPut(trial) ? PUT : PUT_ALL) : 0;
    assertThat(findings(FILE)).isEmpty();
    assertThat(rows(FILE)).as("treatments without a common block are not compared").isEmpty();
  }

  @Test
  void smallRatiosAndThoseThatMayBeNoneAreNotExplained() {
    throughput = trial -> isPut(trial) ? PUT : 1.4 * PUT;
    assertThat(rows(FILE)).isEmpty();
    throughput = trial -> isPut(trial) ? PUT : PUT * (trial.block() == 0 ? 20 : 0.9);
    assertThat(rows(FILE)).isEmpty();
  }

  @Test
  void throughputThatWasOfferedIsNotExplained() {
    assertThat(rows(FILE.replace("records: 1000", "records: 1000, rate: 500"))).isEmpty();
  }

  @Test
  void aBaselineThatIsRecommendedIsExplainedAgainstWhatDiffersMost() {
    throughput = trial -> isPut(trial) ? PUT_ALL : PUT;
    changes = (trial, metrics) -> costs(metrics, 0.1, isPut(trial) ? 50 : 1_000);
    assertThat(findings(FILE))
        .singleElement()
        .satisfies(
            sentence ->
                assertThat(sentence)
                    .startsWith("put-all is 0.05 times put, because a record costs 1 ms")
                    .contains("Of the CPU time added"));
  }
}
