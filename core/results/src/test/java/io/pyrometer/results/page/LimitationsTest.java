package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.results.MadeUpExperiment;
import io.pyrometer.results.MadeUpRun;
import io.pyrometer.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitationsTest {
  @TempDir Path runs;

  private List<Finding> findings(List<Check> ofPut, List<Check> ofOthers) {
    RunRecord run =
        MadeUpExperiment.runOf(3)
            .validity(trial -> trial.path().equals("put") ? ofPut : ofOthers)
            .load(runs, trial -> 1_000);
    return Limitations.of(run);
  }

  /** Three blocks of two trials each, on a grid that the run attaches to. */
  private List<Finding> attached(Predicate<TrialSpec> serversAreKnown) {
    RunRecord run =
        MadeUpRun.changed(
            MadeUpRun.read(
                    MadeUpRun.file(
                        "theirs",
                        "driver: rich, attach: \"10.0.0.1:47500\"",
                        "record: stock-order, records: 1000",
                        "factors: {path: [put, put-all]}\nblocks: 3\n"))
                .metrics(
                    (trial, metrics) -> {
                      if (serversAreKnown.test(trial)) {
                        metrics.put(Metric.DEMAND_OF_SERVERS + "cpu", Metric.neutral(9, "µs"));
                      }
                    })
                .write(runs, trial -> 1_000),
            trial ->
                MadeUpRun.with(
                    trial,
                    Map.of(
                        CpuScope.KEY,
                        trial.value(Metric.DEMAND_OF_SERVERS + "cpu").isPresent()
                            ? "agents and servers"
                            : CpuScope.AGENTS_ALONE + "server 7 has no JMX port.")));
    return Limitations.of(run).stream()
        .filter(finding -> finding.id().equals("validity.cpu-of-agents"))
        .toList();
  }

  @Test
  void cpuTimeWithoutThatOfTheServersIsALimitationWithItsReason() {
    assertThat(attached(trial -> false))
        .singleElement()
        .matches(finding -> finding.severity() == Severity.NOTICE)
        .matches(finding -> text(finding, "why").equals("server 7 has no JMX port"));
    assertThat(attached(trial -> trial.block() > 0))
        .as("trials with and without it")
        .singleElement()
        .matches(finding -> finding.severity() == Severity.WARNING)
        .matches(finding -> text(finding, "marked").equals("2"));
    assertThat(attached(trial -> true)).isEmpty();
  }

  private static String text(Finding finding, String value) {
    return finding.values().getOrDefault(value, Value.name("")).text();
  }

  private static Check check(String name, boolean disturbed) {
    return new Check(name, 7, 5, "%", disturbed);
  }

  private static List<Finding> only(String id, List<Finding> findings) {
    return findings.stream().filter(finding -> finding.id().equals(id)).toList();
  }

  @Test
  void onlyDisturbedTrialsAreCountedAndOnlyTheChecksThatDisturbedThemNamed() {
    List<Finding> findings =
        findings(
            List.of(check(Check.STEAL, true), check(Check.OTHER_PROCESSES, false)),
            List.of(check(Check.STEAL, false), check("client CPU", true)));
    assertThat(only("validity.disturbed", findings))
        .singleElement()
        .matches(finding -> text(finding, "marked").equals("3"))
        .matches(finding -> text(finding, "causes").equals(Check.STEAL));
    assertThat(only("validity.disturbed", findings(List.of(check(Check.STEAL, false)), List.of())))
        .isEmpty();
  }

  @Test
  void callsThatBeganLateAreAFindingWithTheThreadsToUse() {
    List<Check> late = List.of(new Check(Check.SCHEDULE_SLIP, 77, 10, "%", true));
    List<Check> onTime = List.of(new Check(Check.SCHEDULE_SLIP, 3, 10, "%", false));
    assertThat(only("validity.late-starts", findings(late, onTime)))
        .singleElement()
        .matches(finding -> text(finding, "marked").equals("3"))
        .matches(finding -> text(finding, "share").equals("77 %"))
        .matches(finding -> finding.remedy().orElseThrow().contains("--set threads=2"));
    assertThat(only("validity.late-starts", findings(onTime, onTime))).isEmpty();
  }
}
