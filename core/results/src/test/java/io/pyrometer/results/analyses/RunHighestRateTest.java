package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.ResultFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private List<Finding> findings(String file, ToDoubleFunction<TrialSpec> throughput) {
    MadeUpRun run = MadeUpRun.read(file);
    return ResultFiles.write(run.write(runs, throughput)).findings();
  }

  @Test
  void theHighestRateIsTheLastThatWasReachedWithinTheLimit() {
    Finding first = findings(LADDER, trial -> RECORDS_PER_SECOND).get(0);
    assertThat(first.id()).isEqualTo("highest-rate.kept");
    assertThat(first.values())
        .containsEntry("rate", Value.rate(1_000))
        .containsEntry("next", Value.rate(2_000));
    assertThat(FoundBy.value(first, "limit")).isEqualTo("5 ms");
  }

  @Test
  void aTighterLimitIsKeptByNone() {
    String tight = LADDER.replace("p99-limit: 5ms", "p99-limit: 1ms");
    assertThat(findings(tight, trial -> RECORDS_PER_SECOND).get(0).id())
        .isEqualTo("highest-rate.none");
  }

  @Test
  void aLowerRateThatMissedTheLimitIsToldAndHidesNoHigherOneThatKeepsIt() {
    List<Finding> findings =
        findings(
            LADDER,
            trial ->
                trial.settings().decimal("rate") < 1_000
                    ? RECORDS_PER_SECOND / 4
                    : RECORDS_PER_SECOND);
    assertThat(FoundBy.ids(findings)).startsWith("highest-rate.kept", "highest-rate.missed");
    assertThat(FoundBy.value(findings.get(1), "rates")).isEqualTo("500");
  }

  @Test
  void tooFewCallsAreNoVerdict() {
    MadeUpRun run = MadeUpRun.read(LADDER).withoutP99();
    assertThat(
            ResultFiles.write(run.write(runs, trial -> RECORDS_PER_SECOND)).findings().get(0).id())
        .isEqualTo("highest-rate.too-few-calls");
  }
}
