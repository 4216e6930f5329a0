package io.pyrometer.scenario.worker;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.TrialCommands;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.scenario.api.ScenarioGrid;
import io.pyrometer.scenario.api.ScenarioSession;
import io.pyrometer.scenario.protocol.ScenarioMessages;
import io.pyrometer.scenario.protocol.ScenarioMessages.ClocksCompared;
import io.pyrometer.scenario.protocol.ScenarioMessages.CompareClocks;
import io.pyrometer.scenario.protocol.ScenarioMessages.ConnectScenario;
import io.pyrometer.scenario.protocol.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.protocol.ScenarioMessages.ScenarioReady;
import io.pyrometer.scenario.protocol.ScenarioPeer;
import io.pyrometer.scenario.protocol.ScenarioRole;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The worker's side of a scenario's trials: one role at a time, in one trial after the other. */
public final class ScenarioWorker implements TrialCommands {
  private static final long SECOND = 1_000_000_000;
  private static final long IDLE_NANOS = 30 * SECOND;

  private Optional<Trial> current = Optional.empty();

  private record Trial(
      PrepareScenario spec,
      Role role,
      Transport transport,
      Recorders recorders,
      Optional<ScenarioSession> session) {

    /** Nothing is sent any more when the role interrupts what it is at. */
    void close() {
      transport.close();
      role.close();
      recorders.close();
      session.ifPresent(ScenarioSession::close);
    }

    Optional<ClientRole> client() {
      return role instanceof ClientRole client ? Optional.of(client) : Optional.empty();
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
          .filter(peer -> opens(trial.spec.role(), peer))
          .forEach(trial.transport::connect);
      return new Answer.Done();
    }
    return Answer.OfKind.of(
        command.name().equals(CompareClocks.class.getSimpleName())
            ? compareClocks(command.as(CompareClocks.class), trial)
            : trial.role.recorded(trial.recorders));
  }

  private static ClocksCompared compareClocks(CompareClocks compare, Trial trial) {
    long nanos = System.nanoTime();
    Instant now = Instant.now();
    return new ClocksCompared(
        now.getEpochSecond() * SECOND + now.getNano() - nanos,
        trial.transport.compareClocks(compare.questions()));
  }

  private ScenarioReady prepare(PrepareScenario spec, Surroundings surroundings) {
    close();
    Recorders recorders =
        new Recorders(SpanWriter.create(Path.of(spec.folder()).resolve(spec.log())));
    Trial trial = trial(spec, recorders, surroundings);
    current = Optional.of(trial);
    return new ScenarioReady(
        trial.transport.listen(spec.address()),
        trial.session.map(ScenarioSession::configuration).orElse(Map.of()));
  }

  private static Trial trial(PrepareScenario spec, Recorders recorders, Surroundings surroundings) {
    ServiceRole.TransportOf transports =
        listener -> new Transport(spec.role(), spec.index(), listener);
    return switch (spec.role()) {
      case CLIENT -> {
        ClientRole client =
            new ClientRole(
                spec.trial(), spec.index(), recorders, transports, surroundings.samples());
        yield new Trial(spec, client, client.transport(), recorders, Optional.empty());
      }
      case MOCK -> {
        MockRole mock = new MockRole(spec.trial(), spec.index(), recorders);
        Transport transport = transports.make(mock);
        mock.over(transport);
        yield new Trial(spec, mock, transport, recorders, Optional.empty());
      }
      case SERVICE -> {
        ScenarioSession session = open(spec, surroundings);
        ServiceRole service =
            new ServiceRole(spec.trial(), spec.index(), session, recorders, transports);
        yield new Trial(spec, service, service.transport(), recorders, Optional.of(session));
      }
    };
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
      trial.client().ifPresent(ClientRole::begin);
    } else if (command instanceof Command.Measure) {
      trial.client().ifPresent(ClientRole::measure);
    } else if (command instanceof Command.Finish) {
      return Optional.of(finish(trial));
    } else if (command instanceof Command.TearDown) {
      tearDown(trial);
    } else {
      return Optional.empty();
    }
    return Optional.of(new Answer.Done());
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
          throw new GridException(
              "%s is still busy %d s after the last request ended."
                  .formatted(trial.spec.role().process(trial.spec.index()), IDLE_NANOS / SECOND));
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
    if (trial.spec.index() == 0) {
      trial.session.ifPresent(ScenarioSession::destroy);
    }
  }

  @Override
  public void close() {
    current.ifPresent(Trial::close);
    current = Optional.empty();
  }
}
