package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Table;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.RunPage;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table and the chart of reasons, and when there must be none. */
class RatioReasonsTest {
  private static final String FILE =
      MadeUpRun.file(
          "why",
          "driver: rich, nodes: 2",
          "record: stock-order, records: 1000",
          "factors: {path: [put, put-all]}\nblocks: 3\nanalyses: [ranking]\n");

  private static final double PUT = 1_000;
  private static final double PUT_ALL = 20_000;

  @TempDir Path runs;

  private final ToDoubleFunction<TrialSpec> throughput = trial -> isPut(trial) ? PUT : PUT_ALL;
  private BiConsumer<TrialSpec, Map<String, Metric>> changes = (trial, metrics) -> {};
  private Predicate<TrialSpec> disturbed = trial -> false;

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
        MadeUpRun.read(experiment)
            .noise(0)
            .metrics(
                (trial, metrics) -> {
                  costs(metrics, isPut(trial) ? 400 : 20, isPut(trial) ? 500 : 40);
                  changes.accept(trial, metrics);
                })
            .validity(trial -> List.of(new Check(Check.STEAL, 9, 1, "%", disturbed.test(trial))))
            .load(runs, throughput));
  }

  /** The figure below the ranking. */
  private Stream<Figure> why(String experiment) {
    return RunPage.of(report(experiment)).sections().stream()
        .flatMap(section -> section.figures().stream())
        .filter(figure -> figure.caption().startsWith("Why: "));
  }

  private List<List<String>> rows(String experiment) {
    return why(experiment).flatMap(figure -> figure.table().rows().stream()).toList();
  }

  @Test
  void treatmentsAreExplainedByCallsBusyCpusAndTheCpuTimeOfEachRole() {
    assertThat(rows(FILE))
        .containsExactly(
            List.of("put-all", "1", "0.6", "1.2", "40", "20", Table.ABSENT),
            List.of("put", "1", "9", "0.9", "500", "400", Table.ABSENT));
  }

  @Test
  void theChartDividesTheCpuTimeOfEachRoleCompletely() {
    String chart = why(FILE).findFirst().orElseThrow().chart().orElseThrow().toString();
    assertThat(chart).contains("put-all", "panel=servers", "panel=clients");
    // 40 % in the kernel, 20 % for collections and the rest.
    assertThat(chart).contains("kernel", "GC", "other").doesNotContain("NaN");
  }

  @Test
  void withoutCpuTimeThereIsNoReason() {
    changes = (trial, metrics) -> metrics.keySet().removeIf(name -> name.startsWith("demand."));
    assertThat(rows(FILE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDisturbedTrialExplainsNothingWhereAnotherDoes(boolean always) {
    disturbed = trial -> always ? isPut(trial) : trial.id().startsWith("0001");
    changes =
        (trial, metrics) -> {
          if (!always && disturbed.test(trial)) {
            costs(metrics, 9e6, 9e6);
          }
        };
    assertThat(rows(FILE)).extracting(row -> row.get(5)).containsExactly("20", "400");
  }

  @Test
  void throughputThatWasOfferedIsNotExplained() {
    assertThat(rows(FILE.replace("records: 1000", "records: 1000, rate: 500"))).isEmpty();
  }

  @Test
  void theCpuTimeOfServersThatIsNotRecordedIsAbsent() {
    changes =
        (trial, metrics) ->
            metrics.keySet().removeIf(name -> name.startsWith(Metric.DEMAND_OF_SERVERS));
    assertThat(rows(FILE)).extracting(row -> row.get(4)).containsOnly(Table.ABSENT);
  }
}
