package io.pyrometer.driver.nullgrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.testkit.WorkerProcess;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SharedKeys;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker of the null grid in a process of its own, spoken to over its pipe. */
@Timeout(120)
class WorkerTest {

  private static final Duration APART = Duration.ofMillis(700);

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

  @TempDir static Path folder;

  /** Worker of the tests that leave it without a trial. */
  private static WorkerProcess worker;

  @BeforeAll
  static void start() throws Exception {
    worker = opened();
  }

  @AfterAll
  static void stop() {
    worker.close();
  }

  @Test
  void threadsThatShareKeysAreVerifiedOverThePipe() throws Exception {
    for (String path : List.of("put", "put-async")) {
      load(path, SETTINGS.with("key-sharing", "shared").with("keys", "zipf"));
      Answer.Verified verified = worker.ask(new Command.Verify(), Answer.Verified.class);
      SharedKeys.Judgement judgement = SharedKeys.judge(List.of((SharedKeys) verified.evidence()));
      assertThat(judgement.keys()).isEqualTo(10_000);
      assertThat(judgement.written()).isPositive();
      assertThat(judgement.wrong()).isZero();
      worker.ask(new Command.TearDown());
    }
  }

  @Test
  void anOpenLoopTellsItsArrivalsAndAClosedOneHasNone() throws Exception {
    Answer.Finished open = load("put", SETTINGS.with("rate", 2_000.0));
    Arrivals arrivals = open.arrivals().orElseThrow();
    assertThat(arrivals.offered()).isPositive();
    assertThat(arrivals.backlogAtStart() + arrivals.offered())
        .isEqualTo(arrivals.started() + arrivals.backlogAtEnd());
    assertThat(open.intervals()).isNotEmpty();
    worker.ask(new Command.TearDown());
    assertThat(load("put").arrivals()).isEmpty();
    worker.ask(new Command.TearDown());
  }

