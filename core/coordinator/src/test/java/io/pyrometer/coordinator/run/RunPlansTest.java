package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.coordinator.fake.FakeProcess;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher.Launch;
import io.pyrometer.coordinator.trial.GeneratorCeiling;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.Json;
import io.pyrometer.protocol.PathDescription;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunPlansTest extends RunFixture {
  private static Settings process(int nodes) {
    return Settings.NONE.with("nodes", nodes).with("agents", 1);
  }

  private static Group group(int block, int ordinal, Settings process, Settings trial) {
    return new Group(
        block,
        process,
        List.of(FakeRun.trial(ordinal, block, trial.text("path"), trial.with(process))));
  }

  @Test
  void groupsOfABlockHaveProcessesOfTheirOwnSettingsAndTheBlockIsFinishedOnce() {
    List<TrialRecord> made =
        run.run(
            List.of(
                group(0, 0, process(3), FakeRun.settings("put")),
                group(0, 1, process(1), FakeRun.settings("get")),
                group(1, 2, process(3), FakeRun.settings("put")),
                group(1, 3, process(1), FakeRun.settings("get"))));
    assertThat(made).hasSize(4).allMatch(trial -> trial.outcome() == Outcome.OK);
    assertThat(run.grid().started("node-0")).hasSize(4);
    assertThat(run.grid().started("node-2")).hasSize(2);
    assertThat(run.blocks()).containsExactly(0, 1);
    assertThat(run.grid().told(Command.StartServer.class))
        .extracting(Command.StartServer::servers)
        .containsExactly(3, 3, 3, 1, 3, 3, 3, 1);
  }

  @Test
  void everyGroupIsStartedByTheDriverOfItsTreatment() {
    run.drivers("one", "other");
    run.run(
        List.of(
            group(0, 0, process(1).with("driver", "one"), FakeRun.settings("put")),
            group(0, 1, process(1).with("driver", "other"), FakeRun.settings("put"))));
    assertThat(run.grid().launches())
        .extracting(launch -> launch.command().get(launch.command().size() - 1))
        .containsExactly("one", "one", "other", "other");
    assertThat(run.grid().launches().get(2).command())
        .contains(run.distribution() + "/drivers/other/*")
        .doesNotContain(run.distribution() + "/drivers/one/*");
  }

  @Test
  void settingsOfTheProcessesBecomeFlagsOfTheirJvms() {
    Settings process =
        process(1)
            .with("node-heap", 64L << 20)
            .with("agent-heap", 32L << 20)
            .with("compiler", "C1")
            .with("node-jvm-args", " -XX:+UseZGC  -Dx=1 ")
            .with("telemetry", "profile");
    run.run(List.of(group(0, 0, process, FakeRun.settings("put"))));
    assertThat(launch("node-0").command())
        .contains("-Xms67108864", "-Xmx67108864", "-XX:+ExitOnOutOfMemoryError")
        .containsSubsequence(
            "-XX:+DebugNonSafepoints", "-XX:TieredStopAtLevel=1", "-XX:+UseZGC", "-Dx=1", "-cp");
    assertThat(launch("agent-0").command())
        .contains("-Xmx33554432", "-XX:+DebugNonSafepoints", "-XX:TieredStopAtLevel=1")
        .doesNotContain("-XX:+UseZGC");
  }

  private Launch launch(String process) {
    return run.grid().launches().stream()
        .filter(launch -> launch.name().equals(process))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void clientsOfAShapedTrialConnectToTheRelayAndThoseOfAPlainOneToTheNodes() {
    Settings plain = shaped(0);
    List<TrialSpec> trials =
        List.of(
            FakeRun.trial(0, 0, "put", plain.with("path", "put")),
            FakeRun.trial(1, 0, "get", shaped(0.01).with("path", "get")));
    run.run(List.of(new Group(0, process(2), trials)));
    List<Command.Prepare> prepared =
        run.grid().told(Command.Prepare.class).stream()
            .filter(it -> !it.trial().warmsUp())
            .toList();
    assertThat(prepared.get(0).relays()).isEmpty();
    assertThat(prepared.get(1).relays())
        .hasSize(2)
        .allMatch(address -> address.startsWith("127.0.0.1:"));
    assertThat(run.grid().told(Command.StartRelay.class).get(0).targets())
        .containsExactlyElementsOf(clientAddresses());
    assertThat(
            run.grid().told(Command.SetShape.class).stream()
                .map(shape -> shape.shape().delaySeconds()))
        .contains(0.01)
        .doesNotContain(0.0);
  }

  private List<String> clientAddresses() {
    return run.grid().told(Command.StartServer.class).stream()
        .map(start -> "127.0.0.1:" + start.ports().get(0))
        .toList();
  }

  private static Settings shaped(double delay) {
    return FakeRun.shaped(FakeRun.settings("put"), delay);
  }

  @Test
  void anAttachedGridKeepsItsNodesAndItsAgentsLeaveItAndAreAskedToEnd() {
    run.attached("10.0.0.1:47500, 10.0.0.2:47500");
    List<TrialRecord> made = run.run(FakeRun.blocksOf(1, "put"));
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.OK);
    assertThat(run.grid().started()).extracting(FakeProcess::name).containsExactly("agent-0");
    assertThat(run.grid().started()).allMatch(agent -> agent.leaves() && agent.stopped());
    Command.OpenSession session = run.grid().told(Command.OpenSession.class).get(0);
    assertThat(session.attached()).isTrue();
    assertThat(session.peers()).containsExactly("10.0.0.1:47500", "10.0.0.2:47500");
  }

  @Test
  void whatATrialMadeInAnAttachedGridIsTakenAwayAfterTheLastTrialToo() {
    run.attached("10.0.0.1:47500, 10.0.0.2:47500");
    run.run(FakeRun.blocksOf(1, "put", "get"));
    assertThat(run.grid().told(Command.TearDown.class))
        .as("warm-ups, trials, and those under which it is examined")
        .hasSize(6);
    FakeRun own = new FakeRun(runs);
    own.run(FakeRun.blocksOf(1, "put", "get"));
    assertThat(own.grid().told(Command.TearDown.class)).as("of a grid that ends").hasSize(3);
    assertThat(own.grid().started()).noneMatch(FakeProcess::stopped);
  }

  @Test
  void theProbesTakeTheKeysAndTheTimeThatTheirKindNeeds() {
    run.probes(ProbeKind.values());
    run.run(FakeRun.blocksOf(1, "put"));
    List<Command.BeginProbe> begun = run.grid().told(Command.BeginProbe.class);
    assertThat(begun).extracting(Command.BeginProbe::kind).containsExactly(ProbeKind.values());
    assertThat(begun)
        .extracting(probe -> probe.trial().settings().number("records"))
        .containsExactly(2_000L, 200L, 50_000L, 300_000L);
    assertThat(begun).extracting(Command.BeginProbe::seconds).containsExactly(0.8, 1.5, 60.0, 60.0);
    assertThat(run.grid().told(Command.EndProbe.class)).hasSize(4);
  }

  @Test
  void theLastNodeIsKilledAndTheFirstIsLeft() {
    run.probes(ProbeKind.KILL);
    boolean[] firstLives = new boolean[1];
    run.grid()
        .before(
            "agent-0",
            Command.EndProbe.class,
            0,
            () -> {
              List<String> living = run.grid().living().stream().map(FakeProcess::name).toList();
              firstLives[0] = living.contains("node-0") && !living.contains("node-1");
            });
    run.run(FakeRun.blocksOf(1, "put"));
    assertThat(firstLives[0]).isTrue();
  }

  /** Of two treatments in four blocks; the line after the cut is torn. */
  @Test
  void aRunThatIsCutAnywhereIsResumedToTheSameTrials() throws IOException {
    List<Group> groups = FakeRun.blocksOf(4, "put", "get");
    FakeRun first = new FakeRun(runs);
    PlannedRun plan = first.plan(groups);
    RunFolder whole = first.begin(plan);
    List<String> all = first.resume(plan, whole).stream().map(TrialRecord::id).toList();
    List<String> lines = Files.readAllLines(whole.journal());
    assertThat(all).hasSize(lines.size());
    for (int kept = 0; kept <= lines.size(); kept++) {
      FakeRun again = new FakeRun(runs);
      RunFolder cut = again.begin(plan);
      String torn = kept < lines.size() ? lines.get(kept).substring(0, 30) : "";
      Files.write(cut.journal(), lines.subList(0, kept));
      Files.writeString(cut.journal(), torn, StandardOpenOption.APPEND);
      assertThat(again.resume(plan, cut).stream().map(TrialRecord::id))
          .as("resumed after %d trials", kept)
          .containsExactlyElementsOf(all);
      assertThat(again.grid().started().isEmpty()).isEqualTo(kept == lines.size());
    }
  }

  private void installNullDriver() throws IOException {
    DriverDescription driver =
        FakeRun.portless(
            GeneratorCeiling.NULL_DRIVER,
            List.of(),
            List.of(),
            new PathDescription("put", Job.WRITE, true, "", Optional.empty(), List.of()));
    Path folder = Files.createDirectories(run.distribution().resolve("drivers/null"));
    Files.writeString(folder.resolve("driver.json"), Json.LINES.writeValueAsString(driver));
  }

  private static Optional<Check> generator(TrialRecord trial) {
    return trial.validity().stream().filter(check -> check.name().equals("generator")).findFirst();
  }

  @Test
  void theCeilingIsMeasuredWithoutServersOnceARunAndKept() throws IOException {
    installNullDriver();
    run.grid().rate(trial -> trial.id().startsWith("generator-") ? 5_000 : 1_000);
    PlannedRun plan = run.plan(FakeRun.blocksOf(2, "put"));
    RunFolder folder = run.begin(plan);
    run.resume(plan, folder);
    assertThat(run.grid().started()).extracting(FakeProcess::name).startsWith("agent-0", "node-0");
    assertThat(run.grid().launches().get(0).command()).endsWith("null");
    Files.delete(folder.journal());
    FakeRun again = new FakeRun(runs);
    List<TrialRecord> resumed = again.resume(plan, folder);
    assertThat(again.grid().started()).extracting(FakeProcess::name).startsWith("node-0");
    assertThat(Math.round(generator(resumed.get(0)).orElseThrow().value())).isEqualTo(5);
  }

  private static Group huge(int block, int ordinal) {
    Settings process = process(1).with("node-heap", 1L << 50);
    return group(block, ordinal, process, FakeRun.settings("put"));
  }

  @Test
  void aGroupThatDoesNotFitIntoTheMemoryIsNotStartedAndTheOthersAre() {
    run.probes(ProbeKind.ORDER);
    RunFolder folder =
        run.recorded(List.of(huge(0, 0), group(1, 1, process(1), FakeRun.settings("get"))));
    List<TrialRecord> made = folder.trials();
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(made.get(0).attempt()).as("not made again").isEqualTo(2);
    assertThat(run.grid().started("node-0")).hasSize(1);
    assertThat(folder.probes()).as("of the treatment that works").hasSize(1);
  }

  @Test
  void processesAreSpreadOverLocalHostsThatTakeTheirKind() {
    Host nodes = host("left", "127.0.0.2", "node");
    Host agents = host("right", "127.0.0.3", "agent");
    run.hosts(nodes, agents);
    run.run(FakeRun.blocksOf(1, "put"));
    assertThat(launch("node-1").host()).isEqualTo(nodes);
    assertThat(launch("agent-0").host()).isEqualTo(agents);
    assertThat(run.grid().told(Command.ReservePorts.class))
        .extracting(Command.ReservePorts::address)
        .containsExactly("127.0.0.2", "127.0.0.2");
    assertThat(run.grid().told(Command.OpenSession.class).get(0).peers())
        .allMatch(peer -> peer.startsWith("127.0.0.2:"));
  }

  private static Host host(String name, String address, String runs) {
    return new Host(name, List.of(), address, "/tmp", "java", Optional.of(runs), Optional.empty());
  }

  @Test
  void recordsThatAreAllAlikeAreNotProbed() {
    run.probes(ProbeKind.ORDER);
    run.run(FakeRun.groupOf("put", FakeRun.settings("put").with("distinct-records", 1)));
    assertThat(run.grid().told(Command.BeginProbe.class)).isEmpty();
    FakeRun different = new FakeRun(runs).probes(ProbeKind.ORDER);
    different.run(FakeRun.groupOf("put", FakeRun.settings("put").with("distinct-records", 2)));
    assertThat(different.grid().told(Command.BeginProbe.class)).hasSize(1);
  }
}
