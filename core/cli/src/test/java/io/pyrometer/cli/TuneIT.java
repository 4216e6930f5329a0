package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.experiment.model.Tuning;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.ProbeResult;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A search over two settings of the key-value store for tests, which starts in a second. */
@Tag("extended")
class TuneIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: store
      question: Which configuration is best?
      grid: {driver: native-test, nodes: 1, work: 200000}
      workload:
        record: stock-order
        records: 2000
        path: put
        warm-up: 0.2s
        measure: 0.3s
        common-warm-up: 0s
        agent-heap: 128m
        agent-jvm-args: -XX:TieredStopAtLevel=1
      tune:
        levels: {work: [0, 200000], memory: [32m, 64m]}
      probes: []
      seed: 1
      """;

  @BeforeEach
  void writeExperiment() throws Exception {
    pyrometer = Pyrometer.withTestDrivers(folder);
    write("store.yaml", EXPERIMENT);
  }

  private List<TrialRecord> selected() throws Exception {
    return Attempts.selectedAttempts(trials());
  }

  private static Map<String, Long> stages(List<TrialRecord> trials) {
    return trials.stream()
        .collect(
            Collectors.groupingBy(
                trial -> trial.levels().get(Tuning.STAGE), Collectors.counting()));
  }

  /** Killed in the search and carried on, it is the search that it would have been. */
  @Test
  void aSearchThatIsKilledIsCarriedOnToItsConfirmation() throws Exception {
    Process process = pyrometer.start("tune", "store.yaml", "--budget", "6m");
    Pyrometer.await("three trials", () -> pyrometer.journalLines() >= 3 || !process.isAlive());
    List<ProcessHandle> workers = Pyrometer.workers(process);
    process.destroyForcibly();
    awaitEnd(workers);
    List<TrialRecord> before = selected();

    Process resumed = pyrometer.start("resume", pyrometer.runFolder().getFileName().toString());
    // Each trial starts processes, which takes seconds on a busy machine.
    assertThat(resumed.waitFor(20, TimeUnit.MINUTES)).isTrue();
    Ended ended = pyrometer.end(resumed);

    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isIn(0, 3);
    List<TrialRecord> trials = selected();
    assertThat(trials).extracting(TrialRecord::id).startsWith(ids(before)).doesNotHaveDuplicates();
    assertThat(stages(trials).keySet())
        .containsExactlyInAnyOrder("screening", "search", "race", "confirmation");
    Map<String, Long> confirmed =
        trials.stream()
            .filter(trial -> trial.levels().get(Tuning.STAGE).equals("confirmation"))
            .collect(
                Collectors.groupingBy(
                    trial -> trial.levels().get(Tuning.CONFIGURATION), Collectors.counting()));
    assertThat(confirmed).hasSize(3).containsKey(Tuning.DEFAULT);
    assertThat(Set.copyOf(confirmed.values())).hasSize(1);
    // A disturbed trial is repeated on the same processes.
    assertThat(trials)
        .extracting(trial -> trial.identity().start().orElseThrow().number())
        .doesNotHaveDuplicates();
    List<ProbeResult> probes = new RunFolder(pyrometer.runFolder()).probes();
    assertThat(probes).isNotEmpty();
    assertThat(probes).allMatch(probe -> probe.levels().get(Tuning.STAGE).equals("confirmation"));
    assertThat(ended.out()).contains("Report: ");
    assertThat(pyrometer.runFolder().resolve("tuning.html")).isNotEmptyFile();
    // Which of the settings is confirmed is a matter of the machine's noise.
    if (ended.code() == 0) {
      assertThat(ended.out()).contains("Use it: ", "run store.yaml --set ");
      assertThat(pyrometer.runFolder().resolve("best.yaml.diff")).content().contains(" grid:");
    }
  }

  private static String[] ids(List<TrialRecord> trials) {
    return trials.stream().map(TrialRecord::id).toArray(String[]::new);
  }
}
