package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.testbed.host.PreparedHosts;
import io.pyrometer.coordinator.testbed.host.ProcessLauncher;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One agent that is started before a run, to try or to ask something, and leaves nothing behind.
 * Nothing is made or changed in a grid by it.
 */
final class CheckAgent implements AutoCloseable {
  private final PreparedHosts hosts;
  private final Path folder;
  private final ClusterSpec spec;
  private final ManagedProcess agent;

  /**
   * Starts it.
   *
   * @param group whose settings it has
   * @throws WorkerException with one sentence if it does not start
   */
  CheckAgent(PlannedRun plan, PreparedHosts hosts, ProcessLauncher launcher, Group group) {
    this.hosts = hosts;
    this.folder = folder();
    this.spec =
        new ClusterSpec(
            launcher,
            hosts,
            plan,
            new RunFolder(folder),
            group.settings(),
            plan.classesBefore(group),
            false,
            List.of(),
            group.kind(),
            "check");
    try {
      this.agent = launcher.startAll(List.of(spec.launch(Cluster.AGENT, 0))).get(0);
    } catch (WorkerException failure) {
      clean();
      throw failure;
    }
  }

  /**
   * Connects to the grid that the run attaches to; does nothing for a run that attaches to none.
   */
  void attach() {
    spec.attachedAddresses()
        .ifPresent(
            addresses -> {
              agent.leaveOnKill();
              Answer.Started unused =
                  ask(
                      spec.openSession(agent, 0, 1, addresses, List.of()),
                      Answer.Started.class,
                      Timeouts.START);
            });
  }

  <A extends Answer> A ask(Command command, Class<A> type, Duration limit) {
    return agent.request(command, type, limit);
  }

  /** What went wrong; that it was this agent does not help the reader. */
  static String sentence(WorkerException failure) {
    return failure.sentence().replaceFirst("^agent-\\d+: ", "");
  }

  @Override
  public void close() {
    try {
      agent.stop(Timeouts.STOP);
    } finally {
      clean();
    }
  }

  private void clean() {
    hosts.all().forEach(host -> host.clean(spec.label()));
    WorkFolders.delete(folder);
  }

  private static Path folder() {
    try {
      Path temporary = Files.createTempDirectory("pyrometer-check-");
      Files.createDirectories(temporary.resolve("logs"));
      return temporary;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