  @Test
  void scheduledStartsLieCloserThanCommandsThatAreSentOneAfterTheOther() throws Exception {
    List<WorkerProcess> agents = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        agents.add(opened());
      }
      long unscheduled = spread(starts(agents, Optional.empty()));
      long scheduled = spread(starts(agents, Optional.of(Duration.ofSeconds(6))));
      assertThat(scheduled).isLessThan(unscheduled);
    } finally {
      agents.forEach(WorkerProcess::close);
    }
  }

  @Test
  void aCommandThatComesAfterItsInstantIsExecutedAtOnceAndToldToBeLate() throws Exception {
    assertThat(worker.ask(new Command.Prepare(trial("put"), true, List.of())))
        .isInstanceOf(Answer.Prepared.class);
    worker.ask(new Command.Begin());
    long past = micros(Instant.now().minusSeconds(60));
    Answer said = worker.ask(new Command.Scheduled(past, new Command.Measure()));
    assertThat(((Answer.Begun) said).lateMicros()).isGreaterThanOrEqualTo(60_000_000);
    worker.ask(new Command.Finish());
    worker.ask(new Command.TearDown());
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static long spread(List<Long> starts) {
    return Collections.max(starts) - Collections.min(starts);
  }

  /** When each began to measure; at least {@link #APART} lies between their commands. */
  private static List<Long> starts(List<WorkerProcess> agents, Optional<Duration> ahead)
      throws Exception {
    for (WorkerProcess agent : agents) {
      agent.ask(new Command.Prepare(trial("put"), true, List.of()), Answer.Prepared.class);
      agent.ask(new Command.Begin(), Answer.Done.class);
    }
    List<Long> sent = new ArrayList<>();
    Command measure = new Command.Measure();
    long at = micros(Instant.now().plus(ahead.orElse(Duration.ZERO)));
    for (WorkerProcess agent : agents) {
      long from = System.nanoTime();
      sent.add(agent.send(ahead.isPresent() ? new Command.Scheduled(at, measure) : measure));
      while (System.nanoTime() - from < APART.toNanos()) {
        agent.awaitSamples(1);
      }
    }
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < agents.size(); i++) {
      Answer began = agents.get(i).await(sent.get(i));
      assertThat(began).isEqualTo(ahead.isPresent() ? new Answer.Begun(0) : new Answer.Done());
    }
    for (WorkerProcess agent : agents) {
      Answer.Finished did = agent.ask(new Command.Finish(), Answer.Finished.class);
      starts.add(did.slowest().orElseThrow().epochMicros());
      agent.ask(new Command.TearDown(), Answer.Done.class);
    }
    return starts;
  }

  @Test
  void samplesComeUnaskedAndUsageIsToldWhileItLoads() throws Exception {
    worker.ask(new Command.Prepare(trial("put"), true, List.of()));
    worker.ask(new Command.Begin());
    worker.awaitSamples(5);
    Answer.Used used = (Answer.Used) worker.ask(new Command.Usage());
    assertThat(used.cpuSeconds()).isPositive();
    assertThat(used.cores()).isPositive();
    worker.ask(new Command.Finish());
    worker.ask(new Command.TearDown());
  }

  @Test
  void aFailureIsOneSentenceAndTheWorkerGoesOn() throws Exception {
    TrialSpec tooSmall = trial("put", SETTINGS.with("records", 1));
    assertThat(worker.ask(new Command.Prepare(tooSmall, true, List.of())))
        .isInstanceOf(Answer.Failed.class);
    assertThat(worker.ask(new Command.Finish())).isInstanceOf(Answer.Failed.class);
    assertThat(worker.ask(new Command.ReservePorts(2, "127.0.0.1")))
        .isInstanceOf(Answer.Ports.class);
  }

  @Test
  void theEndOfTheInputIsTheEndOfTheProcessEvenUnderLoad() throws Exception {
    ends(
        own -> {
          own.ask(new Command.Prepare(trial("put-async"), true, List.of()));
          own.ask(new Command.Begin());
          own.process().getOutputStream().close();
        });
  }

  @Test
  void stopAndALineThatIsNoCommandEndTheProcess() throws Exception {
    ends(own -> assertThat(own.ask(new Command.Stop())).isEqualTo(new Answer.Done()));
    ends(own -> own.writeLine("what?"));
  }

  /** A cause of the end of a worker. */
  private interface Cause {
    void of(WorkerProcess worker) throws Exception;
  }

  private static void ends(Cause cause) throws Exception {
    try (WorkerProcess own = opened()) {
      cause.of(own);
      assertThat(own.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static WorkerProcess opened() throws Exception {
    WorkerProcess worker =
        WorkerProcess.start(
            new NullDriver(), 128L << 20, folder.resolve("work"), folder.resolve("log"));
    Command open =
        new Command.OpenSession(
            0, 1, List.of(), List.of(), Optional.empty(), false, "target", SETTINGS);
    assertThat(worker.ask(open)).isInstanceOf(Answer.Started.class);
    return worker;
  }

  private static Answer.Finished load(String path) throws Exception {
    return load(path, SETTINGS);
  }

  private static Answer.Finished load(String path, Settings settings) throws Exception {
    assertThat(worker.ask(new Command.Prepare(trial(path, settings), true, List.of())))
        .isInstanceOf(Answer.Prepared.class);
    worker.ask(new Command.Begin());
    worker.awaitSamples(1);
    worker.ask(new Command.Measure());
    worker.awaitSamples(2);
    return (Answer.Finished) worker.ask(new Command.Finish());
  }

  private static TrialSpec trial(String path) {
    return trial(path, SETTINGS);
  }

  private static TrialSpec trial(String path, Settings settings) {
    FieldShape price = new FieldShape("price", FieldType.DOUBLE, 0, 0, 1, 9, List.of(), false);
    FieldShape name = new FieldShape("name", FieldType.STRING, 8, 0, 0, 0, List.of(), false);
    RecordShape shape = new RecordShape("thing", Optional.empty(), List.of(name, price));
    return new TrialSpec("t", 0, 0, Map.of(), Job.WRITE, settings.with("path", path), shape, 3);
  }
}
