package io.pyrometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class NativeProcessTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aKilledJvmLeavesNoNativeProcess(ParentDeathGuard guard) throws Exception {
    assumeAvailable(guard);
    Process supervisor =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Supervisor.class.getName(),
                guard.name(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String pid = supervisor.inputReader(StandardCharsets.UTF_8).readLine();
    ProcessHandle sleeper = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    assertThat(sleeper.info().command().orElse("")).endsWith("sleep");
    // Long enough for a signal that the end of the starting thread would have sent.
    assertThat(sleeper.onExit().isDone()).isFalse();
    Thread.sleep(300);
    assertThat(sleeper.isAlive()).isTrue();
    supervisor.destroyForcibly().waitFor();
    sleeper.onExit().get(50, TimeUnit.SECONDS);
    assertThat(sleeper.isAlive()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aKilledNativeProcessIsNoticed(ParentDeathGuard guard) throws Exception {
    assumeAvailable(guard);
    try (NativeProcess process =
        NativeProcess.start(
            spec("echo the last line; exec sleep 600"),
            ReadyCheck.prints(Pattern.compile("last")),
            guard)) {
      assertThat(process.ended()).isNotDone();
      ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly();
      assertThat(process.ended().get(50, TimeUnit.SECONDS)).contains("The thing", "137");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedProcessIsGoneAndIsNotReportedAsEnded(ParentDeathGuard guard) throws Exception {
    assumeAvailable(guard);
    NativeProcess process =
        NativeProcess.start(
            spec("trap '' TERM; echo up; while :; do sleep 1; done"),
            ReadyCheck.prints(Pattern.compile("up")),
            guard);
    ProcessHandle handle = ProcessHandle.of(process.pid()).orElseThrow();
    process.close();
    handle.onExit().get(50, TimeUnit.SECONDS);
    assertThat(handle.isAlive()).isFalse();
    assertThat(process.ended()).isNotDone();
  }

  @Test
  void aKilledGuardDoesNotLeaveItsProcessBehind() throws Exception {
    NativeProcess process =
        NativeProcess.start(spec("exec sleep 600"), p -> true, ParentDeathGuard.SHELL);
    ProcessHandle sleeper = ProcessHandle.of(process.pid()).orElseThrow();
    ProcessHandle shell = sleeper.parent().orElseThrow();
    assertThat(shell.pid()).isNotEqualTo(ProcessHandle.current().pid());
    shell.destroyForcibly();
    process.ended().get(50, TimeUnit.SECONDS);
    sleeper.onExit().get(50, TimeUnit.SECONDS);
  }

  @Test
  void aProcessThatEndsEarlyIsToldWithItsLastLine() {
    assertThatThrownBy(() -> NativeProcess.start(spec("echo No such option; exit 3"), p -> false))
        .isExactlyInstanceOf(GridException.class)
        .hasMessageContaining(" 3")
        .hasMessageEndingWith("No such option.");
  }

  @Test
  void aProcessThatCannotBindIsToldApart() {
    assertThatThrownBy(
            () ->
                NativeProcess.start(
                    spec("echo 'bind: Address already in use'; echo bye; exit 1"), p -> false))
        .isInstanceOf(PortTakenException.class);
  }

  @Test
  void aProcessThatIsNotReadyInTimeIsKilled() throws Exception {
    Path pidFile = folder.resolve("pid");
    NativeProcess.Spec spec = spec("echo $$ > " + pidFile + "; exec sleep 600");
    NativeProcess.Spec hasty =
        new NativeProcess.Spec(
            spec.name(),
            spec.command(),
            Map.of(),
            folder,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));
    assertThatThrownBy(() -> NativeProcess.start(hasty, p -> false)).hasMessageContaining(" 1 s");
    long pid = Long.parseLong(Files.readString(pidFile).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void aProgramThatIsNotThereIsOneSentence() {
    NativeProcess.Spec spec = spec("true");
    assertThatThrownBy(
            () ->
                NativeProcess.start(
                    new NativeProcess.Spec(
                        "The thing",
                        List.of("no-such-program-here"),
                        Map.of(),
                        folder,
                        spec.startLimit(),
                        spec.stopLimit()),
                    p -> false))
        .isExactlyInstanceOf(GridException.class)
        .hasMessageContaining("no-such-program-here");
    assertThat(NativeProcess.program("no-such-program-here")).isEmpty();
    assertThat(NativeProcess.program("sh")).isPresent();
  }

  @Test
  void aPortAcceptsOnlyOnceSomethingListens() throws IOException {
    int port;
    NativeProcess process = NativeProcess.start(spec("exec sleep 600"), p -> true);
    try (process;
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = listening.getLocalPort();
      assertThat(ReadyCheck.accepts("127.0.0.1", port).isReady(process)).isTrue();
    }
    assertThat(ReadyCheck.accepts("127.0.0.1", port).isReady(process)).isFalse();
  }

  @Test
  void theEnvironmentAndTheFolderAreTheProcesss() {
    NativeProcess.Spec spec =
        new NativeProcess.Spec(
            "The thing",
            List.of("sh", "-c", "echo $COLOUR in $PWD; exec sleep 600"),
            Map.of("COLOUR", "green"),
            folder.resolve("made"),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1));
    String line = "green in .*made$";
    try (NativeProcess process =
        NativeProcess.start(spec, ReadyCheck.prints(Pattern.compile(line)))) {
      assertThat(process.lastLines()).singleElement().asString().matches(line);
    }
  }

  private NativeProcess.Spec spec(String script) {
    return new NativeProcess.Spec(
        "The thing",
        List.of("sh", "-c", script),
        Map.of(),
        folder,
        Duration.ofSeconds(10),
        Duration.ofMillis(500));
  }

  private static void assumeAvailable(ParentDeathGuard guard) {
    assumeThat(guard)
        .as("this machine has the guard")
        .isIn(ParentDeathGuard.SHELL, ParentDeathGuard.best());
  }
}
