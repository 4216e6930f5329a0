package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Attempts;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ContentDigest;
import io.pyrometer.protocol.Evidence;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run does when a process dies, hangs, refuses or talks nonsense, in every phase. */
class ProcessFailureTest {
  @TempDir Path runs;
  private FakeRun run;

  @BeforeEach
  void newRun() {
    run = new FakeRun(runs);
  }

  /** How a process fails when it is told a command, and what is said of it. */
  private enum Failure {
    DIES,
    HANGS,
    REFUSES,
    SAYS_NONSENSE;

    void plant(FakeGrid grid, Moment moment) {
      switch (this) {
        case DIES -> grid.dies(moment.process, moment.command, moment.skip);
        case HANGS -> grid.hangs(moment.process, moment.command, moment.skip);
        case REFUSES ->
            grid.refuses(moment.process, moment.command, moment.skip, 1, "There is no room.");
        case SAYS_NONSENSE -> grid.saysNonsense(moment.process, moment.command, moment.skip);
      }
    }

    String sentence(Moment moment) {
      String command = moment.command.getSimpleName();
      return switch (this) {
        case DIES -> moment.process + " was killed (exit code 137).";
        case HANGS ->
            "%s did not answer %s within %d s and was killed"
                .formatted(moment.process, command, moment.seconds);
        case REFUSES -> moment.process + ": There is no room.";
        case SAYS_NONSENSE ->
            "%s answered %s with Hello, which is not of this version."
                .formatted(moment.process, command);
      };
    }
  }

  /**
   * A command in the course of a run of the paths 'put' and 'get' over a relay.
   *
   * @param skip commands of the kind before it
   * @param seconds that the process may take to answer
   * @param what the sentence says the run was about to do
   */
  private record Moment(
      String process, Class<? extends Command> command, int skip, int seconds, String what) {}

  private static final String START = "The grid did not start: ";
  private static final String WARM = "The common warm-up failed: ";

  /** The first trial's set-up is preceded by two turns of common warm-up, one a path. */
  private static final List<Moment> MOMENTS =
      List.of(
          new Moment("node-0", Command.ReservePorts.class, 0, 20, START),
          new Moment("node-1", Command.StartServer.class, 0, 90, START),
          new Moment("node-1", Command.AwaitServers.class, 0, 310, START),
          new Moment("relay-0", Command.StartRelay.class, 0, 20, START),
          new Moment("agent-0", Command.OpenSession.class, 0, 90, START),
          new Moment("agent-1", Command.OpenSession.class, 0, 90, START),
          new Moment("agent-0", Command.Prepare.class, 0, 180, WARM),
          new Moment("agent-1", Command.Prepare.class, 0, 180, WARM),
          new Moment("relay-0", Command.SetShape.class, 0, 20, WARM),
          new Moment("node-0", Command.Usage.class, 0, 20, WARM),
          new Moment("agent-1", Command.Begin.class, 0, 20, WARM),
          new Moment("agent-1", Command.Finish.class, 0, 15, WARM),
          new Moment("agent-1", Command.Verify.class, 0, 180, WARM),
          new Moment("agent-0", Command.TearDown.class, 0, 60, WARM),
          // Without load, between the common warm-up and the first trial.
          new Moment("node-0", Command.Usage.class, 6, 20, START),
          new Moment("node-1", Command.Usage.class, 8, 20, "Failed during set-up: "),
          new Moment("agent-0", Command.Prepare.class, 2, 180, "Failed during set-up: "),
          new Moment("agent-1", Command.Prepare.class, 2, 180, "Failed during set-up: "),
          new Moment("relay-0", Command.SetShape.class, 2, 20, "Failed during set-up: "),
          new Moment("agent-0", Command.Begin.class, 2, 20, "Failed during warm-up: "),
          new Moment("agent-1", Command.Measure.class, 0, 20, "Failed during measurement: "),
          new Moment("node-1", Command.Usage.class, 10, 20, "Failed during measurement: "),
          new Moment("relay-0", Command.Usage.class, 7, 20, "Failed during measurement: "),
          new Moment("agent-0", Command.Finish.class, 2, 15, "Failed during measurement: "),
          new Moment("agent-1", Command.Verify.class, 2, 180, "Failed during verification: "),
          new Moment("agent-0", Command.TearDown.class, 2, 60, "Failed during tear-down: "),
          new Moment("agent-1", Command.TearDown.class, 2, 60, "Failed during tear-down: "));

