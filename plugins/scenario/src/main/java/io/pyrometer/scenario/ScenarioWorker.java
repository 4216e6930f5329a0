package io.pyrometer.scenario;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.scenario.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.ScenarioMessages.CompareClocks;
import io.pyrometer.scenario.ScenarioMessages.ConnectScenario;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.ScenarioMessages.ScenarioPeer;
import io.pyrometer.scenario.ScenarioMessages.ScenarioReady;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The worker's side of a scenario's trials: one role at a time, in one trial after the other. */
public final class ScenarioWorker implements TrialCommands {
  private static final long SECOND = 1_000_000_000;
  private static final long IDLE_NANOS = 30 * SECOND;

  private Optional<Trial> current = Optional.empty();

  /**
   * @param session of a service
   */
  private record Trial(Role role, Optional<ScenarioSession> session) {
    void close() {
      role.close();
      session.ifPresent(ScenarioSession::close);
    }
  }

  @Override
  public Optional<Answer> answer(Command command, Surroundings surroundings) {
    if (command instanceof Command.OfKind own && own.kind().equals(ScenarioMessages.JOB.id())) {
      return Optional.of(answer(own, surroundings));
    }
    return current.flatMap(trial -> answer(command, trial));
  }

  private Answer answer(Command.OfKind command, Surroundings surroundings) {
    if (command.name().equals(PrepareScenario.class.getSimpleName())) {
      return Answer.OfKind.of(prepare(command.as(PrepareScenario.class), surroundings));
    }
    Trial trial =
        current.orElseThrow(() -> new GridException("No scenario is prepared in this process."));
    if (command.name().equals(ConnectScenario.class.getSimpleName())) {
      command.as(ConnectScenario.class).peers().stream()
          .filter(peer -> opens(trial.role.as.role(), peer))
          .forEach(trial.role.transport::connect);
      return new Answer.Done();
    }
    return Answer.OfKind.of(
        command.name().equals(CompareClocks.class.getSimpleName())
            ? new ClocksCompared(
                trial.role.transport.compareClocks(command.as(CompareClocks.class).questions()))
            : trial.role.recorders.recorded(trial.role.inFlight()));
  }

  private ScenarioReady prepare(PrepareScenario as, Surroundings surroundings) {
    close();
    Recorders recorders = new Recorders(SpanWriter.create(Path.of(as.folder()).resolve(as.log())));
    Optional<ScenarioSession> session =
        as.role() == ScenarioRole.SERVICE ? Optional.of(open(as, surroundings)) : Optional.empty();
    Role role =
        switch (as.role()) {
          case CLIENT -> new ClientRole(as, recorders, surroundings.samples());
          case MOCK -> new MockRole(as, recorders);
          case SERVICE -> new ServiceRole(as, session.orElseThrow(), recorders);
        };
    current = Optional.of(new Trial(role, session));
    return new ScenarioReady(
        role.transport.listen(as.address()),
        session.map(ScenarioSession::configuration).orElse(Map.of()));
  }

  private static ScenarioSession open(PrepareScenario spec, Surroundings surroundings) {
    GridSession session =
        surroundings
            .session()
            .orElseThrow(() -> new GridException("No session is open for " + spec.role() + "."));
    if (session instanceof ScenarioGrid grid) {
      return grid.openScenario(spec.trial(), spec.index() == 0);
    }
    throw new GridException("This driver has no scenarios.");
  }

  private Optional<Answer> answer(Command command, Trial trial) {
    if (command instanceof Command.Begin) {
      client(trial).begin();
    } else if (command instanceof Command.Measure) {
      client(trial).measure();
    } else if (command instanceof Command.Finish) {
      return Optional.of(finish(trial));
    } else if (command instanceof Command.TearDown) {
      tearDown(trial);
    } else {
      return Optional.empty();
    }
    return Optional.of(new Answer.Done());
  }

  private static ClientRole client(Trial trial) {
    if (trial.role instanceof ClientRole client) {
      return client;
    }
    throw new GridException("Only the client of a scenario publishes requests.");
  }

  /** The client opens connections to all, the services to the mocks. */
  private static boolean opens(ScenarioRole from, ScenarioPeer to) {
    return to.role().code() > from.code();
  }

  /** A client stops publishing; the others have no more to do once it has. */
  private static Answer finish(Trial trial) {
    try {
      if (trial.role instanceof ClientRole client) {
        return client.finish();
      }
      long end = System.nanoTime() + IDLE_NANOS;
      while (!trial.role.idle()) {
        if (System.nanoTime() > end) {
          throw GridException.of(
              "%s is still busy %d s after the last request ended.",
              trial.role.as.role().process(trial.role.as.index()), IDLE_NANOS / SECOND);
        }
        Thread.sleep(1);
      }
      return new Answer.Done();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridException("The end of a scenario was interrupted.", e);
    }
  }

  private void tearDown(Trial trial) {
    current = Optional.empty();
    trial.close();
    if (trial.role.as.index() == 0) {
      trial.session.ifPresent(ScenarioSession::destroy);
    }
  }

  @Override
  public void close() {
    current.ifPresent(Trial::close);
    current = Optional.empty();
  }
}
