package io.pyrometer.results.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.capacity.CapacityEstimate.Question;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Made-up demands whose truth is known: 100 µs on the servers, 50 µs on the client. */
class CapacityEstimateTest {
  @TempDir Path runs;

  private static void demands(TrialSpec trial, Map<String, Metric> metrics) {
    metrics.put(Metric.DEMAND_OF_CLIENTS + "cpu", Metric.lowerIsBetter(50, "µs"));
    metrics.put(Metric.DEMAND_OF_SERVERS + "cpu", Metric.lowerIsBetter(140, "µs"));
    metrics.put(Metric.DEMAND_OF_SERVERS + "jit", Metric.neutral(40, "µs"));
  }

  private static MadeUpRun made(String path) {
    return MadeUpRun.read(
            MadeUpRun.file(
                    "nodes",
                    "factors: {nodes: [1, 2, 4], path: [%s]}\nblocks: 3\nanalyses: [demands]\n")
                .formatted(path))
        .metrics(CapacityEstimateTest::demands);
  }

  private RunRecord run(MadeUpRun made) {
    return made.load(runs, trial -> 1_000);
  }

  private static Page answer(RunRecord run, double rate, Optional<String> path) {
    return CapacityEstimate.of(run, new Question(path, rate, 2, 0.8), "./pyrometer capacity");
  }

  private static Map<String, Value> first(Page page) {
    return page.answer().get(0).values();
  }

  private static List<String> ids(Page page) {
    return page.answer().stream().map(Finding::id).toList();
  }

  @Test
  void serversAreRateTimesDemandOverCpusAndUtilisationPlusOneForAFailure() {
    // 100,000/s × 100 µs = 10 CPUs, at 80 % of two CPUs each: 6.25.
    RunRecord run = run(made("put"));
    Page page = answer(run, 100_000, Optional.empty());
    assertThat(ids(page)).startsWith("capacity.servers", "capacity.assumption");
    assertThat(first(page))
        .containsEntry("servers", Value.count(7))
        .containsEntry("spare", Value.count(8));
    assertThat(page.sections()).hasSize(1);
    assertThat(Markdown.page(page))
        .containsPattern("\\| servers \\| 100 \\|.*7 \\[7, 7] \\+ 1 \\|")
        .contains("| clients | 50 |");
    assertThat(ids(answer(run, 1_000_000, Optional.empty()))).contains("capacity.extrapolated");
  }

  /** Trials with so many nodes and more are oversubscribed. */
  private static MadeUpRun oversubscribed(int nodes) {
    return made("put")
        .validity(
            trial -> {
              boolean over = trial.settings().integer("nodes") >= nodes;
              return List.of(new Check(Check.OVERSUBSCRIBED, 95, 85, "%", over));
            });
  }

  @Test
  void oversubscribedTrialsAreNotUsedAndARunOfThemIsRefused() {
    refused(run(oversubscribed(1)), Optional.empty(), "oversubscribed");
    RunRecord some = run(oversubscribed(4));
    assertThat(answer(some, 100_000, Optional.empty()).answer().get(1).values())
        .containsEntry("servers", Value.count(2));
  }

  @Test
  void whatWasNotMeasuredIsRefused() {
    RunRecord several = run(made("put, put-all"));
    refused(several, Optional.empty(), "put, put-all");
    refused(several, Optional.of("get"), "'get' alone");
    assertThat(first(answer(several, 100_000, Optional.of("put"))))
        .containsEntry("servers", Value.count(7));
    refused(
        run(
            made("put")
                .metrics((trial, metrics) -> metrics.remove(Metric.DEMAND_OF_SERVERS + "cpu"))),
        Optional.empty(),
        "no valid trial with the CPU time");
  }

  private static void refused(RunRecord run, Optional<String> path, String why) {
    assertThatThrownBy(() -> answer(run, 100_000, path))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(why);
  }
}
