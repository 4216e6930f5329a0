package io.pyrometer.driver.nullgrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.TrialSpec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WorkerTest {

  private static final Settings SETTINGS =
      new Settings(
          Map.of(
              "threads",
              2,
              "records",
              10_000,
              "keys",
              "sequential",
              "zipf-exponent",
              0.99,
              "repeats",
              0.1,
              "hot-keys",
              0,
              "rate",
              0,
              "arrival",
              "constant",
              "reads",
              0.5,
              "in-flight",
              32));

  @Test
  void aTrialRunsOverThePipeAndItsWritesAreAllThere() throws Exception {
    try (WorkerProcess worker = opened()) {
      for (String path : List.of("put", "put-async")) {
        Answer.Finished finished = load(worker, Job.WRITE, path);
        assertThat(finished.errors()).isEmpty();
        assertThat(finished.records()).isPositive();
        Evidence.Contents verified = (Evidence.Contents) evidence(worker);
        assertThat(verified.found()).contains(verified.expected());
        assertThat(verified.expected().count()).isPositive();
        assertThat(worker.ask(new Command.TearDown())).isEqualTo(new Answer.Done());
      }
    }
  }

  private static Evidence evidence(WorkerProcess worker) throws Exception {
    return ((Answer.Verified) worker.ask(new Command.Verify())).evidence();
  }

  @Test
  void everyWayOfReadingGivesTheTruth() throws Exception {
    try (WorkerProcess worker = opened()) {
      for (String path : List.of("get", "scan")) {
        load(worker, Job.AGGREGATE, path);
        Evidence.WholeSet verified = (Evidence.WholeSet) evidence(worker);
        assertThat(verified.answers()).containsExactly(verified.truth().orElseThrow());
        assertThat(verified.truth().orElseThrow().count()).isEqualTo(10_000);
        assertThat(verified.whole()).isEqualTo(path.equals("scan"));
        worker.ask(new Command.TearDown());
      }
    }
  }

  @Test
  void threadsThatShareKeysAreVerifiedOverThePipe() throws Exception {
    try (WorkerProcess worker = opened()) {
      for (String path : List.of("put", "put-async")) {
        load(worker, Job.WRITE, path, SETTINGS.with("key-sharing", "shared").with("keys", "zipf"));
        SharedKeys.Judgement judgement = SharedKeys.judge(List.of((SharedKeys) evidence(worker)));
        assertThat(judgement.keys()).isEqualTo(10_000);
        assertThat(judgement.written()).isPositive();
        assertThat(judgement.wrong()).isZero();
        worker.ask(new Command.TearDown());
      }
    }
  }

  @Test
  void anOpenLoopTellsItsArrivalsAndAClosedOneHasNone() throws Exception {
    try (WorkerProcess worker = opened()) {
      Answer.Finished open = load(worker, Job.WRITE, "put", SETTINGS.with("rate", 2_000.0));
      Arrivals arrivals = open.arrivals().orElseThrow();
      assertThat(arrivals.offered()).isPositive();
      assertThat(arrivals.backlogAtStart() + arrivals.offered())
          .isEqualTo(arrivals.started() + arrivals.backlogAtEnd());
      assertThat(open.intervals()).isNotEmpty();
      worker.ask(new Command.TearDown());
      assertThat(load(worker, Job.WRITE, "put").arrivals()).isEmpty();
    }
  }

  @Test
  void samplesComeUnaskedAndUsageIsToldWhileItLoads() throws Exception {
    try (WorkerProcess worker = opened()) {
      worker.ask(new Command.Prepare(trial(Job.WRITE, "put"), true));
      worker.ask(new Command.Begin());
      worker.awaitSamples(5);
      Answer.Used used = (Answer.Used) worker.ask(new Command.Usage());
      assertThat(used.cpuSeconds()).isPositive();
      assertThat(used.cores()).isPositive();
      assertThat(worker.unasked).filteredOn(Answer.Sample.class::isInstance).hasSizeGreaterThan(4);
    }
  }

  @Test
  void aFailureIsOneSentenceAndTheWorkerGoesOn() throws Exception {
    try (WorkerProcess worker = opened()) {
      TrialSpec tooSmall = trial(Job.WRITE, "put", SETTINGS.with("records", 1));
      assertThat(worker.ask(new Command.Prepare(tooSmall, true)))
          .isEqualTo(
              new Answer.Failed("1 records are fewer than the 2 load threads; set more records."));
      assertThat(worker.ask(new Command.Finish()))
          .isEqualTo(new Answer.Failed("No trial is prepared."));
      assertThat(worker.ask(new Command.ReservePorts(2, "127.0.0.1")))
          .isInstanceOf(Answer.Ports.class);
    }
  }

  @Test
  void theEndOfTheInputIsTheEndOfTheProcessEvenUnderLoad() throws Exception {
    try (WorkerProcess worker = opened()) {
      worker.ask(new Command.Prepare(trial(Job.WRITE, "put-async"), true));
      worker.ask(new Command.Begin());
      worker.process.getOutputStream().close();
      worker.process.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
      assertThat(worker.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void stopEndsTheProcess() throws Exception {
    try (WorkerProcess worker = opened()) {
      assertThat(worker.ask(new Command.Stop())).isEqualTo(new Answer.Done());
      assertThat(worker.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aLineThatIsNoCommandEndsTheProcess() throws Exception {
    try (WorkerProcess worker = opened()) {
      worker.write("what?");
      assertThat(worker.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aWorkerDiesWithTheProcessThatStartedIt() throws Exception {
    List<String> command = new ArrayList<>(WorkerProcess.command().subList(0, 4));
    command.add(Parent.class.getName());
    Process parent = new ProcessBuilder(command).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8));
    ProcessHandle worker = ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
    parent.destroyForcibly().waitFor();
    worker.onExit().get(60, TimeUnit.SECONDS);
    assertThat(worker.isAlive()).isFalse();
  }

  private static WorkerProcess opened() throws Exception {
    WorkerProcess worker = new WorkerProcess();
    assertThat(worker.read().answer()).isInstanceOf(Answer.Hello.class);
    Command open =
        new Command.OpenSession(
            0, 1, List.of(), List.of(), Optional.empty(), false, "target", SETTINGS);
    assertThat(worker.ask(open)).isInstanceOf(Answer.Started.class);
    return worker;
  }

  private static Answer.Finished load(WorkerProcess worker, Job job, String path) throws Exception {
    return load(worker, job, path, SETTINGS);
  }

  private static Answer.Finished load(WorkerProcess worker, Job job, String path, Settings settings)
      throws Exception {
    assertThat(worker.ask(new Command.Prepare(trial(job, path, settings), true)))
        .isInstanceOf(Answer.Prepared.class);
    worker.unasked.clear();
    worker.ask(new Command.Begin());
    worker.awaitSamples(1);
    worker.ask(new Command.Measure());
    worker.awaitSamples(3);
    return (Answer.Finished) worker.ask(new Command.Finish());
  }

  private static TrialSpec trial(Job job, String path) {
    return trial(job, path, SETTINGS);
  }

  private static TrialSpec trial(Job job, String path, Settings settings) {
    FieldShape price = new FieldShape("price", FieldType.DOUBLE, 0, 0, 1, 9, List.of(), false);
    FieldShape name = new FieldShape("name", FieldType.STRING, 8, 0, 0, 0, List.of(), false);
    RecordShape shape = new RecordShape("thing", Optional.empty(), List.of(name, price));
    return new TrialSpec("t", 0, 0, Map.of(), job, settings.with("path", path), shape, 3);
  }
}
