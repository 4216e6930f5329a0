package io.pyrometer.coordinator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeMachine;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.RunFixture;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher.Launch;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceFailureTest extends RunFixture {
  private FakeMachine machine;

  @BeforeEach
  void useNamespaces() {
    run.hosts(Host.NAMESPACES);
    machine = run.namespaces();
  }

  /**
   * Whatever happened, no process is left, neither of the cluster nor one that holds a namespace.
   */
  @AfterEach
  void nothingIsLeft() {
    assertThat(run.grid().living()).isEmpty();
    assertThat(machine.living()).isEmpty();
  }

  private static List<Group> trial() {
    Settings settings =
        FakeRun.settings("put")
            .with("link-delay", 0.01)
            .with("link-jitter", 0)
            .with("link-rate", 0)
            .with("link-loss", 0);
    return FakeRun.groupOf("put", settings);
  }

  private List<TrialRecord> trials() {
    return run.run(trial());
  }

  @Test
  void everyProcessRunsInItsNamespaceAndTheSwitchShapesTheLinks() {
    assertThat(trials()).extracting(TrialRecord::outcome).containsOnly(Outcome.OK);
    assertThat(machine.made()).as("two servers and an agent").isEqualTo(3);
    assertThat(run.grid().launches())
        .filteredOn(launch -> !launch.log().toString().contains("generator"))
        .filteredOn(launch -> !launch.name().equals("switch-0"))
        .extracting(launch -> launch.name() + " " + launch.host().prefix())
        .containsExactly(
            "node-0 [nsenter, -t, 1000, -n]",
            "node-1 [nsenter, -t, 1001, -n]",
            "agent-0 [nsenter, -t, 1002, -n]");
    // Plain links for the set-up, shaped ones for the load, plain ones again for the rest.
    List<Command.SetShape> shapes = run.grid().told(Command.SetShape.class);
    assertThat(shapes.get(0).shape()).isEqualTo(Shape.PLAIN);
    assertThat(shapes).anyMatch(set -> set.shape().delaySeconds() == 0.01);
    assertThat(shapes.get(shapes.size() - 1).shape()).isEqualTo(Shape.PLAIN);
  }

  @Test
  void aSwitchIsStartedAndWiredWithEachCluster() {
    run.grid().dies("agent-0", Command.Measure.class, 0);
    List<TrialRecord> made = trials();
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(run.grid().launches())
        .extracting(Launch::name)
        .filteredOn("switch-0"::equals)
        .hasSize(2);
    assertThat(run.grid().told(Command.StartSwitch.class))
        .hasSize(2)
        .allMatch(start -> start.devices().size() == 3);
    assertThat(machine.commands("netns 1000")).hasSize(2);
    assertThat(machine.made()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unshare --net true", "ip tuntap add"})
  void aMachineWithoutNamespacesOrShapedLinksIsRefused(String command) {
    machine.refuses(command);
    assertThatThrownBy(this::trials).isInstanceOf(WorkerException.class);
    assertThat(machine.made()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dies", "hangs", "refuses"})
  void aSwitchThatFailsIsNamedAndTheTrialIsMadeAgain(String how) {
    switch (how) {
      case "dies" -> run.grid().dies("switch-0", Command.SetShape.class, 0);
      case "hangs" -> run.grid().hangs("switch-0", Command.StartSwitch.class, 0);
      default -> run.grid().refuses("switch-0", Command.StartSwitch.class, 0, 1, "No tun.");
    }
    List<TrialRecord> made = trials();
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(made.get(0).why().orElseThrow()).contains("switch-0");
  }
}
