package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosMessages.Clock;
import io.pyrometer.chaos.ChaosMessages.ReadClock;
import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.cluster.Timeouts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.message.Messages;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Faults that commands on the host of a server make. Each returns what ends it; making or ending
 * one throws {@link WorkerException} if that fails.
 */
final class HostFaults {
  private static final Duration COMMAND = Duration.ofSeconds(10);
  private static final Duration FILL_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final int AHEAD_SECONDS = 60;

  private static final String FREEZE =
      "kill -STOP $all && echo stopped || exit 1; cat >/dev/null; kill -CONT $all";

  private static final String STARVE =
      """
      kill -STOP $all && echo stopped || exit 1
      while kill -0 $$; do
        kill -STOP $all; sleep 0.09; kill -CONT $all; sleep 0.01
      done 2>/dev/null &
      cat >/dev/null; kill $!; wait; kill -CONT $all
      """;

  /**
   * Takes all room, of a disk of the server's own alone, until nothing can be written: the server
   * may make room meanwhile.
   */
  private static final String FILL =
      "mountpoint -q \"$0\" || exit 1; for i in 1 2 3 4 5; do"
          + " dd if=/dev/zero of=\"$0/ballast$i\" bs=64k 2>/dev/null;"
          + " echo x 2>/dev/null >\"$0/ballast\" || exit 0; done; exit 1";

  private static final String EMPTY = "rm -f \"$0\"/ballast*";

  /** A link-layer address that nobody has. */
  private static final String NOBODY = "02:00:00:00:00:ff";

  private HostFaults() {}

  /** Stops a process and its children, which a server may consist of (SIGSTOP). */
  static Runnable freeze(Host host, String name, long pid) {
    return pause(host, name, pid, FREEZE);
  }

  /** Freezes a process and its children for 90 ms of every 100. */
  static Runnable starve(Host host, String name, long pid) {
    return pause(host, name, pid, STARVE);
  }

  /**
   * A shell on the host stops and continues the process, and waits for the end of its own input in
   * between: so the process continues too when this JVM is killed.
   */
  private static Runnable pause(Host host, String name, long pid, String script) {
    String whole = "all=\"%1$d $(cat /proc/%1$d/task/*/children)\"; ".formatted(pid) + script;
    try {
      Process shell = new ProcessBuilder(host.command(List.of("sh", "-c", whole))).start();
      BufferedReader output = shell.inputReader(StandardCharsets.UTF_8);
      if (!"stopped".equals(output.readLine())) {
        resume(shell, name);
        throw new IOException("kill -STOP failed");
      }
      return () -> resume(shell, name);
    } catch (IOException refused) {
      throw WorkerException.mismatch("%s cannot be paused: %s.", name, refused.getMessage());
    }
  }

  private static void resume(Process shell, String name) {
    try {
      shell.getOutputStream().close();
      if (shell.waitFor(COMMAND.toSeconds(), TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException gone) {
      // Its end is what matters, below.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (shell.isAlive()) {
      throw WorkerException.mismatch(name + " could not be continued after its pause.");
    }
  }

  /**
   * Fills the disk of a server that was started with a small one of its own ({@link
   * ServerPreparation}).
   *
   * @param folder where the disk is mounted
   */
  static Runnable fillDisk(Host host, String name, long pid, String folder) {
    Runnable emptying =
        () -> {
          if (!done(host, pid, EMPTY, folder) && done(host, pid, "true", folder)) {
            throw WorkerException.mismatch(Messages.format("chaos.disk-not-emptied"), name);
          }
        };
    boolean full = false;
    try {
      full = done(host, pid, FILL, folder);
    } finally {
      if (!full) {
        emptying.run();
      }
    }
    if (!full) {
      throw WorkerException.mismatch(Messages.format("chaos.disk-not-filled"), name);
    }
    return emptying;
  }

  /** Runs a script that sees the files of the server. */
  private static boolean done(Host host, long pid, String script, String folder) {
    return new RemoteShell(host)
            .run(FILL_TIMEOUT, "nsenter", "-t", "" + pid, "-m", "sh", "-c", script, folder)
            .code()
        == 0;
  }

  /**
   * Sets the clock of a server that was started with one of its own ({@link ServerPreparation}) a
   * minute ahead of this machine's, and returns when the server reads it so.
   */
  static Runnable shiftClock(Host host, ManagedProcess server, String workFolder, Time time) {
    String file = ServerPreparation.clock(workFolder);
    try {
      setClock(host, server, file, AHEAD_SECONDS, time);
    } catch (WorkerException refused) {
      // A server that did not survive the jump is started again.
      if (server.alive()) {
        writeClock(host, file, 0);
        throw refused;
      }
    }
    return () -> {
      try {
        setClock(host, server, file, 0, time);
      } catch (WorkerException refused) {
        if (server.alive()) {
          throw refused;
        }
      }
    };
  }

  private static void setClock(
      Host host, ManagedProcess server, String file, int seconds, Time time) {
    writeClock(host, file, seconds);
    for (long from = time.nanoTime();
        Math.abs(secondsAhead(server, time) - seconds) > AHEAD_SECONDS / 2; ) {
      if (time.secondsSince(from) > COMMAND.toSeconds()) {
        throw WorkerException.mismatch(
            Messages.format("chaos.clock-not-set"), server.name(), seconds);
      }
      time.sleep(BETWEEN_LOOKS);
    }
  }

  private static void writeClock(Host host, String file, int seconds) {
    RemoteShell.Ended unused =
        new RemoteShell(host).run(COMMAND, "sh", "-c", "echo +%d >\"$0\"".formatted(seconds), file);
  }

  private static long secondsAhead(ManagedProcess server, Time time) {
    long theirs =
        server
            .request(ChaosMessages.command(new ReadClock()), Answer.OfKind.class, Timeouts.QUICK)
            .as(Clock.class)
            .millis();
    return Math.round((theirs - time.now().toEpochMilli()) / 1e3);
  }

  /**
   * Loses what the first of each pair of hosts, in namespaces of their own, sends to the second. It
   * is told a link-layer address that nobody has, so that its packets are lost in silence, as in a
   * network that is cut; a route that forbids it would report an error to the sender.
   */
  static Runnable cut(List<Host[]> pairs) {
    List<Host[]> cut = new ArrayList<>();
    Runnable mending = () -> mend(cut);
    try {
      for (Host[] pair : pairs) {
        cut.add(pair);
        neighbour("replace", pair, "lladdr", NOBODY, "nud", "permanent");
      }
      return mending;
    } catch (WorkerException refused) {
      mending.run();
      throw refused;
    }
  }

  private static void mend(List<Host[]> cut) {
    List<WorkerException> failures = new ArrayList<>();
    for (Host[] pair : cut) {
      try {
        neighbour("del", pair);
      } catch (WorkerException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(failures.size() - 1);
    }
  }

  private static void neighbour(String action, Host[] pair, String... state) {
    List<String> command =
        new ArrayList<>(List.of("ip", "neigh", action, pair[1].address(), "dev", "eth0"));
    command.addAll(List.of(state));
    RemoteShell.Ended ended = new RemoteShell(pair[0]).run(COMMAND, command.toArray(String[]::new));
    if (ended.code() != 0) {
      throw WorkerException.mismatch(
          Messages.format("chaos.network-command"),
          pair[0].name(),
          String.join(" ", command),
          ended.error());
    }
  }
}
