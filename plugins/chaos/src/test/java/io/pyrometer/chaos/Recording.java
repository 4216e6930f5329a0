package io.pyrometer.chaos;

import static io.pyrometer.chaos.ChaosMessages.command;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.chaos.ChaosMessages.Collect;
import io.pyrometer.chaos.ChaosMessages.Look;
import io.pyrometer.chaos.ChaosMessages.Prepare;
import io.pyrometer.chaos.ChaosMessages.Prepared;
import io.pyrometer.chaos.ChaosMessages.Recorded;
import io.pyrometer.chaos.ChaosMessages.Seen;
import io.pyrometer.chaos.history.HistoryFile;
import io.pyrometer.chaos.history.Operation;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialCommands.Surroundings;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What an agent's callers record of a grid in this JVM, with all that they do in a trial. */
final class Recording {
  static final int CALLERS = 6;

  private Recording() {}

  /**
   * @param operations that are answered at least
   * @param rate of all callers, operations a second
   */
  static <G extends GridSession & ChaosGrid> List<Operation> of(
      G grid, String path, int operations, double rate, long seed, Path folder) throws Exception {
    Settings settings =
        Settings.NONE
            .with(CoreSettings.PATH, path)
            .with(ChaosSettings.OPERATIONS_RATE, rate)
            .with(ChaosSettings.CALLERS, CALLERS)
            .with(ChaosSettings.KEYS, 3)
            .with(ChaosSettings.KEY_OPERATIONS, 100)
            .with(CoreSettings.DRAIN_TIMEOUT, 10.0);
    TrialSpec trial =
        new TrialSpec(
            "0001",
            0,
            0,
            Map.of(),
            ChaosMessages.JOB,
            settings,
            new RecordShape("chaos", Optional.empty(), List.of()),
            seed);
    AtomicLong answered = new AtomicLong();
    CountDownLatch enough = new CountDownLatch(1);
    Surroundings surroundings =
        new Surroundings(
            () -> {
              throw new IllegalStateException("not asked for");
            },
            Optional.of(grid),
            sample -> {
              if (answered.addAndGet(sample.records()) >= operations) {
                enough.countDown();
              }
            });
    try (ChaosWorker worker = new ChaosWorker()) {
      assertThat(worker.answer(new Command.Begin(), surroundings)).isEmpty();
      Prepared unused =
          ask(
              worker.answer(command(new Prepare(trial, folder.toString())), surroundings),
              Prepared.class);
      Seen seen = ask(worker.answer(command(new Look(3)), surroundings), Seen.class);
      assertThat(seen.whole()).as("a grid that cannot be asked has not recovered").isFalse();
      assertThat(worker.answer(new Command.Begin(), surroundings)).isPresent();
      assertThat(worker.answer(new Command.Measure(), surroundings)).isPresent();
      assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
      Answer.Finished finished =
          (Answer.Finished) worker.answer(new Command.Finish(), surroundings).orElseThrow();
      assertThat(finished.records()).isPositive();
      Recorded recorded = ask(worker.answer(command(new Collect()), surroundings), Recorded.class);
      assertThat(recorded.logBytes()).isEqualTo(Files.size(Path.of(recorded.log())));
      return HistoryFile.read(Files.readString(Path.of(recorded.log())));
    }
  }

  private static <T> T ask(Optional<Answer> answer, Class<T> kind) {
    return ((Answer.OfKind) answer.orElseThrow()).as(kind);
  }
}
