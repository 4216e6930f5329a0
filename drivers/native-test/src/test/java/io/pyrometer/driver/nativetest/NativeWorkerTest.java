package io.pyrometer.driver.nativetest;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.testkit.WorkerProcess;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that supervises a native server; {@link NativeTestDriverTest} kills workers. */
@Timeout(120)
class NativeWorkerTest {
  @TempDir Path folder;

  private WorkerProcess worker;
  private ProcessHandle server;

  @BeforeEach
  void startServer() throws Exception {
    worker =
        WorkerProcess.start(
            new NativeTestDriver(), 64L << 20, folder.resolve("work"), folder.resolve("log"));
    Command reserve = new Command.ReservePorts(1, "127.0.0.1");
    List<Integer> ports = worker.ask(reserve, Answer.Ports.class).ports();
    List<String> peers = List.of("127.0.0.1:" + ports.get(0));
    Command start =
        new Command.StartServer(
            0, 1, ports, peers, Optional.empty(), folder.toString(), Settings.NONE);
    assertThat(worker.ask(start, Answer.Started.class).clientAddress()).isPresent();
    worker.ask(new Command.AwaitServers(1, 10), Answer.Done.class);
    server = worker.process().children().findFirst().orElseThrow();
  }

  @AfterEach
  void end() {
    worker.close();
  }

  @Test
  void aKilledServerWhoseCpuTimeIsNotTheSupervisorsEndsItsWorker() throws Exception {
    Answer.Used used = worker.ask(new Command.Usage(), Answer.Used.class);
    assertThat(used.cpuSeconds()).isPositive();
    assertThat(used.supervisorSeconds()).isPositive();
    assertThat(used.residentBytes()).isPositive();
    server.destroyForcibly();
    assertThat(worker.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(worker.process().exitValue()).isEqualTo(71);
    assertThat(folder.resolve("log"))
        .content()
        .contains("The key-value server 0 was killed (exit code 137).");
  }

  @Test
  void theEndOfItsInputEndsBoth() throws Exception {
    worker.process().getOutputStream().close();
    assertThat(worker.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    server.onExit().get(30, TimeUnit.SECONDS);
  }
}
