package io.pyrometer.chaos;

import io.pyrometer.chaos.ChaosMessages.Accept;
import io.pyrometer.chaos.ChaosMessages.Clock;
import io.pyrometer.chaos.ChaosMessages.Collect;
import io.pyrometer.chaos.ChaosMessages.FillHeap;
import io.pyrometer.chaos.ChaosMessages.Look;
import io.pyrometer.chaos.ChaosMessages.Prepare;
import io.pyrometer.chaos.ChaosMessages.Prepared;
import io.pyrometer.chaos.ChaosMessages.ReadClock;
import io.pyrometer.chaos.ChaosMessages.Recorded;
import io.pyrometer.chaos.ChaosMessages.Seen;
import io.pyrometer.chaos.history.HistoryFile;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.load.NanoClock;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Daemon;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The agent's side of trials under faults, one after the other. */
public final class ChaosWorker implements TrialCommands {
  /** Share of the largest heap that is left to the rest of a JVM whose heap is filled. */
  private static final double LEFT = 0.04;

  /** Smaller than half of the smallest region of G1, so that a chunk needs none of its own. */
  private static final int CHUNK = 128 << 10;

  private Optional<Trial> current = Optional.empty();

  private record Trial(ChaosSession session, Work work, Path log) {}

  @Override
  public Optional<Answer> answer(Command command, Surroundings surroundings) {
    try {
      if (command instanceof Command.OfKind own && own.kind().equals(ChaosMessages.JOB.id())) {
        return Optional.of(ofKind(own, surroundings));
      }
      return current.isEmpty() ? Optional.empty() : answer(command, current.get(), surroundings);
    } catch (IOException unwritable) {
      throw GridException.of(
          "The history cannot be written: %s.", unwritable.getMessage(), unwritable);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new GridException("The end of the trial was interrupted.", interrupted);
    }
  }

  private Answer ofKind(Command.OfKind own, Surroundings surroundings) throws IOException {
    String name = own.name();
    if (name.equals(FillHeap.class.getSimpleName())) {
      double seconds = own.as(FillHeap.class).seconds();
      Daemon.start("filled-heap", () -> fillHeap(System.nanoTime() + (long) (1e9 * seconds)));
      return new Answer.Done();
    } else if (name.equals(ReadClock.class.getSimpleName())) {
      return Answer.OfKind.of(new Clock(System.currentTimeMillis()));
    } else if (name.equals(Prepare.class.getSimpleName())) {
      return Answer.OfKind.of(prepare(own.as(Prepare.class), surroundings));
    }
    Trial trial = current.orElseThrow(() -> new GridException("No trial is prepared here."));
    if (name.equals(Accept.class.getSimpleName())) {
      trial.session().accept(own.as(Accept.class).accepted());
      return new Answer.Done();
    } else if (name.equals(Look.class.getSimpleName())) {
      boolean whole = whole(trial, own.as(Look.class).servers());
      return Answer.OfKind.of(new Seen(whole, System.nanoTime()));
    } else if (name.equals(Collect.class.getSimpleName())) {
      return Answer.OfKind.of(new Recorded(trial.log().toString(), Files.size(trial.log())));
    }
    throw new GridException("A trial under faults has no command '" + name + "'.");
  }

  /**
   * Takes memory that the rest of the JVM cannot use for a while, so that it collects all the time.
   * Workers end at the first OutOfMemoryError.
   */
  private static void fillHeap(long until) {
    List<byte[]> held = new ArrayList<>();
    Runtime here = Runtime.getRuntime();
    try {
      while (System.nanoTime() < until) {
        while (here.maxMemory() - here.totalMemory() + here.freeMemory()
            > LEFT * here.maxMemory()) {
          held.add(new byte[CHUNK]);
        }
        NanoClock.SYSTEM.park(20_000_000);
      }
    } finally {
      Reference.reachabilityFence(held);
    }
  }

  private Prepared prepare(Prepare as, Surroundings surroundings) throws IOException {
    close();
    if (!(surroundings.session().orElse(null) instanceof ChaosGrid grid)) {
      throw new GridException("This driver has no operations that are checked under faults.");
    }
    ChaosSession session = grid.openChaos(as.trial());
    Path log = Path.of(as.folder()).resolve(as.trial().id() + ".jsonl");
    Files.createDirectories(log.toAbsolutePath().getParent());
    boolean transactions = session.isolation().isPresent();
    HistoryFile history = new HistoryFile(Files.newBufferedWriter(log));
    Work work = new Work(as.trial(), transactions, history);
    current = Optional.of(new Trial(session, work, log));
    return new Prepared(session.isolation(), session.promise(), session.configuration());
  }

  /** A grid that cannot be asked has not recovered. */
  private static boolean whole(Trial trial, int servers) {
    try {
      return trial.session().whole(servers);
    } catch (RuntimeException notYet) {
      return false;
    }
  }

  private Optional<Answer> answer(Command command, Trial trial, Surroundings surroundings)
      throws IOException, InterruptedException {
    if (command instanceof Command.Begin) {
      trial.work().begin(trial.session(), surroundings.samples());
    } else if (command instanceof Command.Measure) {
      trial.work().measure();
    } else if (command instanceof Command.Finish) {
      return Optional.of(trial.work().finish(trial.session()));
    } else if (command instanceof Command.TearDown) {
      close();
      trial.session().destroy();
    } else {
      return Optional.empty();
    }
    return Optional.of(new Answer.Done());
  }

  @Override
  public void close() {
    current.ifPresent(
        trial -> {
          trial.work().stop();
          trial.session().close();
        });
    current = Optional.empty();
  }
}
