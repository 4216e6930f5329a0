package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.cli.Pyrometer.Ended;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that start the command in a folder of their own. */
abstract class RunFixture {
  private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";
  private static final String FAST_START =
      FIRST_COMPILER + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

  @TempDir Path folder;
  Pyrometer pyrometer = new Pyrometer(Path.of(""));

  @BeforeEach
  void useFolder() {
    pyrometer = new Pyrometer(folder);
  }

  /** Writes a file; JVMs of an experiment do not verify classes, a third of a product's start. */
  void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text.replace(FIRST_COMPILER, FAST_START));
  }

  Path script(Path file, String commands) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /** Runs a command that succeeds without a word on standard error. */
  Ended succeed(String... arguments) throws Exception {
    Ended ended = pyrometer.run(arguments);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).as(ended.out()).isZero();
    return ended;
  }

  /** Runs a command that is refused with these words. */
  void refused(String words, String... arguments) throws Exception {
    Ended ended = pyrometer.run(arguments);
    assertThat(ended.err()).contains(words).doesNotContain("\tat ", "Exception");
    assertThat(ended.code()).isEqualTo(2);
  }

  /** The trials of the one run. */
  List<TrialRecord> trials() throws IOException {
    return new RunFolder(pyrometer.runFolder()).trials();
  }

  TrialRecord lastTrial() throws IOException {
    List<TrialRecord> trials = trials();
    return trials.get(trials.size() - 1);
  }

  /** The text of a trial's artefact. */
  String artefact(TrialRecord trial, String kind) throws IOException {
    String file =
        trial.artefacts().stream()
            .filter(artefact -> artefact.kind().equals(kind))
            .findFirst()
            .orElseThrow()
            .file();
    return Files.readString(pyrometer.runFolder().resolve(file));
  }

  static void awaitEnd(Collection<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }
}
