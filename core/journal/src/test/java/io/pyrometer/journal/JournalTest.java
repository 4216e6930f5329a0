package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("journal.jsonl");
  }

  private void append(TrialRecord... trials) {
    try (Journal journal = Journal.open(file())) {
      for (TrialRecord trial : trials) {
        assertThat(journal.append(trial)).isTrue();
      }
    }
  }

  @Test
  void trialsComeBackAsTheyWereWritten() {
    append(Trials.ok("a", 1), Trials.ok("b", 1, Trials.steal()));
    assertThat(Journal.read(file()))
        .containsExactly(Trials.ok("a", 1), Trials.ok("b", 1, Trials.steal()));
  }

  /** A trial that never began has neither. */
  @Test
  void startAndDriftAreWrittenWhereTheyAreKnown() throws IOException {
    append(Trials.ok("a", 1));
    assertThat(Files.readString(file())).doesNotContain("\"start\"", "driftPercent");
    TrialRecord started = Trials.ok("b", 1).madeOn(new TrialRecord.ProcessStart(3, 2));
    append(started);
    assertThat(Journal.read(file())).containsExactly(Trials.ok("a", 1), started);
  }

  @Test
  void probesStandBesideTrialsAndAreToldApart() {
    ProbeResult probe = Trials.probe(ProbeKind.ORDER, "put", 26);
    append(Trials.ok("a", 1));
    try (Journal journal = Journal.open(file())) {
      assertThat(journal.append(probe)).isTrue();
    }
    append(Trials.ok("b", 1));
    assertThat(Journal.read(file())).extracting(TrialRecord::id).containsExactly("a", "b");
    assertThat(Journal.probes(file())).containsExactly(probe);
  }

  @Test
  void aTornTailIsPassedOverAndWrittenOver() throws IOException {
    append(Trials.ok("a", 1));
    String whole = Files.readString(file());
    for (int torn = 1; torn < whole.length(); torn += 97) {
      Files.writeString(file(), whole + whole.substring(0, torn));
      assertThat(Journal.read(file())).hasSize(1);
      append(Trials.ok("b", 1));
      assertThat(Journal.read(file())).extracting(TrialRecord::id).containsExactly("a", "b");
      Files.writeString(file(), whole);
    }
  }

  @Test
  void aBrokenLineInTheMiddleIsNamed() throws IOException {
    append(Trials.ok("a", 1));
    Files.writeString(file(), "{oops}\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> Journal.read(file()))
        .isInstanceOf(RunException.class)
        .hasMessage(Messages.format("journal.no-trial"), file() + ":2");
  }

  @Test
  void aLineOfAnotherSchemaIsRefused() throws IOException {
    append(Trials.ok("a", 1));
    Files.writeString(
        file(), Files.readString(file()).replaceFirst("\"schema\":2", "\"schema\":99"));
    assertThatThrownBy(() -> Journal.read(file()))
        .hasMessageContaining(" 99")
        .hasMessageContaining(" 2");
  }

  @Test
  void oneAtATimeWrites() {
    try (Journal journal = Journal.open(file())) {
      assertThat(journal.append(Trials.ok("a", 1))).isTrue();
      assertThatThrownBy(() -> Journal.open(file()))
          .hasMessage(Messages.format("journal.locked"), folder);
    }
  }

  @Test
  void nothingIsAddedOnceItIsClosed() {
    Journal journal = Journal.open(file());
    journal.close();
    assertThat(journal.append(Trials.ok("a", 1))).isFalse();
    assertThat(Journal.read(file())).isEmpty();
  }
}
