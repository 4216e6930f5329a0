package io.pyrometer.results.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.Finding;
import io.pyrometer.experiment.yaml.Fixture;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.protocol.TrialSpec;
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

  private List<String> sentences(List<Check> ofPut, List<Check> ofOthers) {
    RunRecord run =
        RunRecord.load(
            MadeUpExperiment.runOf(3)
                .validity(trial -> trial.path().equals("put") ? ofPut : ofOthers)
                .write(runs, trial -> 1_000));
    return Limitations.of(run).stream().map(Finding::sentence).toList();
  }

  /** Three blocks of two trials each, on a grid that the run attaches to. */
  private static MadeUpRun theirs() {
    return MadeUpRun.of(
        Fixture.read(
            """
            pyrometer: 1
            name: theirs
            question: Which?
            grid: {driver: rich, attach: "10.0.0.1:47500"}
            workload: {record: stock-order, records: 1000}
            factors: {path: [put, put-all]}
            blocks: 3
            """),
        Fixture.CATALOGUE);
  }

  private List<String> attached(Predicate<TrialSpec> serversAreKnown) {
    RunRecord run =
        MadeUpRun.changed(
            theirs()
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
        .map(Finding::sentence)
        .filter(sentence -> sentence.contains("agents alone"))
        .toList();
  }

  @Test
  void cpuTimeWithoutThatOfTheServersOfOthersIsALimitationWithItsReason() {
    assertThat(attached(trial -> false))
        .containsExactly("CPU time is that of the agents alone: server 7 has no JMX port.");
  }

  @Test
  void cpuTimeWithThatOfTheServersIsNone() {
    assertThat(attached(trial -> true)).isEmpty();
  }

  @Test
  void trialsWithAndWithoutItAreNotComparedInSilence() {
    assertThat(attached(trial -> trial.block() > 0))
        .containsExactly(
            "2 of 6 trials have the CPU time of the agents alone and cannot be compared with the"
                + " others by it: server 7 has no JMX port.");
  }

  private static Check check(String name, boolean disturbed) {
    return new Check(name, 7, 5, "%", disturbed);
  }

  @Test
  void onlyDisturbedTrialsAreCountedAndOnlyTheChecksThatDisturbedThemNamed() {
    assertThat(
            sentences(
                List.of(check(Check.STEAL, true), check(Check.OTHER_PROCESSES, false)),
                List.of(check(Check.STEAL, false), check("client CPU", true))))
        .contains("3 of 6 trials were disturbed by the machine: " + Check.STEAL + ".");
  }

  @Test
  void callsThatBeganLateAreAFindingThatSaysWhatToRaise() {
    List<Check> late = List.of(new Check(Check.SCHEDULE_SLIP, 77, 10, "%", true));
    List<Check> onTime = List.of(new Check(Check.SCHEDULE_SLIP, 3, 10, "%", false));
    assertThat(sentences(late, onTime))
        .filteredOn(sentence -> sentence.startsWith("The generator began calls late"))
        .singleElement()
        .asString()
        .contains("3 of 6 trials", "77 to 77 %", "--set threads=2");
    assertThat(sentences(onTime, onTime)).noneMatch(s -> s.contains("began calls late"));
  }

  @Test
  void trialsWithinAllLimitsAreNotMentioned() {
    assertThat(sentences(List.of(check(Check.STEAL, false)), List.of()))
        .noneMatch(sentence -> sentence.contains("disturbed by the machine"));
  }
}
