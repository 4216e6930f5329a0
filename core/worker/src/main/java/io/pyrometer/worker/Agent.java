package io.pyrometer.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialSession;
import io.pyrometer.load.Generator;
import io.pyrometer.load.RecordPool;
import io.pyrometer.load.Records;
import io.pyrometer.load.probe.Probe;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The agent's side of trials: one after the other on one session. */
final class Agent {

  private final DriverDescription driver;
  private final GridSession session;
  private final int index;
  private final int agents;
  private final Consumer<Answer.Sample> samples;
  private Optional<Trial> current = Optional.empty();
  private Optional<Probing> probing = Optional.empty();

  private record Probing(TrialSession session, Probe probe) {}

  private record Trial(TrialSession session, Generator generator, boolean creator) {

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
      Consumer<Answer.Sample> samples) {
    this.driver = driver;
    this.session = session;
    this.index = index;
    this.agents = agents;
    this.samples = samples;
  }

  /**
   * @param relays that the trial's clients go through; empty for none
   * @return the configuration read back from the grid
   */
  Map<String, String> prepare(TrialSpec spec, boolean creator, List<String> relays) {
    current.ifPresent(Trial::close);
    session.useRelays(relays);
    Records records = RecordPool.of(spec.record(), spec.settings(), spec.seed());
    TrialSession trial = session.open(spec, records, creator);
    Runnable fill =
        creator ? () -> trial.fill(0, spec.settings().get(CoreSettings.RECORDS)) : () -> {};
    Generator generator =
        new Generator(spec, records, index, agents, overwrites(spec), fill, trial::path, samples);
    current = Optional.of(new Trial(trial, generator, creator));
    return trial.configuration();
  }

  private boolean overwrites(TrialSpec spec) {
    return driver.paths().stream()
        .filter(path -> path.name().equals(spec.path()))
        .findFirst()
        .flatMap(PathDescription::guarantee)
        .map(Guarantee::overwrites)
        .orElse(true);
  }

  void begin() {
    trial().generator.begin();
  }

  void measure() {
    if (probing.isPresent()) {
      probing.get().probe.mark();
    } else {
      trial().generator.measure();
    }
  }

  void beginProbe(Command.BeginProbe told) {
    TrialSpec spec = told.trial();
    Records records = RecordPool.of(spec.record(), spec.settings(), spec.seed());
    TrialSession trial = session.open(spec, records, true);
    try {
      Probe probe =
          new Probe(
              told.kind(),
              spec,
              records,
              overwrites(spec),
              told.seconds(),
              trial::path,
              trial.contents());
      probing = Optional.of(new Probing(trial, probe));
      probe.begin();
    } catch (RuntimeException failure) {
      trial.destroy();
      throw failure;
    }
  }

  Answer.Probed endProbe() {
    Probing running =
        probing.orElseThrow(() -> new GridException("No probe is begun; begin one first."));
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

  Answer.Finished finish() {
    return trial().generator.finish();
  }

  Answer.Verified verify() {
    Trial trial = trial();
    return trial.generator.verify(trial.creator, trial.session::digest, trial.session::contents);
  }

  void tearDown() {
    current.ifPresent(
        trial -> {
          current = Optional.empty();
          trial.close();
          if (trial.creator) {
            trial.session.destroy();
          }
        });
  }

  /** What a trial left in a grid that goes on without us is the session's to remove. */
  void close() {
    current.ifPresent(Trial::close);
    session.close();
  }

  private Trial trial() {
    return current.orElseThrow(() -> new GridException("No trial is prepared."));
  }
}
