package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosMessages.Clock;
import io.pyrometer.chaos.ChaosMessages.ReadClock;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import java.time.Duration;

/**
 * The clock of a server that was started with one of its own ({@link
 * io.pyrometer.chaos.ServerPreparation}), a minute ahead of this machine's until this is closed.
 */
final class ShiftedClock implements Faults.Healing {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final int AHEAD_SECONDS = 60;

  private final Host host;
  private final ManagedProcess server;
  private final String file;
  private final Time time;

  private ShiftedClock(Host host, ManagedProcess server, String file, Time time) {
    this.host = host;
    this.server = server;
    this.file = file;
    this.time = time;
  }

  /**
   * Sets the clock, and returns when the server reads it so.
   *
   * @throws WorkerException if it does not
   */
  static ShiftedClock of(Host host, ManagedProcess server, String workFolder, Time time) {
    ShiftedClock shifted =
        new ShiftedClock(host, server, ServerPreparation.clock(workFolder), time);
    try {
      shifted.set(AHEAD_SECONDS);
      return shifted;
    } catch (WorkerException refused) {
      if (!server.alive()) {
        // It did not survive the jump, and is started again.
        return shifted;
      }
      shifted.write(0);
      throw refused;
    }
  }

  private void set(int seconds) {
    write(seconds);
    for (long from = time.nanoTime(); Math.abs(ahead() - seconds) > AHEAD_SECONDS / 2; ) {
      if (time.secondsSince(from) > PATIENCE.toSeconds()) {
        throw WorkerException.mismatch(
            "The clock of %s could not be set to %d s ahead.", server.name(), seconds);
      }
      time.sleep(BETWEEN_LOOKS);
    }
  }

  private void write(int seconds) {
    RemoteShell.Ended unused =
        new RemoteShell(host)
            .run(PATIENCE, "sh", "-c", "echo +%d >\"$0\"".formatted(seconds), file);
  }

  /** Seconds that the server's clock is ahead of this machine's. */
  private long ahead() {
    long theirs =
        server
            .request(ChaosMessages.command(new ReadClock()), Answer.OfKind.class, Timeouts.QUICK)
            .as(Clock.class)
            .millis();
    return Math.round((theirs - time.now().toEpochMilli()) / 1e3);
  }

  /**
   * Sets the clock back.
   *
   * @throws WorkerException if the server does not read it so
   */
  @Override
  public void close() {
    try {
      set(0);
    } catch (WorkerException refused) {
      if (server.alive()) {
        throw refused;
      }
    }
  }
}
