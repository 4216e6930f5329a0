package io.pyrometer.coordinator.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.coordinator.fake.FakeGrid;
import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.coordinator.fake.VirtualTime;
import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkersTest {
  @TempDir Path folder;

  @Test
  void allAreToldBeforeAnyIsWaitedForAndTheFirstThatFailedIsNamed() {
    FakeGrid grid = new FakeGrid(new VirtualTime());
    grid.refuses("agent-1", Command.Usage.class, 0, 1, "First.");
    grid.refuses("agent-2", Command.Usage.class, 0, 1, "Second.");
    List<ManagedProcess> agents = grid.start("agent-0", "agent-1", "agent-2");
    assertThatThrownBy(
            () ->
                ManagedProcess.requestAll(
                    agents, i -> new Command.Usage(), Answer.Used.class, Timeouts.QUICK))
        .hasMessage("agent-1: First.");
    assertThat(grid.order()).containsExactly("agent-0 Usage", "agent-1 Usage", "agent-2 Usage");
  }

  /** The spec of a cluster of so many nodes and one agent on this machine. */
  private ClusterSpec cluster(int nodes) {
    PlannedRun plan = new FakeRun(folder).plan(FakeRun.blocksOf(1, "put"));
    return new ClusterSpec(
        new FakeGrid(new VirtualTime()).launcher(() -> {}),
        PreparedHosts.thisMachine(plan, new Distribution(folder)),
        plan,
        new RunFolder(folder),
        FakeRun.settings("put").with("nodes", nodes).with("agents", 1),
        List.of(),
        false,
        List.of(),
        Optional.empty(),
        "start");
  }

  @Test
  void manyProcessesOnFewCpusStartInWavesAndMayTakeLonger() {
    int cpus = Cpus.allowed().size();
    assertThat(cluster(1).crowding()).isEqualTo(1);
    assertThat(cluster(4 * cpus - 1).crowding()).isEqualTo(1);
    assertThat(cluster(12 * cpus - 1).crowding()).isEqualTo(3);
    assertThat(cluster(12 * cpus - 1).serversAtOnce()).isEqualTo(2 * cpus);
    assertThat(Timeouts.session(3)).hasSeconds(270);
  }
}
