package io.pyrometer.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridDriver;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.GridSession;
import io.pyrometer.driver.PortTakenException;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import io.pyrometer.protocol.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A worker as a server, with drivers that exist for these tests alone. */
class ServerRoleTest {

  @Test
  void aProductThatIsNotThereIsToldBeforeAnythingIsReserved() {
    CommandDispatcher dispatcher = dispatcher(driver(Optional.of("Install it."), true));
    assertThatThrownBy(() -> dispatcher.execute(new Command.ReservePorts(1, "127.0.0.1")))
        .isInstanceOf(GridException.class)
        .hasMessage("Install it.");
  }

  @Test
  void aServerThatCannotBindBesideTheReservationIsStartedWithoutIt() {
    for (boolean reuse : new boolean[] {true, false}) {
      CommandDispatcher dispatcher = dispatcher(driver(Optional.empty(), reuse));
      assertThat(dispatcher.execute(start(reserve(dispatcher)))).isInstanceOf(Answer.Started.class);
      assertThat(dispatcher.execute(new Command.Stop())).isEqualTo(new Answer.Done());
    }
  }

  @Test
  void aTakenPortIsToldApartAndFreshPortsThenDo() throws Exception {
    CommandDispatcher dispatcher = dispatcher(driver(Optional.empty(), true));
    int port = reserve(dispatcher);
    try (ServerSocket another = ReservedPortsTest.listen(port, true)) {
      assertThatThrownBy(() -> dispatcher.execute(start(another.getLocalPort())))
          .isInstanceOf(PortTakenException.class);
      int fresh = reserve(dispatcher);
      assertThat(fresh).isNotEqualTo(port);
      assertThat(dispatcher.execute(start(fresh))).isInstanceOf(Answer.Started.class);
    }
    assertThat(dispatcher.execute(new Command.Stop())).isEqualTo(new Answer.Done());
  }

  /** As where the driver was compiled against another version of the product. */
  @Test
  void aProductThatFailsWhileCountersAreReadIsToldAndTheWorkerGoesOn() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Pipe pipe = new Pipe(new PrintStream(said, false, StandardCharsets.UTF_8));
    CommandDispatcher dispatcher =
        new CommandDispatcher(driver(Optional.empty(), true, Incompatible::new), pipe);
    assertThat(dispatcher.execute(start(reserve(dispatcher)))).isInstanceOf(Answer.Started.class);
    String told = "";
    for (Line.Down down :
        List.of(new Line.Down(1, new Command.Usage()), new Line.Down(2, new Command.ReadCpu()))) {
      told += Json.LINES.writeValueAsString(down) + "\n";
    }
    Worker.listen(
        new ByteArrayInputStream(told.getBytes(StandardCharsets.UTF_8)), dispatcher, pipe);
    List<Answer> answers = new ArrayList<>();
    for (String line : said.toString(StandardCharsets.UTF_8).lines().toList()) {
      answers.add(Json.LINES.readValue(line, Line.Up.class).answer());
    }
    assertThat(answers).hasSize(2);
    assertThat(answers.get(0))
        .isEqualTo(new Answer.Failed("NoSuchMethodError: Product.metric(String)"));
    assertThat(answers.get(1)).isInstanceOf(Answer.Cpu.class);
    assertThat(dispatcher.execute(new Command.Stop())).isEqualTo(new Answer.Done());
  }

  private static int reserve(CommandDispatcher dispatcher) {
    return ((Answer.Ports) dispatcher.execute(new Command.ReservePorts(1, "127.0.0.1")))
        .ports()
        .get(0);
  }

  private static Command start(int port) {
    return new Command.StartServer(
        0,
        1,
        List.of(port),
        List.of("127.0.0.1:" + port),
        Optional.empty(),
        "target",
        Settings.NONE);
  }

  private static CommandDispatcher dispatcher(GridDriver driver) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return new CommandDispatcher(driver, new Pipe(nowhere));
  }

  /**
   * @param reuse whether its servers bind as Java's do by default on Linux
   */
  private static GridDriver driver(Optional<String> missing, boolean reuse) {
    return driver(missing, reuse, Listening::new);
  }

  private static GridDriver driver(
      Optional<String> missing, boolean reuse, Function<ServerSocket, RunningServer> server) {
    return new GridDriver() {
      @Override
      public DriverDescription describe() {
        return RoomCheckTest.DRIVER;
      }

      @Override
      public Optional<String> unavailable() {
        return missing;
      }

      @Override
      public RunningServer start(Command.StartServer spec) {
        try {
          return server.apply(ReservedPortsTest.listen(spec.ports().get(0), reuse));
        } catch (IOException taken) {
          throw new PortTakenException("The port is taken.", taken);
        }
      }

      @Override
      public GridSession openSession(Command.OpenSession spec) {
        throw new GridException("No session is opened in this test.");
      }
    };
  }

  private static final class Incompatible extends Listening {
    Incompatible(ServerSocket socket) {
      super(socket);
    }

    @Override
    public Optional<Long> storedBytes() {
      throw new NoSuchMethodError("Product.metric(String)");
    }
  }

  private static class Listening implements RunningServer {
    private final ServerSocket socket;

    Listening(ServerSocket socket) {
      this.socket = socket;
    }

    @Override
    public Optional<String> clientAddress() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> configuration() {
      return Map.of();
    }

    @Override
    public void awaitServers(int servers, Duration timeout) {}

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
