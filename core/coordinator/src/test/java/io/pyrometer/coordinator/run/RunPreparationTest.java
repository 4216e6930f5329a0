package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunException;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunPreparationTest extends RunFixture {

  private Optional<GridDescription> preflight(List<Group> groups) {
    return RunPreparation.preflight(
        run.plan(groups), runs, new Distribution(run.distribution()), run.grid()::launcher);
  }

  private static Settings huge(int nodes) {
    return FakeRun.settings("put").with("nodes", nodes).with("node-heap", 1L << 40);
  }

  private static Host host(String name, Optional<String> takes) {
    return new Host(name, List.of(), Host.LOOPBACK, "/tmp", "java", takes, Optional.empty());
  }

  /** 3 nodes of 1 TiB + 200 MiB each, and an agent of 1 + 200 MiB. */
  @Test
  void theLargestGroupMustFitIntoTheMemoryWithAllItsProcesses() {
    List<Group> groups =
        Stream.of(2, 3, 1).map(nodes -> FakeRun.groupOf("put", huge(nodes)).get(0)).toList();
    assertThatThrownBy(() -> preflight(groups))
        .isInstanceOf(RunException.class)
        .hasMessageContaining(" 3,146,529 MB ");
    assertThatThrownBy(() -> preflight(FakeRun.groupOf("put", relayed(huge(3)))))
        .as("and a relay")
        .hasMessageContaining(" 3,146,985 MB ");
  }

  @Test
  void aGridThatDoesNotAnswerIsToldOnceBeforeTheRun() {
    run.attached("10.0.0.1:47500");
    run.grid().refuses("agent-0", Command.OpenSession.class, 0, 1, "No grid at 10.0.0.1:47500.");
    assertThatThrownBy(() -> preflight(FakeRun.blocksOf(3, "put", "get")))
        .isInstanceOf(RunException.class)
        .hasMessage("No grid at 10.0.0.1:47500.");
    assertThat(run.grid().started()).hasSize(1);
    assertThat(run.grid().living()).isEmpty();
  }

  @Test
  void aGridThatAnswersDescribesItselfAndIsLeftAgain() {
    run.attached("10.0.0.1:47500");
    assertThat(preflight(FakeRun.blocksOf(3, "put", "get")).orElseThrow().facts())
        .containsEntry("version", "1");
    assertThat(run.grid().living()).isEmpty();
    assertThat(run.grid().told(Command.Prepare.class)).isEmpty();
  }

  @Test
  void recordsThatAnAttachedGridHasNoRoomForAreRefusedBeforeTheRun() {
    run.attached("10.0.0.1:47500");
    run.grid().refuses("agent-0", Command.CheckRoom.class, 0, 1, "1 record does not fit.");
    List<Group> twoGroups = FakeRun.blocksOf(2, "put", "get");
    assertThatThrownBy(() -> preflight(twoGroups)).hasMessage("1 record does not fit.");
    assertThat(run.grid().told(Command.CheckRoom.class))
        .containsExactly(new Command.CheckRoom(twoGroups.get(0).trials()));
    assertThat(run.grid().told(Command.Prepare.class)).isEmpty();
  }

  /** Two servers of 1 MiB. */
  @Test
  void recordsThatOwnServersCannotHoldAreRefused() {
    Settings fits = FakeRun.settings("put").with("bytes", 2 << 10);
    assertThatCode(() -> preflight(FakeRun.groupOf("put", fits))).doesNotThrowAnyException();
    Settings large = fits.with("bytes", 3 << 10);
    assertThatThrownBy(() -> preflight(FakeRun.groupOf("put", large)))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("'node-heap'");
    Settings onDisk = large.with(FakeRun.ON_DISK, true);
    assertThatCode(() -> preflight(FakeRun.groupOf("put", onDisk))).doesNotThrowAnyException();
    run.attached("10.0.0.1:47500");
    assertThatCode(() -> preflight(FakeRun.groupOf("put", large))).doesNotThrowAnyException();
  }

  @Test
  void fewerRecordsThanThreadsWithKeysOfTheirOwnAreRefused() {
    Settings few = FakeRun.settings("put").with("records", 1).with("threads", 8);
    assertThatThrownBy(() -> preflight(FakeRun.groupOf("put", few)))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("'threads'");
    Settings shared = few.with("key-sharing", "shared");
    assertThatCode(() -> preflight(FakeRun.groupOf("put", shared))).doesNotThrowAnyException();
  }

  @Test
  void aClassOfARecordOrASettingIsTriedOnceBeforeTheRun() {
    RecordShape mine = new RecordShape("mine", Optional.of("com.example.Mine"), List.of());
    TrialSpec named =
        new TrialSpec("t", 0, 0, first.levels(), first.job(), first.settings(), mine, 7);
    Settings set = FakeRun.settings(FakeRun.NAMING).with("class", "com.example.Mine");
    run.grid().refuses("agent-0", Command.LoadClasses.class, 0, 2, "Class 'Mine' is missing.");
    for (Group group :
        List.of(
            new Group(0, groups.get(0).process(), List.of(named)),
            FakeRun.groupOf(FakeRun.NAMING, set).get(0))) {
      assertThatThrownBy(() -> preflight(List.of(group))).hasMessage("Class 'Mine' is missing.");
    }
  }

  @Test
  void everyHostMustHoldItsOwnProcesses() {
    run.hosts(host("left", Optional.of("node")), host("right", Optional.of("agent")));
    assertThatThrownBy(() -> preflight(FakeRun.groupOf("put", huge(3))))
        .hasMessageContaining(" left ")
        .hasMessageContaining(" 3,146,328 MB ")
        .hasMessageNotContaining("\n");
  }

  private static Settings relayed(Settings settings) {
    return FakeRun.shaped(settings, 0).with("client-relay", true);
  }

  @Test
  void oneRelayCannotServeAgentsOfSeveralHosts() {
    List<Group> twoAgents =
        FakeRun.groupOf("put", relayed(FakeRun.settings("put").with("agents", 2)));
    run.hosts(host("left", Optional.empty()), host("right", Optional.empty()));
    assertThatThrownBy(() -> preflight(twoAgents)).isInstanceOf(RunException.class);
    run.hosts(host("left", Optional.of("agent")), host("right", Optional.of("node")));
    assertThatCode(() -> preflight(twoAgents)).as("as it advises").doesNotThrowAnyException();
    run.hosts(host("left", Optional.empty()), host("right", Optional.empty()));
    assertThatCode(
            () -> preflight(FakeRun.groupOf("put", FakeRun.settings("put").with("agents", 2))))
        .as("without a relay")
        .doesNotThrowAnyException();
  }

  @Test
  void aFolderHoldsAllThatARunIsResumedFrom() {
    PlannedRun plan = run.plan(FakeRun.blocksOf(2, "put", "get"));
    Clock clock = Clock.fixed(Instant.parse("2026-11-22T08:09:10Z"), ZoneOffset.UTC);
    RunFolder folder =
        RunPreparation.begin(
            plan, "name: fake\n", runs, new Distribution(run.distribution()), clock);
    assertThat(folder.path().getFileName()).hasToString("20261122-080910-fake");
    assertThat(folder.plan()).isEqualTo(plan);
    assertThat(folder.file("experiment.yaml")).hasContent("name: fake");
    assertThat(folder.read("environment.json", JsonNode.class).toString())
        .contains("\"Fake\":\"1\"", "-Xmx1048576", "2026-11-22T08:09:10Z");
    assertThat(Files.exists(folder.journal())).isFalse();
  }

  private final List<Group> groups = FakeRun.blocksOf(2, "put", "get");
  private final TrialSpec first = groups.get(0).trials().get(0);
}
