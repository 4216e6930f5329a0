package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunHighestRateTest {
  private static final String LADDER =
      MadeUpRun.file(
          "highest-rate",
          "driver: rich",
          "record: stock-order, records: 1000, path: put, p99-limit: 5ms",
          """
      factors:
        rate: [500, 1000, 2000]
      blocks: 2
      analyses: [highest-rate, ranking]
      """);

  /** Of a made up trial the p99 is four divided by this, seconds; each reaches 1,000 calls/s. */
  private static final double RECORDS_PER_SECOND = 2_000;

  @TempDir Path runs;

  private List<Finding> findings(MadeUpRun run, ToDoubleFunction<TrialSpec> throughput) {
    return RunReport.of(run.load(runs, throughput)).findings();
  }

  private Finding first(MadeUpRun run) {
    return findings(run, trial -> RECORDS_PER_SECOND).get(0);
  }

  @Test
  void theHighestRateIsTheLastThatWasReachedWithinTheLimit() {
    Finding first = first(MadeUpRun.read(LADDER));
    assertThat(first.id()).isEqualTo("highest-rate.kept");
    assertThat(first.values())
        .containsEntry("rate", Value.rate(1_000))
        .containsEntry("next", Value.rate(2_000));
    assertThat(FoundBy.value(first, "limit")).isEqualTo("5 ms");
  }

  @Test
  void whereTheHighestRateIsKeptTheLimitIsHigher() {
    Finding first = first(MadeUpRun.read(LADDER.replace(", 2000]", "]")));
    assertThat(first.id()).isEqualTo("highest-rate.beyond");
    assertThat(first.values()).containsEntry("rate", Value.rate(1_000));
  }

  @Test
  void aLowerRateThatMissedTheLimitIsToldAndHidesNoHigherOneThatKeepsIt() {
    List<Finding> findings =
        findings(
            MadeUpRun.read(LADDER),
            trial -> RECORDS_PER_SECOND / (trial.settings().decimal("rate") < 1_000 ? 4 : 1));
    assertThat(FoundBy.ids(findings)).startsWith("highest-rate.kept", "highest-rate.missed");
    assertThat(FoundBy.value(findings.get(1), "rates")).isEqualTo("500");
  }

  /** A rate without enough calls for a p99 may be the highest that keeps the limit. */
  @ParameterizedTest
  @CsvSource({"0, none", "1000, too-few-calls", "9000, too-few-calls"})
  void whereNoRateKeepsTheLimitEachMustHaveEnoughCalls(double enoughFrom, String id) {
    MadeUpRun run =
        MadeUpRun.read(LADDER.replace("p99-limit: 5ms", "p99-limit: 1ms"))
            .metrics(
                (trial, metrics) -> {
                  if (trial.settings().decimal("rate") < enoughFrom) {
                    metrics.remove("latency.call.p99");
                  }
                });
    assertThat(first(run).id()).isEqualTo("highest-rate." + id);
  }
}
