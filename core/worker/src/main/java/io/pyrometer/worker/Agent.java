package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.AccessPath;
import io.pyrometer.load.DrainTimeout;
import io.pyrometer.load.Generator;
import io.pyrometer.load.LoadThread;
import io.pyrometer.load.Records;
import io.pyrometer.load.probe.Probe;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFacts.Acknowledgement;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The agent's side of trials: one after the other on one session. */
final class Agent {

  private static final long MAX_UNMEASURED_BYTES = 64L << 20;

  /** Without a change for so long, the contents are taken to be final. */
  private static final long UNCHANGED_MILLIS = 500;

  private final DriverDescription driver;
  private final GridSession session;
  private final int index;
  private final int agents;
  private final boolean attached;
  private final Consumer<Answer.Sample> samples;
  private Optional<Trial> current = Optional.empty();
  private Optional<Probing> probing = Optional.empty();

  private record Probing(TrialSession session, Probe probe) {}

  private record Trial(TrialSpec spec, TrialSession session, Generator generator, boolean creator) {

    void close() {
      generator.abandon();
      session.close();
    }
  }

  Agent(
      DriverDescription driver,
      GridSession session,
      int index,
      int agents,
      boolean attached,
      Consumer<Answer.Sample> samples) {
    this.driver = driver;
    this.session = session;
    this.index = index;
    this.agents = agents;
    this.attached = attached;
    this.samples = samples;
  }

  /** Carries out a command of a trial or of a probe. */
  Answer answer(Command command) {
    if (command instanceof Command.Prepare told) {
      return new Answer.Prepared(prepare(told));
    } else if (command instanceof Command.Begin) {
      trial().generator.begin();
    } else if (command instanceof Command.Measure) {
      probing.ifPresentOrElse(probed -> probed.probe.mark(), () -> trial().generator.measure());
    } else if (command instanceof Command.Finish) {
      return trial().generator.finish();
    } else if (command instanceof Command.Verify) {
      return verify();
    } else if (command instanceof Command.BeginProbe told) {
      beginProbe(told);
    } else if (command instanceof Command.EndProbe) {
      return endProbe();
    } else if (command instanceof Command.TearDown) {
      tearDown();
    } else {
      throw new GridException("Unknown command " + command + ".");
    }
    return new Answer.Done();
  }

  /** Returns the configuration read back from the grid. */
  private Map<String, String> prepare(Command.Prepare told) {
    boolean creator = told.creator();
    current.ifPresent(Trial::close);
    session.useRelays(told.relays());
    TrialSpec spec = told.trial().warmsUp() ? bounded(told.trial()) : told.trial();
    Records records = Records.of(spec);
    Optional<RoomCheck> room = room();
    if (creator) {
      room.ifPresent(check -> check.ofRecords(spec));
    }
    TrialSession trial = session.open(spec, records, creator);
    LongConsumer fill = creator ? count -> trial.fill(0, count) : count -> {};
    Generator generator =
        new Generator(
            spec,
            records,
            index,
            agents,
            guarantee(spec),
            fill,
            paths(trial, room, spec, records),
            samples);
    current = Optional.of(new Trial(spec, trial, generator, creator));
    Map<String, String> facts = new TreeMap<>(trial.configuration());
    session
        .servers()
        .ifPresent(servers -> facts.put(Answer.Prepared.SERVERS, String.valueOf(servers)));
    return facts;
  }

  /** With so few keys that the records of a warm-up or a probe take no more than a limit. */
  private TrialSpec bounded(TrialSpec spec) {
    long bytes = Records.of(spec).bytes();
    long threads = (long) agents * spec.settings().get(CoreSettings.THREADS);
    long most = Math.max(2 * threads, MAX_UNMEASURED_BYTES / Math.max(1, bytes));
    long records = spec.settings().get(CoreSettings.RECORDS);
    return records <= most ? spec : spec.withRecords(most);
  }

  /** Only a grid that goes on after the run must be protected. */
  private Optional<RoomCheck> room() {
    return attached ? Optional.of(new RoomCheck(driver, session)) : Optional.empty();
  }

  private Function<LoadThread, AccessPath> paths(
      TrialSession trial, Optional<RoomCheck> room, TrialSpec spec, Records records) {
    int threads = agents * spec.settings().get(CoreSettings.THREADS);
    return thread -> {
      AccessPath path = trial.path(thread);
      return room.map(check -> check.ofCalls(path, spec, records, threads)).orElse(path);
    };
  }

  private Guarantee guarantee(TrialSpec spec) {
    return driver.guarantee(spec.settings()).orElse(Guarantee.OF_ONE);
  }

  private void beginProbe(Command.BeginProbe told) {
    TrialSpec spec = bounded(told.trial());
    Records records = Records.of(spec);
    Optional<RoomCheck> room = room();
    room.ifPresent(check -> check.ofRecords(spec));
    TrialSession trial = session.open(spec, records, true);
    try {
      Probe probe =
          new Probe(
              told.kind(),
              spec,
              records,
              guarantee(spec).overwrites(),
              told.seconds(),
              paths(trial, room, spec, records),
              trial.contents());
      probing = Optional.of(new Probing(trial, probe));
      probe.begin();
    } catch (RuntimeException failure) {
      trial.destroy();
      throw failure;
    }
  }

  private Answer.Probed endProbe() {
    Probing running =
        probing.orElseThrow(() -> new GridException(Messages.format("worker.no-probe")));
    probing = Optional.empty();
    try {
      return new Answer.Probed(running.probe.end());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("The probe was interrupted.", e);
    } finally {
      running.probe.abandon();
      running.session.destroy();
      running.session.close();
    }
  }

  private Answer.Verified verify() {
    Trial trial = trial();
    if (trial.creator
        && driver.data(trial.spec.settings()).acknowledgedBy() == Acknowledgement.NONE) {
      awaitArrival(trial.session::digest, DrainTimeout.of(trial.spec.settings()));
    }
    return new Answer.Verified(
        trial.generator.verify(trial.creator, trial.session::digest, trial.session::contents));
  }

  /** A write that no copy acknowledges may still be under way: waits until nothing changes. */
  static void awaitArrival(Supplier<ContentDigest> digest, Duration limit) {
    long begin = System.nanoTime();
    ContentDigest before = digest.get();
    try {
      while (System.nanoTime() - begin < limit.toNanos()) {
        Thread.sleep(UNCHANGED_MILLIS);
        ContentDigest now = digest.get();
        if (now.equals(before)) {
          return;
        }
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tearDown() {
    current.ifPresent(
        trial -> {
          current = Optional.empty();
          trial.close();
          if (trial.creator) {
            trial.session.destroy();
          }
        });
  }

  /** Closes the trial and the session, which removes what the trial left in a grid that goes on. */
  void close() {
    current.ifPresent(Trial::close);
    session.close();
  }

  private Trial trial() {
    return current.orElseThrow(() -> new GridException("No trial is prepared."));
  }
}
