package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two small servers that somebody else runs survive records of 60 KB. */
@Tag("extended")
class AttachedServersIT extends RunFixture {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: large
      question: Do their servers survive large records?
      grid:
        driver: ignite
        attach: "%s"
        agent-heap: 256m
        agent-jvm-args: -XX:TieredStopAtLevel=1
        backups: 1
      workload:
        record: stock-order
        bytes: 60000
        records: 2000
        batch: 20
        warm-up: 0.5s
        measure: 2s
        common-warm-up: 1s
      factors:
        path: [put, put-all]
      blocks: 1
      probes: []
      """;

  private static TheirCluster theirs;

  @BeforeAll
  static void startTheirs(@TempDir Path folder) throws Exception {
    theirs = TheirCluster.start(folder, 2, 320 << 20, "128m", false);
  }

  @AfterAll
  static void stopTheirs() {
    theirs.close();
  }

  /**
   * A scan with all records in one page would take 60 MB on each server, and the message as much
   * again.
   */
  @Test
  void aKilledServerStopsTheRunAndNoTrialWithoutItIsValid() throws Exception {
    write("large.yaml", EXPERIMENT.formatted(theirs.address));
    Process process = pyrometer.start("run", "large.yaml");
    pyrometer.awaitSecondTrial(process);
    assertThat(theirs.alive()).as("after the verification of a trial").isTrue();
    theirs.killOne();
    Ended ended = pyrometer.end(process);
    assertThat(ended.code()).isNotZero();
    assertThat(ended.err()).contains(" 1 server ");
    assertThat(ended.out()).contains("pyrometer resume runs/");
    List<TrialRecord> trials = trials();
    assertThat(trials).extracting(TrialRecord::outcome).containsExactly(Outcome.OK, Outcome.FAILED);
    assertThat(theirs.living()).as("servers that survive").isEqualTo(1);
  }
}
