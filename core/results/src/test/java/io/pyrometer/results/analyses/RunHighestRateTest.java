package io.pyrometer.results.analyses;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.page.RunReport;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHighestRateTest {
  private static final String LADDER =
      """
      pyrometer: 1
      name: highest-rate
      question: Up to which rate is it quick enough?
      grid: {driver: rich}
      workload: {record: stock-order, records: 1000, path: put, p99-limit: 5ms}
      factors:
        rate: [500, 1000, 2000]
      blocks: 2
      analyses: [highest-rate, ranking]
      """;

  /** Of a made up trial the p99 is four divided by this, seconds; each reaches 1,000 calls/s. */
  private static final double RECORDS_PER_SECOND = 2_000;

  @TempDir Path runs;

  private String sentence(MadeUpRun run) {
    RunReport report = RunReport.write(run.write(runs, trial -> RECORDS_PER_SECOND));
    return report.findings().get(0).sentence();
  }

  @Test
  void theHighestRateIsTheLastThatWasReachedWithinTheLimit() {
    assertThat(sentence(MadeUpRun.of(Fixture.read(LADDER), Fixture.CATALOGUE)))
        .matches("1,?000 \\(p99 2\\S* ms\\) calls a second keep a p99 of 5 ms; 2,?000 .* do not.");
  }

  @Test
  void aTighterLimitIsKeptByNone() {
    String tight = LADDER.replace("p99-limit: 5ms", "p99-limit: 1ms");
    assertThat(sentence(MadeUpRun.of(Fixture.read(tight), Fixture.CATALOGUE)))
        .matches("No rate of the ladder keeps a p99 of 1 ms; 500 \\(p99 2\\S* ms\\) do not.");
  }

  @Test
  void aLowerRateThatMissedTheLimitIsToldAndHidesNoHigherOneThatKeepsIt() {
    MadeUpRun run = MadeUpRun.of(Fixture.read(LADDER), Fixture.CATALOGUE);
    RunReport report =
        RunReport.write(
            run.write(
                runs,
                trial ->
                    trial.settings().decimal("rate") < 1_000
                        ? RECORDS_PER_SECOND / 4
                        : RECORDS_PER_SECOND));
    assertThat(report.findings().get(0).sentence())
        .matches(
            "1,?000 \\(p99 2\\S* ms\\) calls a second keep .*; 2,?000 .* do not\\."
                + " 500 \\(p99 [78]\\S* ms\\) did not either, below rates that do: .*");
  }

  @Test
  void tooFewCallsAreNoVerdict() {
    assertThat(sentence(MadeUpRun.of(Fixture.read(LADDER), Fixture.CATALOGUE).withoutP99()))
        .contains("too few", "calls")
        .doesNotContain("do not", "limit lies beyond");
  }
}