  private static Stream<Arguments> everyFailureAtEveryMoment() {
    return MOMENTS.stream()
        .flatMap(
            moment -> Stream.of(Failure.values()).map(failure -> Arguments.of(moment, failure)));
  }

  private static Settings relayed(String path) {
    return FakeRun.settings(path)
        .with("agents", 2)
        .with("client-relay", true)
        .with("client-delay", 0.001)
        .with("client-jitter", 0)
        .with("client-rate", 0)
        .with("client-loss", 0);
  }

  private static List<Group> twoPathsOverARelay() {
    List<TrialSpec> trials =
        List.of(
            FakeRun.trial(0, 0, "put", relayed("put")), FakeRun.trial(1, 0, "get", relayed("get")));
    return List.of(new Group(0, Settings.NONE.with("nodes", 2).with("agents", 2), trials));
  }

  /** The creator finds what both agents wrote. */
  private void allIsThere() {
    run.grid().on("agent-0", Command.Verify.class, 0, Integer.MAX_VALUE, (it, told) -> found(20));
  }

  private static Optional<Answer> found(long records) {
    ContentDigest own = new ContentDigest(10, 42);
    return Optional.of(
        new Answer.Verified(
            new Evidence.Contents(
                own, Optional.of(new ContentDigest(records, records / 10 * 42)))));
  }

  @ParameterizedTest
  @MethodSource("everyFailureAtEveryMoment")
  void oneTrialFailsInOneSentenceAndIsRepeatedOnFreshProcesses(Moment moment, Failure failure) {
    failure.plant(run.grid(), moment);
    allIsThere();
    List<TrialRecord> made = run.run(twoPathsOverARelay());
    List<TrialRecord> failed =
        made.stream().filter(trial -> trial.outcome() == Outcome.FAILED).toList();
    assertThat(failed).hasSize(1);
    assertThat(failed.get(0).why().orElse("")).startsWith(moment.what + failure.sentence(moment));
    assertThat(failed.get(0).throughput()).isEmpty();
    assertThat(Attempts.selectedAttempts(made))
        .hasSize(2)
        .allMatch(trial -> trial.outcome() == Outcome.OK)
        .filteredOn(trial -> trial.id().equals(failed.get(0).id()))
        .allMatch(trial -> trial.attempt() == 2);
    assertThat(starts("node-0")).isEqualTo(2);
    assertThat(run.grid().living()).isEmpty();
  }

  private long starts(String process) {
    return run.grid().started().stream().filter(it -> it.name().equals(process)).count();
  }

  private static List<String> everyProcess() {
    return List.of("node-0", "node-1", "agent-0", "agent-1", "relay-0");
  }

  @ParameterizedTest
  @MethodSource("everyProcess")
  void aProcessThatCrashesAtAnyMomentCostsAtMostOneAttempt(String process) {
    for (int tenth = 1; tenth < 150; tenth += 7) {
      run = new FakeRun(runs);
      allIsThere();
      int at = tenth;
      int[] ticks = new int[1];
      run.time()
          .onTick(
              () -> {
                if (++ticks[0] == at) {
                  run.grid().living().stream()
                      .filter(it -> it.name().equals(process))
                      .forEach(it -> it.die("ended with exit code 3"));
                }
              });
      List<TrialRecord> made = run.run(twoPathsOverARelay());
      assertThat(Attempts.selectedAttempts(made))
          .as("%s crashes after %d tenths", process, at)
          .hasSize(2)
          .allMatch(trial -> trial.outcome() == Outcome.OK);
      assertThat(made.stream().filter(trial -> trial.outcome() == Outcome.FAILED))
          .hasSizeLessThan(2)
          .allMatch(trial -> trial.why().orElse("").endsWith(process + " ended with exit code 3."));
      assertThat(run.grid().living()).isEmpty();
    }
  }

