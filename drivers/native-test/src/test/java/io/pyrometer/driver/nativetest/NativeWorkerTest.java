package io.pyrometer.driver.nativetest;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.Line;
import io.pyrometer.protocol.Settings;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that supervises a native server, in a process of its own, spoken to over its pipe. */
@Timeout(120)
class NativeWorkerTest {
  @TempDir static Path folder;

  private Process worker;
  private BufferedReader out;
  private ProcessHandle server;
  private String address;

  @BeforeEach
  void startServer() throws Exception {
    worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "io.pyrometer.worker.Worker",
                "native-test")
            .redirectError(folder.resolve("log").toFile())
            .start();
    out = worker.inputReader(StandardCharsets.UTF_8);
    out.readLine();
    int port = ((Answer.Ports) ask(new Command.ReservePorts(1, "127.0.0.1"))).ports().get(0);
    String peer = "127.0.0.1:" + port;
    Answer started =
        ask(
            new Command.StartServer(
                0,
                1,
                List.of(port),
                List.of(peer),
                Optional.empty(),
                folder.toString(),
                Settings.NONE));
    assertThat(started).isInstanceOf(Answer.Started.class);
    address = ((Answer.Started) started).clientAddress().orElseThrow();
    assertThat(ask(new Command.AwaitServers(1, 10))).isEqualTo(new Answer.Done());
    server = worker.children().findFirst().orElseThrow();
  }

  @AfterEach
  void end() {
    worker.destroyForcibly();
  }

  @Test
  void whatWasWrittenIsThere() throws Exception {
    try (KeyValueClient client = new KeyValueClient(List.of(address))) {
      client.put(1, new byte[] {7, 8});
      assertThat(client.get(1)).isEqualTo(new byte[] {7, 8});
      client.clear();
      assertThat(client.get(1)).isNull();
    }
  }

  @Test
  void theServersCpuTimeIsNotTheSupervisors() throws Exception {
    Answer.Used used = (Answer.Used) ask(new Command.Usage());
    assertThat(used.cpuSeconds()).isPositive();
    assertThat(used.supervisorSeconds()).isPositive();
    assertThat(used.residentBytes()).isPositive();
  }

  @Test
  void aKilledServerEndsItsWorker() throws Exception {
    server.destroyForcibly();
    assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(worker.exitValue()).isEqualTo(71);
    assertThat(folder.resolve("log"))
        .content()
        .contains("The key-value server 0 was killed (exit code 137).");
  }

  @Test
  void aKilledWorkerLeavesNoServer() throws Exception {
    worker.destroyForcibly();
    server.onExit().get(30, TimeUnit.SECONDS);
  }

  @Test
  void theEndOfItsInputEndsBoth() throws Exception {
    worker.getOutputStream().close();
    assertThat(worker.waitFor(30, TimeUnit.SECONDS)).isTrue();
    server.onExit().get(30, TimeUnit.SECONDS);
  }

  private Answer ask(Command command) throws Exception {
    worker
        .getOutputStream()
        .write(
            (Json.LINES.writeValueAsString(new Line.Down(1, command)) + "\n")
                .getBytes(StandardCharsets.UTF_8));
    worker.getOutputStream().flush();
    return Json.LINES.readValue(out.readLine(), Line.Up.class).answer();
  }
}
