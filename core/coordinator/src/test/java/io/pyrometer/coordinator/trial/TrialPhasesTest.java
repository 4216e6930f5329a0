package io.pyrometer.coordinator.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuLog;
import io.pyrometer.journal.CpuLog.Interval;
import io.pyrometer.journal.CpuLog.What;
import io.pyrometer.journal.JsonLines;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.SlowCallLog;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Phases;
import io.pyrometer.journal.TrialRecord.WarmUp;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Arrivals;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.MachineReading;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.SlowCall;
import io.pyrometer.protocol.Slowest;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialPhasesTest extends RunFixture {
  private TrialRecord trial(Settings settings) {
    return run.run(FakeRun.groupOf("put", settings.with("common-warm-up", 0))).get(0);
  }

  private static void pass(VirtualTime time, double seconds) {
    time.sleep(Duration.ofMillis((long) (seconds * 1_000)));
  }

  @Test
  void aTrialTellsHowLongItsServersTookToStartWithoutItsClients() {
    run.grid()
        .before("node-1", Command.StartServer.class, 0, () -> pass(run.time(), 3))
        .before("agent-0", Command.OpenSession.class, 0, () -> pass(run.time(), 7));
    assertThat(trial(FakeRun.settings("put")).value(Metric.SERVERS_START).orElseThrow())
        .isCloseTo(3, within(0.5));
  }

  @Test
  void everyPhaseTakesTheTimeFromItsBeginToTheNext() {
    Settings settings = FakeRun.settings("put").with("common-warm-up", 0);
    run.grid()
        .before("agent-0", Command.Prepare.class, 0, () -> pass(run.time(), 5))
        .before("agent-0", Command.Verify.class, 0, () -> pass(run.time(), 2))
        .before("agent-0", Command.TearDown.class, 0, () -> pass(run.time(), 4));
    List<TrialSpec> trials =
        List.of(FakeRun.trial(0, 0, "put", settings), FakeRun.trial(1, 0, "put", settings));
    assertThat(run.run(List.of(new Group(0, settings, trials))))
        .extracting(made -> made.timeline().phases())
        .containsExactly(new Phases(5, 1, 3, 2, 4), new Phases(0, 1, 3, 0, 0));
  }

  private static List<Long> noisy(int samples) {
    return noisy(samples, 0);
  }

  private static List<Long> noisy(int samples, double slope) {
    Random random = new Random(4);
    List<Long> series = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      series.add(Math.round(1_000 + slope * i + 20 * random.nextGaussian()));
    }
    return series;
  }

  @Test
  void aWarmUpSaysWhyItEnded() {
    WarmUp steady = Steadiness.judge(noisy(60), 50, true);
    assertThat(steady.verdict()).isEqualTo("settled");
    WarmUp ramp = Steadiness.judge(noisy(60, 50), 20, false);
    assertThat(ramp.verdict()).isEqualTo("not settled");
    assertThat(ramp.driftPercent().orElseThrow().low()).isGreaterThan(3);
    assertThat(ramp.seconds()).isEqualTo(2);
    assertThat(ramp.method()).isNotEqualTo(steady.method());
  }

  @ParameterizedTest
  @CsvSource({"39, false", "40, true", "60, true"})
  void driftIsJudgedFromFourSecondsOn(int samples, boolean shown) {
    assertThat(Steadiness.isShown(noisy(samples), 10)).isEqualTo(shown);
  }

  /** Throughput that rises from half with a time constant of 10 s: 20 % are missing after 9 s. */
  @Test
  void aWarmUpIsNotOverWhileThroughputStillRises() {
    Random random = new Random(5);
    List<Long> rising = new ArrayList<>();
    int shown = 0;
    while (shown == 0) {
      rising.add(
          Math.round(
              100_000 * (1 - 0.5 * Math.exp(-rising.size() / 100.0))
                  + 2_000 * random.nextGaussian()));
      shown = Steadiness.isShown(rising, 50) ? rising.size() : 0;
    }
    assertThat(shown).as("tenths of a second").isBetween(230, 600);
  }

  @Test
  void noisySamplesAreNotSettled() {
    Random random = new Random(7);
    List<Long> wild = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      wild.add(Math.round(1_000 + 250 * random.nextGaussian()));
    }
    assertThat(Steadiness.isShown(wild, 20)).isFalse();
    assertThat(Steadiness.judge(wild, 40, false).verdict()).isEqualTo("not settled");
    assertThat(Steadiness.isShown(Collections.nCopies(60, 0L), 20)).isFalse();
  }

  @Test
  void aStepAfterTheBeginOfTheMeasuredPartMeansThatItHadNotSettled() {
    List<Long> step = new ArrayList<>(noisy(40).stream().map(it -> it / 4).toList());
    step.addAll(noisy(60));
    assertThat(Steadiness.judge(step, 50, false).settled()).as("before").isTrue();
    assertThat(Steadiness.judge(step, 20, false).settled()).as("after").isFalse();
  }

  @Test
  void aWarmUpEndsAsSoonAsTheSamplesAreSteady() {
    int[] tenth = new int[1];
    Random random = new Random(6);
    TrialRecord made = warmedUp(() -> Math.round(1_000 + 20 * random.nextGaussian()));
    assertThat(made.timeline().warmUp().seconds()).isBetween(4.0, 10.0);
    assertThat(made.timeline().phases().warmUp()).isLessThan(11);
    TrialRecord rising = warmedUp(() -> 1_000L + 30L * tenth[0]++);
    assertThat(rising.timeline().warmUp().seconds()).as("the whole limit").isEqualTo(30.0);
    assertThat(rising.timeline().warmUp().settled()).isFalse();
  }

  /** A trial with a warm-up of up to 30 s whose agent does so much in each tenth of a second. */
  private TrialRecord warmedUp(LongSupplier records) {
    run = new FakeRun(runs);
    run.grid().samples(records);
    return trial(FakeRun.settings("put").with("warm-up", 30));
  }

  @Test
  void anOpenLoopTellsWhatItsScheduleAskedForAndGot() {
    Optional<Arrivals> arrivals = Optional.of(new Arrivals(200, 190, 180, 3, 23));
    Answer finished = FakeGrid.finished(2, 180, 0, arrivals, FakeGrid.encoded(1_000, 180));
    run.grid().answers("agent-0", Command.Finish.class, 0, 1, finished);
    Map<String, Metric> metrics = trial(FakeRun.settings("put")).metrics();
    assertThat(metrics.get(Metric.OFFERED_RATE).value()).isEqualTo(100);
    assertThat(metrics.get(Metric.COMPLETED_OF_OFFERED).value()).isEqualTo(90);
    assertThat(metrics.get(Metric.BACKLOG_AT_START).value()).isEqualTo(3);
    assertThat(metrics.get(Metric.BACKLOG_AT_END).value()).isEqualTo(23);
  }

  @Test
  void residentMemoryIsThatOfEachProcessNow() {
    TrialRecord made = trial(FakeRun.settings("put"));
    assertThat(made.value(Metric.RESIDENT_BYTES_OF + "node-1").orElseThrow()).isEqualTo(100 << 20);
  }

  @Test
  void everyAttemptHasItsOwnHistograms() {
    run.grid().dies("agent-0", Command.Verify.class, 1);
    RunFolder folder = run.recorded(FakeRun.blocksOf(1, "put"));
    assertThat(folder.trials())
        .flatExtracting(TrialRecord::artefacts)
        .hasSize(2 * 2)
        .doesNotHaveDuplicates()
        .allMatch(artefact -> Files.exists(folder.file(artefact.file())));
  }

  private List<Interval> cpuOf(Settings settings) throws IOException {
    RunFolder folder = run.recorded(FakeRun.groupOf("put", settings.with("common-warm-up", 0)));
    TrialRecord made = folder.trials().get(0);
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    return JsonLines.read(folder, made.artefacts(), CpuLog.KIND, CpuLog.Interval.class);
  }

  /** Fake processes use a quarter of a CPU each, the machine is busy with two. */
  @Test
  void cpuTimeIsReadOnceASecondOfEveryProcessAndOfTheMachine() throws IOException {
    run.machine(
        () -> {
          double now = run.time().seconds();
          MachineReading.Cpu cpu = new MachineReading.Cpu(2, 2 * now, now / 10, 0);
          return run.reading(Optional.of(cpu), Optional.empty());
        });
    List<Interval> cpu = cpuOf(FakeRun.settings("put"));
    for (String process : List.of("agent-0", "node-0", "node-1")) {
      for (What what : List.of(What.USED, What.COMPILED)) {
        assertThat(cpu)
            .filteredOn(each -> each.process().equals(process) && each.what() == what)
            .hasSizeBetween(3, 4);
      }
    }
    assertThat(cpu).allMatch(each -> each.to() > each.from() && each.to() < 3.5);
    Map.of(What.USED, 0.25, What.COMPILED, 0.1, What.OTHERS, 1.25, What.STOLEN, 0.1)
        .forEach(
            (what, cpus) ->
                assertThat(cpu)
                    .filteredOn(each -> each.what() == what)
                    .isNotEmpty()
                    .allMatch(each -> Math.abs(each.cpus() - cpus) < 1e-6));
  }

  /** Two hosts of one machine, on which others are busy with one CPU of four. */
  @Test
  void anotherMachineIsReadOnceASecondByAProcessOnIt() throws IOException {
    run.hosts(FakeRun.host("east-1", "10.0.0.2", "env"), FakeRun.host("east-2", "10.0.0.2", "env"));
    for (String process : List.of("node-0", "node-1", "agent-0")) {
      run.grid()
          .on(
              process,
              Command.ReadCpu.class,
              (it, told) -> Optional.of(inTheEast(run.time().seconds())));
    }
    List<Interval> cpu = cpuOf(FakeRun.settings("put"));
    String machine = CpuLog.MACHINE + " east-1, east-2";
    for (What what : List.of(What.OTHERS, What.STOLEN)) {
      assertThat(cpu)
          .filteredOn(each -> each.what() == what)
          .hasSizeBetween(3, 4)
          .allMatch(each -> each.process().equals(machine))
          .allMatch(each -> each.ofCpus().equals(Optional.of(4)))
          .allMatch(each -> Math.abs(each.cpus() - (what == What.OTHERS ? 1 : 0.1)) < 1e-3);
    }
    assertThat(cpu)
        .filteredOn(each -> each.what() == What.THROTTLED)
        .as("the quota of a container stops every process in it")
        .extracting(Interval::process)
        .contains("node-0", "node-1", "agent-0");
  }

  private Answer.Cpu inTheEast(double seconds) {
    return new Answer.Cpu(
        seconds / 4,
        0,
        ChronoUnit.MICROS.between(Instant.EPOCH, run.time().now()),
        Optional.of(
            new MachineReading(
                "east",
                Optional.of(new MachineReading.Cpu(4, 1.75 * seconds, seconds / 10, 4 * seconds)),
                Optional.of(new MachineReading.Throttled(Math.round(seconds), seconds / 2)),
                Optional.empty(),
                0,
                0)));
  }

  @Test
  void aProcessThatDoesNotTellItsCpuTimeDelaysNoTrial() throws IOException {
    run.grid().hangs("node-0", Command.ReadCpu.class, 0);
    double before = run.time().seconds();
    List<Interval> cpu = cpuOf(FakeRun.settings("put"));
    assertThat(run.time().seconds() - before).isLessThan(30);
    List<Interval> used = cpu.stream().filter(each -> each.what() == What.USED).toList();
    assertThat(used).filteredOn(each -> each.process().equals("node-0")).hasSize(2);
    assertThat(used).filteredOn(each -> each.process().equals("node-1")).hasSize(3);
  }

  /** The wall clock of the agent's host is an hour ahead; the call began after half a second. */
  @Test
  void slowCallsOfAnotherHostAreOnTheCoordinatorsClock() throws IOException {
    run.hosts(FakeRun.host("east", "10.0.0.2", "env"));
    Duration hour = Duration.ofHours(1);
    Supplier<Long> ahead =
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, run.time().now().plus(hour));
    AtomicLong measured = new AtomicLong();
    run.grid()
        .on(
            "agent-0",
            Command.ReadCpu.class,
            (it, told) -> Optional.of(new Answer.Cpu(1, 0, ahead.get(), Optional.empty())));
    run.grid().before("agent-0", Command.Measure.class, 0, () -> measured.set(ahead.get()));
    run.grid()
        .on("agent-0", Command.Finish.class, (it, told) -> Optional.of(finished(measured.get())));
    RunFolder folder =
        run.recorded(FakeRun.groupOf("put", FakeRun.settings("put").with("common-warm-up", 0)));
    TrialRecord made = folder.trials().get(0);
    assertThat(made.outcome()).as(made.why().toString()).isEqualTo(Outcome.OK);
    assertThat(made.value(Metric.CLOCK_AHEAD + "agent-0")).contains((double) hour.toMillis());
    assertThat(made.value(Metric.CLOCK_ERROR + "agent-0")).contains(0.0);
    assertThat(made.value(Metric.FIRST_CALL)).as("ms, of a cold start").contains(8.0);
    List<SlowCallLog.OfOperation> slow =
        JsonLines.read(folder, made.artefacts(), SlowCallLog.KIND, SlowCallLog.OfOperation.class);
    assertThat(slow).hasSize(1);
    assertThat(slow.get(0).calls().get(0).beginMicros()).isBetween(490_000L, 510_000L);
  }

  /** A call of 6 ms that began half a second after the measured part. */
  private static Answer finished(long measuredFrom) {
    String text = FakeGrid.encoded(5_000_000, 1);
    Slowest.OfOperation calls =
        new Slowest.OfOperation(-1, List.of(new SlowCall(500_000, 6_000_000, 0)));
    return new Answer.Finished(
        2,
        180,
        180,
        0,
        0,
        List.of(),
        List.of(new Answer.Interval(0, 2, Map.of("put", text))),
        0,
        Optional.empty(),
        Map.of(),
        Optional.of(new Slowest(measuredFrom, Map.of("put", calls))),
        8_000);
  }

  private void stallsAreRecorded(List<Reading> readings) {
    Answer prepared = new Answer.RecordingPrepared(Map.of(), Optional.empty());
    Answer recorded = new Answer.Recorded(3, readings, List.of());
    for (String process : List.of("node-0", "node-1", "agent-0")) {
      run.grid()
          .answers(process, Command.PrepareRecording.class, prepared)
          .answers(process, Command.StopRecording.class, recorded);
    }
  }

  @Test
  void aRecorderThatHangsCostsHalfAMinuteAndNotTheTrial() {
    run.grid().hangs("node-1", Command.PrepareRecording.class, 0);
    stallsAreRecorded(List.of(Reading.lower("user", 2, "s")));
    TrialRecord made = trial(FakeRun.settings("put").with("telemetry", "stalls"));
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(made.configuration().get(TrialRecord.UNAVAILABLE)).contains("node-1");
    assertThat(made.metrics())
        .containsKey("stalls.user.node-0")
        .doesNotContainKey("stalls.user.node-1");
    assertThat(made.timeline().phases()).isEqualTo(new Phases(30, 1, 3, 0, 0));
  }

  @Test
  void theMeasuredPartIsRecordedAndItsReadingsAreMetricsWithTheirDirection() {
    stallsAreRecorded(
        List.of(Reading.lower("user", 2, "s"), Reading.neutral("faults", 1, "faults")));
    TrialRecord made = trial(FakeRun.settings("put").with("telemetry", "stalls"));
    assertThat(made.metrics())
        .containsEntry("stalls.user.nodes", Metric.lowerIsBetter(4, "s"))
        .containsEntry("stalls.faults.agent-0", Metric.neutral(1, "faults"));
    assertThat(made.configuration()).doesNotContainKey(TrialRecord.UNAVAILABLE);
    assertThat(run.grid().order())
        .containsSubsequence(
            "agent-0 Prepare",
            "agent-0 PrepareRecording",
            "agent-0 Begin",
            "agent-0 StartRecording",
            "agent-0 Measure",
            "agent-0 Finish",
            "agent-0 StopRecording",
            "agent-0 Verify");
  }

  private static Host cuttable(Path log) {
    return FakeRun.severable(
        "east",
        List.of("sh", "-c", "echo cut >> " + log),
        List.of("sh", "-c", "echo heal >> " + log));
  }

  @Test
  void aPartitionIsCutAndHealedWithinTheMeasuredPartAndStandsInTheRecord() throws IOException {
    Path log = runs.resolve("log");
    run.hosts(cuttable(log));
    boolean[] cut = new boolean[1];
    run.grid().samples(() -> (cut[0] = isCut(log)) ? 0 : 100);
    TrialRecord made = trial(FakeRun.settings("put").with("cut-after", 1).with("cut-for", 1));
    assertThat(Files.readAllLines(log)).containsExactly("cut", "heal");
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(made.configuration())
        .containsEntry("cut.hosts", "east")
        .containsEntry("cut.longest-pause", "1.0 s");
  }

  private static boolean isCut(Path log) {
    try {
      return Files.exists(log) && Files.readAllLines(log).size() == 1;
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void aPartitionIsHealedWhenItsTrialFails() throws IOException {
    Path log = runs.resolve("log");
    run.hosts(cuttable(log));
    int[] ticks = new int[1];
    run.time()
        .onTick(
            () -> {
              if (isCut(log) && ticks[0]++ == 3) {
                run.grid().living().get(0).die("was killed");
              }
            });
    TrialRecord made = trial(FakeRun.settings("put").with("cut-after", 1).with("cut-for", 60));
    assertThat(made.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(Files.readAllLines(log).subList(0, 2)).containsExactly("cut", "heal");
  }

  @Test
  void theCommonWarmUpEndsAtItsLimitAndTheTrialIsMarked() {
    run.grid().compiledAfter(10_000);
    List<TrialSpec> trials = new ArrayList<>();
    for (String path : List.of("put", "get", "scan")) {
      Settings settings = FakeRun.settings(path).with("common-warm-up", 30);
      trials.add(FakeRun.trial(trials.size(), 0, path, settings));
    }
    List<TrialRecord> made =
        run.run(List.of(new Group(0, Settings.NONE.with("nodes", 1).with("agents", 1), trials)));
    assertThat(run.grid().told(Command.Prepare.class).stream().filter(it -> it.trial().warmsUp()))
        .hasSizeBetween(8, 12);
    assertThat(made)
        .allSatisfy(
            trial ->
                assertThat(trial.validity())
                    .filteredOn(check -> check.name().equals(Check.JIT_COMPILERS))
                    .hasSize(1)
                    .allMatch(check -> check.disturbed() && !check.fromOutside()));
  }

  @Test
  void theCommonWarmUpWritesNoMoreKeysThanItCanAndRemovesThem() {
    Settings large = FakeRun.settings("put").with("records", 5_000_000);
    run.run(FakeRun.groupOf("put", large));
    List<Command.Prepare> prepared = run.grid().told(Command.Prepare.class);
    assertThat(prepared)
        .extracting(it -> it.trial().settings().number("records"))
        .containsExactly(20_000L, 5_000_000L);
    assertThat(run.grid().order().stream().filter("agent-0 TearDown"::equals)).hasSize(1);
    assertThat(prepared.get(0).trial().seed()).isNotEqualTo(prepared.get(1).trial().seed());
  }

  private static final Settings ONCE =
      FakeRun.settings("put")
          .with("keys", "once")
          .with("records", 7_500)
          .with("warm-up", 30.0)
          .with("measure", 1.0)
          .with("drain-timeout", 5.0);

  @Test
  void aLoadOnceLastsUntilAllIsWrittenAndHasNoWarmUp() {
    TrialRecord made = trial(ONCE);
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(made.value(Metric.LOADED))
        .hasValueSatisfying(s -> assertThat(s).isBetween(7.4, 8.0));
    assertThat(made.timeline().warmUp().settled()).isTrue();
    assertThat(made.timeline().measuredFrom()).isZero();
    double cpuSeconds = made.value(Metric.CPU_SECONDS_OF + "agent-0").orElseThrow();
    assertThat(made.value(Metric.DEMAND_OF_CLIENTS + Metric.DEMAND_CPU).orElseThrow())
        .as("µs for a record")
        .isCloseTo(1e6 * cpuSeconds / made.counts().records(), within(1e-6));
    assertThat(run.grid().order()).noneMatch(told -> told.endsWith("Measure"));
  }

  @Test
  void aLoadOnceThatStopsHalfWayFails() {
    AtomicInteger tenths = new AtomicInteger();
    run.grid().samples(() -> tenths.getAndIncrement() < 30 ? 100 : 0);
    TrialRecord made = trial(ONCE);
    assertThat(made.outcome()).isEqualTo(Outcome.FAILED);
  }

  @Test
  void aLoadOnceWithAFailedCallIsNoLoad() {
    run.grid().answers("agent-0", Command.Finish.class, FakeGrid.finished(7.5, 7_499, 1));
    TrialRecord made = trial(ONCE);
    assertThat(made.outcome()).isEqualTo(Outcome.WRONG);
    assertThat(made.why()).contains(Messages.format("coordinator.load-incomplete", 1, ""));
    assertThat(made.throughput()).isEmpty();
  }

  private static final Settings SLOW = FakeRun.settings("put").with("node-cpus", 0.2);
  private static final Settings FAST =
      FakeRun.settings("put").with("node-cpus", 0.4).with("agent-cpus", 1.5);

  private void runTrials(Settings... trials) {
    List<TrialSpec> specs =
        IntStream.range(0, trials.length)
            .mapToObj(i -> FakeRun.trial(i, 0, "put", trials[i].with("quota-period", 0.01)))
            .toList();
    assertThat(run.run(List.of(new Group(0, specs.get(0).settings(), specs))))
        .extracting(TrialRecord::outcome)
        .containsOnly(Outcome.OK);
  }

  private FakeProcess last(String name) {
    return run.grid().started(name).stream().reduce((a, b) -> b).orElseThrow();
  }

  /** CPU quotas hold processes back while a trial loads them, and at no other time. */
  @Test
  void trialsWithDifferentQuotasShareProcessesAndEachHasItsOwn() {
    runTrials(SLOW, FAST, FakeRun.settings("put"));
    FakeProcess agent = last("agent-0");
    FakeProcess node = last("node-0");
    assertThat(agent.quotasAt(Command.Measure.class)).containsExactly(0.0, 1.5, 0.0);
    assertThat(node.quotasAt(Command.Usage.class)).contains(0.2, 0.4);
    assertThat(agent.quotasAt(Command.Prepare.class)).containsOnly(0.0);
    assertThat(agent.quotasAt(Command.Verify.class)).containsOnly(0.0);
    assertThat(agent.quotasAt(Command.Begin.class))
        .as("the common warm-up has none")
        .startsWith(0.0)
        .endsWith(0.0, 1.5, 0.0);
  }
}