  @Test
  void aTrialThatFailsTwiceIsKeptAsFailedAndTheRestOfTheRunIsMade() {
    run.grid()
        .on(
            "agent-0",
            Command.Prepare.class,
            0,
            Integer.MAX_VALUE,
            (it, told) ->
                told instanceof Command.Prepare prepare && prepare.trial().path().equals("bad")
                    ? Optional.of(new Answer.Failed("No such cache."))
                    : Optional.of(new Answer.Prepared(Map.of())));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(2, "bad"));
    assertThat(made).extracting(TrialRecord::attempt).containsExactly(1, 2, 1, 2);
    assertThat(made)
        .extracting(trial -> trial.why().orElse(""))
        .containsOnly(WARM + "agent-0: No such cache.");
    assertThat(run.blocks()).containsExactly(0, 1);
  }

  @Test
  void histogramsThatCannotBeReadFailTheTrialAndNotTheRun() {
    run.grid()
        .on(
            "agent-0",
            Command.Finish.class,
            1,
            1,
            (it, told) ->
                Optional.of(
                    new Answer.Finished(
                        3,
                        3_000,
                        3_000,
                        0,
                        0,
                        List.of(),
                        List.of(new Answer.Interval(0, 3, Map.of("put", "garbage"))),
                        0,
                        Optional.empty())));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(made.get(0).why().orElseThrow())
        .startsWith("Failed during measurement: ")
        .contains("latencies", "cannot be read");
  }

  /** One start may find its ports taken twice; at the third time it has failed. */
  @ParameterizedTest
  @CsvSource({"1, 2, 0", "2, 3, 0", "3, 4, 1", "5, 6, 1"})
  void aStartWithTakenPortsIsMadeAgainWithFreshOnes(int taken, int starts, int failed) {
    portTaken(taken);
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(starts("node-0")).isEqualTo(starts);
    assertThat(made.stream().filter(trial -> trial.outcome() == Outcome.FAILED)).hasSize(failed);
    assertThat(made.get(made.size() - 1).outcome()).isEqualTo(Outcome.OK);
    assertThat(run.grid().told(Command.StartServer.class).stream().map(it -> it.ports().get(0)))
        .doesNotHaveDuplicates()
        .hasSize(2 * starts);
    assertThat(run.grid().living()).isEmpty();
  }

  private void portTaken(int times) {
    run.grid()
        .on(
            "node-1",
            Command.StartServer.class,
            0,
            times,
            (it, told) -> Optional.of(new Answer.PortTaken("Port 47500 is taken.")));
  }

  @Test
  void aRunOfWhichNothingStartsIsNotMadeToItsEnd() {
    run.grid()
        .refuses("node-0", Command.StartServer.class, 0, Integer.MAX_VALUE, "No such option.");
    PlannedRun plan = run.plan(FakeRun.blocksOf(6, "put"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("did not start in any trial so far: node-0: No such option.")
        .hasMessageContaining("The logs are in " + folder.path());
    assertThat(starts("node-0")).as("two of each of two blocks").isEqualTo(4);
    assertThat(folder.trials()).allMatch(trial -> trial.outcome() == Outcome.FAILED);
    assertThat(run.grid().living()).isEmpty();
  }

  /** The ids of the trials of a run that nothing disturbs. */
  private static final List<String> ALL =
      List.of("0001-b1-put", "0002-b1-get", "0003-b2-put", "0004-b2-get");

  @Test
  void aRunThatIsEndedAtAnyMomentLeavesNoProcessAndNoFalseRecordAndIsResumed() {
    for (int tenth = 1; tenth < 260; tenth += 7) {
      run = new FakeRun(runs).probes(ProbeKind.ORDER);
      FakeRun ended = run;
      int at = tenth;
      int[] ticks = new int[1];
      run.time()
          .onTick(
              () -> {
                if (++ticks[0] == at) {
                  ended.grid().endCoordinator();
                }
              });
      PlannedRun plan = run.plan(FakeRun.blocksOf(2, "put", "get"));
      RunFolder folder = run.begin(plan);
      run.resume(plan, folder);
      String when = "ended after %d tenths".formatted(at);
      assertThat(run.grid().living()).as(when).isEmpty();
      List<TrialRecord> kept = folder.trials();
      assertThat(kept).as(when).allMatch(trial -> trial.outcome() == Outcome.OK);
      assertThat(kept.stream().map(TrialRecord::id))
          .as(when)
          .containsExactlyElementsOf(ALL.subList(0, kept.size()));
      assertThat(folder.probes()).as(when).allMatch(probe -> probe.why().isEmpty());
      List<TrialRecord> resumed = new FakeRun(runs).probes(ProbeKind.ORDER).resume(plan, folder);
      assertThat(resumed).as(when).extracting(TrialRecord::id).containsExactlyElementsOf(ALL);
      assertThat(folder.probes()).as(when).hasSize(2);
    }
  }

  @Test
  void theCreatorPreparesFirstAndTearsDownLast() {
    Settings settings = FakeRun.settings("put").with("agents", 3).with("common-warm-up", 0);
    run.probes(ProbeKind.READ);
    run.grid().on("agent-0", Command.Verify.class, 0, Integer.MAX_VALUE, (it, told) -> found(30));
    run.run(FakeRun.groupOf("put", settings));
    assertThat(run.grid().order().stream().filter(it -> it.matches(".* (Prepare|TearDown)")))
        .containsExactly(
            "agent-0 Prepare",
            "agent-1 Prepare",
            "agent-2 Prepare",
            "agent-1 TearDown",
            "agent-2 TearDown",
            "agent-0 TearDown");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void severalAgentsAddUpAndOnlyTheFirstIsTheCreator(int agents) {
    run.grid()
        .on(
            "agent-0",
            Command.Verify.class,
            0,
            1,
            (it, told) ->
                Optional.of(
                    new Answer.Verified(
                        new Evidence.Contents(
                            new ContentDigest(10, 42),
                            Optional.of(new ContentDigest(10L * agents, 42L * agents))))));
    Settings settings = FakeRun.settings("put").with("agents", agents).with("common-warm-up", 0);
    TrialRecord made = run.run(FakeRun.groupOf("put", settings)).get(0);
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(Math.round(made.throughput().orElseThrow())).isEqualTo(1_000L * agents);
    assertThat(made.timeline().samples()).contains(100L * agents);
    List<Command.Prepare> prepared = run.grid().told(Command.Prepare.class);
    assertThat(prepared).extracting(Command.Prepare::creator).startsWith(true).hasSize(agents);
    assertThat(prepared.stream().filter(Command.Prepare::creator)).hasSize(1);
    assertThat(run.grid().told(Command.OpenSession.class))
        .extracting(Command.OpenSession::index)
        .containsExactlyElementsOf(IntStream.range(0, agents).boxed().toList());
  }

  @Test
  void theUserIsToldEveryPhaseAndHowMuchIsDone() {
    run.probes(ProbeKind.KILL);
    run.run(FakeRun.blocksOf(1, "put", "get"));
    assertThat(run.nows().stream().map(Progress.Now::phase).distinct())
        .containsExactly(
            "process start",
            "warm-up of put",
            "warm-up of get",
            "set-up",
            "warm-up",
            "measurement",
            "verification",
            "tear-down",
            "probe kill");
    assertThat(run.nows()).extracting(Progress.Now::done).isSorted().contains(0, 1, 2);
    assertThat(run.nows())
        .filteredOn(now -> now.phase().equals("measurement"))
        .allMatch(now -> Math.abs(now.recordsPerSecond() - 1_000) < 1)
        .allMatch(now -> now.total() == 2 && now.secondsLeft() >= 0);
  }

  @Test
  void theLogsOfEveryStartStandApart() {
    run.grid().refuses("node-0", Command.StartServer.class, 0, 1, "No.");
    run.run(FakeRun.blocksOf(2, "put"));
    assertThat(run.grid().launches().stream().map(launch -> launch.log().getFileName().toString()))
        .doesNotHaveDuplicates()
        .contains("block-1-start-1-node-0.log", "block-1-start-2-node-0.log")
        .contains("block-2-start-3-agent-0.log");
  }

  @Test
  void theProcessesOfAFailedStartAreEndedBeforeTheNextOnesAreStarted() {
    run.grid()
        .on(
            "node-0",
            Command.ReservePorts.class,
            0,
            3,
            (it, told) -> {
              List<FakeProcess> others =
                  run.grid().living().stream().filter(o -> o.name().equals("node-0")).toList();
              assertThat(others).containsExactly(it);
              return Optional.of(new Answer.PortTaken("No port."));
            });
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
  }
}
