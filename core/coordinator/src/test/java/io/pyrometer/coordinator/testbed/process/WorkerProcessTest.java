package io.pyrometer.coordinator.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.testbed.LogTail;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes: shell scripts that speak the lines of a worker, well or badly. */
class WorkerProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String GREET =
      "echo '{\"answer\":{\"type\":\"Hello\",\"pid\":1,\"jvm\":\"sh\"}}'\n";

  /** Reads commands for ever; each case is told the command's number as $id. */
  private static final String LOOP =
      """
      while read -r line; do
        id=${line#*:}; id=${id%%%%,*}
        case "$line" in
          %s
          *ReadCpu*) echo "{\\"id\\":$id,\\"answer\\":{\\"type\\":\\"Cpu\\",\\"seconds\\":$id}}";;
          *) echo "{\\"id\\":$id,\\"answer\\":{\\"type\\":\\"Done\\"}}";;
        esac
      done
      """;

  @TempDir Path folder;
  private WorkerLauncher launcher;

  @BeforeEach
  void newLauncher() {
    launcher = new WorkerLauncher(() -> {});
  }

  @AfterEach
  void endAll() {
    launcher.close();
  }

  private ProcessLauncher.Launch launch(String name, String... command) {
    return new ProcessLauncher.Launch(
        name, Host.LOCAL, List.of(command), ProcessLimits.NONE, folder.resolve(name + ".log"));
  }

  private ProcessLauncher.Launch script(String name, String script) {
    return launch(name, "sh", "-c", script);
  }

  private ManagedProcess start(String script) {
    return launcher.startAll(List.of(script("agent-0", script))).get(0);
  }

  /** A worker that answers everything, and some commands in a way of its own. */
  private ManagedProcess startWith(String... cases) {
    return start(GREET + LOOP.formatted(String.join("\n", cases)));
  }

  private static Answer.Cpu clock(ManagedProcess process) {
    return process.request(new Command.ReadCpu(), Answer.Cpu.class, PATIENCE);
  }

  @Test
  void anAnswerGoesToItsOwnQuestionWhateverTheOrder() throws Exception {
    ManagedProcess worker =
        startWith(
            "*Begin*) first=$id;;",
            "*Measure*) echo \"{\\\"id\\\":$id,\\\"answer\\\":{\\\"type\\\":\\\"Done\\\"}}\"; echo"
                + " \"{\\\"id\\\":$first,\\\"answer\\\":{\\\"type\\\":\\\"Failed\\\",\\\"why\\\":\\\"Late.\\\"}}\";;");
    CompletableFuture<Answer> begin = worker.send(new Command.Begin());
    CompletableFuture<Answer> measure = worker.send(new Command.Measure());
    assertThat(measure.get(60, TimeUnit.SECONDS)).isEqualTo(new Answer.Done());
    assertThat(begin.get(60, TimeUnit.SECONDS)).isEqualTo(new Answer.Failed("Late."));
  }

  @Test
  void samplesAreToldUnaskedAndChatterIsPassedOver() {
    List<Answer.Sample> samples = Collections.synchronizedList(new ArrayList<>());
    ManagedProcess worker =
        startWith(
            "*Begin*) echo 'a library says hello';"
                + " echo '{\"answer\":{\"type\":\"Sample\",\"index\":3,\"records\":7}}';"
                + " echo \"{\\\"id\\\":$id,\\\"answer\\\":{\\\"type\\\":\\\"Done\\\"}}\";;");
    worker.onSample(samples::add);
    Answer.Done unused = worker.request(new Command.Begin(), Answer.Done.class, PATIENCE);
    assertThat(samples).containsExactly(new Answer.Sample(3, 7, 0, 0, false));
  }

  @ParameterizedTest
  @CsvSource({
    "exit 3, 3, an Error",
    "echo an Error: 1 >&2; kill -9 $$, 137, an Error",
    "echo an Error: 1 >&2; echo an Error: 2 >&2; exit 3, an Error: 1, an Error: 2",
    "kill -15 $$, 143, an Error"
  })
  void aWorkerThatEndsBeforeItAnswersSaysHow(String how, String said, String notSaid) {
    ManagedProcess worker = startWith("*Begin*) " + how + ";;");
    Throwable why =
        catchThrowable(() -> worker.request(new Command.Begin(), Answer.Done.class, PATIENCE));
    assertThat(why)
        .isInstanceOf(WorkerException.class)
        .hasMessageStartingWith("agent-0 ")
        .hasMessageContaining(said)
        .hasMessageNotContaining(notSaid);
    assertThat(worker.alive()).isFalse();
    assertThatThrownBy(() -> clock(worker)).hasMessage(why.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{garbage",
        "{\"answer\":{\"type\":\"NoSuchAnswer\"}}",
        "{\"id\":1}",
        "{\"answer\":{\"type\":\"Sample\",\"index\":-1,\"records\":1}}"
      })
  void aWorkerThatWritesGarbageIsEnded(String garbage) throws IOException {
    Path file = Files.writeString(folder.resolve("garbage"), garbage + "\n");
    ManagedProcess worker = startWith("*Begin*) cat " + file + ";;");
    worker.onSample(sample -> List.of().get(sample.index()));
    assertThatThrownBy(() -> worker.request(new Command.Begin(), Answer.Done.class, PATIENCE))
        .isInstanceOf(WorkerException.class)
        .hasMessageStartingWith(
            "agent-0 " + Messages.format("coordinator.invalid-output").split("%s", -1)[0]);
    worker.awaitEnd(PATIENCE);
    assertThat(worker.alive()).isFalse();
  }

  /** The one test that takes two seconds: as long as a process may take to end. */
  @Test
  void aWorkerThatClosesItsOutputAndLivesIsEnded() {
    ManagedProcess worker = startWith("*Begin*) exec 1>&-; exec sleep 60;;");
    assertThatThrownBy(() -> worker.request(new Command.Begin(), Answer.Done.class, PATIENCE))
        .isInstanceOf(WorkerException.class)
        .hasMessage("agent-0 " + Messages.format("coordinator.output-closed") + ".");
    worker.awaitEnd(PATIENCE);
    assertThat(worker.alive()).isFalse();
  }

  @Test
  void aWorkerThatDoesNotAnswerInTimeIsKilled() {
    ManagedProcess worker = startWith("*Begin*) ;;");
    assertThatThrownBy(
            () -> worker.request(new Command.Begin(), Answer.Done.class, Duration.ofMillis(50)))
        .isInstanceOf(WorkerException.class)
        .hasMessage(Messages.format("coordinator.no-answer"), "agent-0", "answer Begin", 0.05);
    worker.awaitEnd(PATIENCE);
    assertThat(worker.alive()).isFalse();
  }

  @Test
  void aWorkerThatIsAskedToEndMayTidyUp() {
    Path left = folder.resolve("left");
    ManagedProcess worker = startWith("*Stop*) echo left > " + left + "; exit 0;;");
    worker.stop(PATIENCE);
    assertThat(left).exists();
    assertThat(worker.alive()).isFalse();
  }

  @Test
  void aWorkerOfAGridThatGoesOnMayLeaveItWhenItIsKilled() {
    Path left = folder.resolve("left");
    String script =
        "trap 'echo left > %s; exit 0' TERM\n".formatted(left)
            + GREET
            + "while :; do sleep 0.01; done";
    ManagedProcess worker = start(script);
    worker.leaveOnKill();
    worker.kill();
    worker.awaitEnd(PATIENCE);
    assertThat(left).exists();
    ManagedProcess other = start(script.replace("left", "other"));
    other.kill();
    other.awaitEnd(PATIENCE);
    assertThat(folder.resolve("other")).as("killed at once").doesNotExist();
  }

  @Test
  void aCommandThatIsNotThereIsASentenceAndTheOthersAreKilled() throws Exception {
    Path pid = folder.resolve("pid");
    List<ProcessLauncher.Launch> launches =
        List.of(
            script("node-0", "echo $$ > " + pid + ";" + GREET + "exec sleep 60"),
            launch("agent-0", folder.resolve("no-java").toString()));
    assertThatThrownBy(() -> launcher.startAll(launches))
        .isInstanceOf(WorkerException.class)
        .hasMessageContaining(folder.resolve("no-java").toString());
    if (Files.exists(pid) && !Files.readString(pid).isBlank()) {
      awaitEnd(pid);
    }
  }

  private static void awaitEnd(Path pid) throws Exception {
    Optional<ProcessHandle> handle =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    if (handle.isPresent()) {
      ProcessHandle unused = handle.get().onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void closingTheLauncherEndsEveryWorkerThatLives() {
    List<ManagedProcess> workers =
        launcher.startAll(
            List.of(
                script("node-0", GREET + "exec sleep 60"),
                script("agent-0", GREET + "exec sleep 60")));
    assertThat(workers).extracting(ManagedProcess::name).containsExactly("node-0", "agent-0");
    assertThat(workers).allMatch(ManagedProcess::alive);
    launcher.close();
    workers.forEach(worker -> worker.awaitEnd(PATIENCE));
    assertThat(workers).noneMatch(ManagedProcess::alive);
    assertThat(launcher.ending()).as("this JVM goes on").isFalse();
  }

  @Test
  void aBoundWorkerMayRunOnItsProcessorsAlone() {
    assumeTrue(Cpus.canBind());
    int last = Cpus.allowed().get(Cpus.allowed().size() - 1);
    String script =
        "sed -n 's/^Cpus_allowed_list:[[:space:]]*/on /p' /proc/self/status >&2; exit 1";
    assertLogs(script, Host.LOCAL, new ProcessLimits(List.of(last), 0, 0), "on " + last);
  }

  private void assertLogs(String script, Host host, ProcessLimits limits, String logged) {
    ProcessLauncher.Launch launch =
        new ProcessLauncher.Launch(
            "node-0", host, List.of("sh", "-c", script), limits, folder.resolve("log"));
    assertThatThrownBy(() -> launcher.startAll(List.of(launch)))
        .hasMessageEndingWith(" " + logged + ".");
  }

  private String lastWords(String log) throws IOException {
    return LogTail.lastWords(Files.writeString(folder.resolve("worker.log"), log));
  }

  @Test
  void theLineMostLikelyToSayWhyIsQuoted() throws IOException {
    assertThat(lastWords("")).isEmpty();
    assertThat(LogTail.lastWords(folder.resolve("none"))).isEmpty();
    assertThat(lastWords("one\ntwo.\n\n")).endsWith(": two");
    assertThat(lastWords("an Exception: x\n  at A.b\n... 3 more\nbye\n"))
        .endsWith(": an Exception: x");
    assertThat(lastWords("an Exception: x\n  at A.Exception.b\n"))
        .as("a frame is no exception")
        .endsWith(": an Exception: x");
    assertThat(lastWords("an Error: x\nan Exception: y\n")).endsWith(": an Exception: y");
    assertThat(lastWords("Error: early\n" + "noise\n".repeat(5_000)))
        .as("only the end of a long log is read")
        .endsWith(": noise");
  }

  private String atItsStart(String log) throws IOException {
    return LogTail.end(1, Files.writeString(folder.resolve("worker.log"), log), false);
  }

  @Test
  void whereAProcessDidNotStartTheFirstExceptionIsQuotedWithItsDeepestCause() throws IOException {
    assertThat(atItsStart("flag -XX:+ExitOnOutOfMemoryError\nbye\n")).endsWith(": bye");
    assertThat(
            atItsStart(
                "Unrecognized VM option 'No'\nError: Could not create the Java Virtual Machine.\n"
                    + "Error: A fatal exception has occurred. Program will exit.\n"))
        .endsWith(": Unrecognized VM option 'No'");
    assertThat(atItsStart("an Exception: x\n  at A.Exception.b\nmore\nan Error: y\n"))
        .endsWith(": an Exception: x");
    assertThat(
            atItsStart(
                "Exception in thread \"main\" a.B: c\n"
                    + "\tat D\n"
                    + "Caused by: e.F: g\n"
                    + "\tat H\n"
                    + "\t... 3 more\n"
                    + "Caused by: i.J: k\n"
                    + "\tat L\n"
                    + "Caught an Error: l\n"
                    + "Caused by: m\n"))
        .endsWith(": i.J: k");
  }

  @Test
  void aWorkerThatIgnoresTheStopIsKilled() {
    ManagedProcess worker = startWith("*Stop*) ;;");
    worker.stop(Duration.ofMillis(50));
    worker.awaitEnd(PATIENCE);
    assertThat(worker.alive()).isFalse();
  }
}
