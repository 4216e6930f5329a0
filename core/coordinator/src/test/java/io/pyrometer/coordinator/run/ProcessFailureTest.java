package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
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
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessFailureTest extends RunFixture {
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
  }

  /**
   * A command in the course of a run of the paths 'put' and 'get' over a relay.
   *
   * @param skip commands of the kind before it
   * @param what the sentence says the run was about to do
   */
  private record Moment(String process, Class<? extends Command> command, int skip, String what) {}

  private static final String START = "The grid did not start: ";
  private static final String WARM = "The common warm-up failed: ";

  /** The first trial's set-up is preceded by two turns of common warm-up, one a path. */
  private static final List<Moment> MOMENTS =
      List.of(
          new Moment("node-0", Command.ReservePorts.class, 0, START),
          new Moment("node-1", Command.StartServer.class, 0, START),
          new Moment("node-1", Command.AwaitServers.class, 0, START),
          new Moment("relay-0", Command.StartRelay.class, 0, START),
          new Moment("agent-0", Command.OpenSession.class, 0, START),
          new Moment("agent-1", Command.OpenSession.class, 0, START),
          new Moment("agent-0", Command.Prepare.class, 0, WARM),
          new Moment("agent-1", Command.Prepare.class, 0, WARM),
          new Moment("relay-0", Command.SetShape.class, 0, WARM),
          new Moment("node-0", Command.Usage.class, 0, WARM),
          new Moment("agent-1", Command.Begin.class, 0, WARM),
          new Moment("agent-1", Command.Finish.class, 0, WARM),
          new Moment("agent-1", Command.Verify.class, 0, WARM),
          new Moment("agent-0", Command.TearDown.class, 0, WARM),
          // Without load, between the common warm-up and the first trial.
          new Moment("node-0", Command.Usage.class, 6, START),
          new Moment("node-1", Command.Usage.class, 8, "Failed during set-up: "),
          new Moment("agent-0", Command.Prepare.class, 2, "Failed during set-up: "),
          new Moment("agent-1", Command.Prepare.class, 2, "Failed during set-up: "),
          new Moment("relay-0", Command.SetShape.class, 2, "Failed during set-up: "),
          new Moment("agent-0", Command.Begin.class, 2, "Failed during warm-up: "),
          new Moment("agent-1", Command.Measure.class, 0, "Failed during measurement: "),
          new Moment("node-1", Command.Usage.class, 10, "Failed during measurement: "),
          new Moment("relay-0", Command.Usage.class, 7, "Failed during measurement: "),
          new Moment("agent-0", Command.Finish.class, 2, "Failed during measurement: "),
          new Moment("agent-1", Command.Verify.class, 2, "Failed during verification: "),
          new Moment("agent-0", Command.TearDown.class, 2, "Failed during tear-down: "),
          new Moment("agent-1", Command.TearDown.class, 2, "Failed during tear-down: "));

  /** Every moment with one of the failures in turn. */
  private static Stream<Arguments> failuresAtEveryMoment() {
    Failure[] all = Failure.values();
    return IntStream.range(0, MOMENTS.size())
        .mapToObj(i -> Arguments.of(MOMENTS.get(i), all[i % all.length]));
  }

  private static Settings relayed(String path) {
    return FakeRun.shaped(FakeRun.settings(path), 0.001)
        .with("agents", 2)
        .with("client-relay", true);
  }

  private static List<Group> twoPathsOverARelay() {
    List<TrialSpec> trials =
        List.of(
            FakeRun.trial(0, 0, "put", relayed("put")), FakeRun.trial(1, 0, "get", relayed("get")));
    return List.of(new Group(0, Settings.NONE.with("nodes", 2).with("agents", 2), trials));
  }

  /** The creator finds what both agents wrote. */
  private void allIsThere() {
    run.grid().answers("agent-0", Command.Verify.class, found(2));
  }

  private static Answer found(int agents) {
    ContentDigest all = new ContentDigest(10L * agents, 42L * agents);
    return new Answer.Verified(
        new Evidence.Contents(new ContentDigest(10, 42), Optional.of(all), 0));
  }

  @ParameterizedTest
  @MethodSource("failuresAtEveryMoment")
  void oneTrialFailsInOneSentenceAndIsRepeatedOnFreshProcesses(Moment moment, Failure failure) {
    failure.plant(run.grid(), moment);
    allIsThere();
    List<TrialRecord> made = run.run(twoPathsOverARelay());
    List<TrialRecord> failed =
        made.stream().filter(trial -> trial.outcome() == Outcome.FAILED).toList();
    assertThat(failed).hasSize(1);
    assertThat(failed.get(0).why().orElse("")).startsWith(moment.what + moment.process);
    assertThat(failed.get(0).throughput()).isEmpty();
    assertThat(Attempts.selectedAttempts(made))
        .hasSize(2)
        .allMatch(trial -> trial.outcome() == Outcome.OK)
        .filteredOn(trial -> trial.id().equals(failed.get(0).id()))
        .allMatch(trial -> trial.attempt() == 2);
    assertThat(run.grid().started("node-0")).hasSize(2);
    assertThat(run.grid().living()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"node-1", "agent-0", "relay-0"})
  void aProcessThatCrashesAtAnyMomentCostsAtMostOneAttempt(String process) {
    for (int tenth = 1; tenth < 150; tenth += 11) {
      run = new FakeRun(runs);
      allIsThere();
      FakeGrid grid = run.grid();
      run.after(
          tenth,
          () ->
              grid.started(process).stream()
                  .filter(FakeProcess::alive)
                  .forEach(it -> it.die("ended with exit code 3")));
      List<TrialRecord> made = run.run(twoPathsOverARelay());
      assertThat(Attempts.selectedAttempts(made))
          .as("%s crashes after %d tenths", process, tenth)
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
    run.grid().refuses("agent-0", Command.Prepare.class, 0, Integer.MAX_VALUE, "No such cache.");
    List<TrialRecord> made = run.run(FakeRun.blocksOf(2, "bad"));
    assertThat(made).extracting(TrialRecord::attempt).containsExactly(1, 2, 1, 2);
    assertThat(run.blocks()).containsExactly(0, 1);
  }

  /** One start may find its ports taken twice; at the third time it has failed. */
  @ParameterizedTest
  @CsvSource({"2, 3, 0", "3, 4, 1"})
  void aStartWithTakenPortsIsMadeAgainWithFreshOnes(int taken, int starts, int failed) {
    run.grid()
        .answers("node-1", Command.StartServer.class, 0, taken, new Answer.PortTaken("Taken."));
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(run.grid().started("node-0")).hasSize(starts);
    assertThat(made.stream().filter(trial -> trial.outcome() == Outcome.FAILED)).hasSize(failed);
    assertThat(made.get(made.size() - 1).outcome()).isEqualTo(Outcome.OK);
    assertThat(run.grid().told(Command.StartServer.class).stream().map(it -> it.ports().get(0)))
        .doesNotHaveDuplicates()
        .hasSize(2 * starts);
    assertThat(run.grid().living()).isEmpty();
  }

  @Test
  void aRunOfWhichNothingStartsIsNotMadeToItsEnd() {
    run.grid()
        .refuses("node-0", Command.StartServer.class, 0, Integer.MAX_VALUE, "No such option.");
    PlannedRun plan = run.plan(FakeRun.blocksOf(6, "put"));
    RunFolder folder = run.begin(plan);
    assertThatThrownBy(() -> run.resume(plan, folder))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("node-0: No such option.")
        .hasMessageContaining(folder.path().toString());
    assertThat(run.grid().started("node-0")).as("two of each of two blocks").hasSize(4);
    assertThat(folder.trials()).allMatch(trial -> trial.outcome() == Outcome.FAILED);
    assertThat(run.grid().living()).isEmpty();
  }

  /** The ids of the trials of a run that nothing disturbs. */
  private static final List<String> ALL =
      List.of("0001-b1-put", "0002-b1-get", "0003-b2-put", "0004-b2-get");

  @Test
  void aRunThatIsEndedAtAnyMomentLeavesNoProcessAndNoFalseRecordAndIsResumed() {
    for (int tenth = 1; tenth < 260; tenth += 13) {
      run = new FakeRun(runs).probes(ProbeKind.ORDER);
      run.after(tenth, run.grid()::endCoordinator);
      PlannedRun plan = run.plan(FakeRun.blocksOf(2, "put", "get"));
      RunFolder folder = run.begin(plan);
      run.resume(plan, folder);
      String when = "ended after %d tenths".formatted(tenth);
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

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void severalAgentsAddUpAndOnlyTheFirstIsTheCreator(int agents) {
    run.grid().answers("agent-0", Command.Verify.class, 0, 1, found(agents));
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
  void histogramsThatCannotBeReadFailTheTrialAndNotTheRun() {
    Answer.Finished garbage = FakeGrid.finished(3, 3_000, 0, Optional.empty(), "garbage");
    run.grid().answers("agent-0", Command.Finish.class, 1, 1, garbage);
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
  }

  @Test
  void theCreatorPreparesFirstAndTearsDownLast() {
    Settings settings = FakeRun.settings("put").with("agents", 3).with("common-warm-up", 0);
    run.probes(ProbeKind.READ);
    run.grid().answers("agent-0", Command.Verify.class, found(3));
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
