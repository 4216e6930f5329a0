package io.pyrometer.lab.run;

import io.pyrometer.lab.journal.PlannedRun;
import io.pyrometer.lab.journal.RunFolder;
import io.pyrometer.lab.process.Distribution;
import io.pyrometer.lab.process.Host;
import io.pyrometer.lab.process.WorkerException;
import io.pyrometer.lab.process.WorkerProcess;
import io.pyrometer.lab.process.Workers;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processes of one group: nodes that form a grid, and agents joined to it. */
final class Cluster implements AutoCloseable {
  private static final int PORTS_A_NODE = 2;
  private static final double JOIN_SECONDS = 60;

  private final List<WorkerProcess> nodes;
  private final List<WorkerProcess> agents;
  private final Path work;

  private Cluster(List<WorkerProcess> nodes, List<WorkerProcess> agents, Path work) {
    this.nodes = nodes;
    this.agents = agents;
    this.work = work;
  }

  /**
   * What a cluster is started from.
   *
   * @param label distinguishes this start's logs and work folders
   */
  record Recipe(
      Workers workers,
      Distribution distribution,
      PlannedRun plan,
      RunFolder folder,
      Settings settings,
      String label) {

    int nodeCount() {
      return plan.attach().isPresent() ? 0 : settings.integer("nodes");
    }

    int agentCount() {
      return settings.integer("agents");
    }

    private Workers.Launch launch(String kind, int index) {
      String name = kind + "-" + index;
      List<String> command =
          distribution.workerCommand(
              plan.driver(),
              settings.number(kind + "-heap"),
              plan.classPath().stream().map(Path::of).toList());
      return new Workers.Launch(name, Host.LOCAL, command, folder.log(label + "-" + name));
    }

    private Path work() {
      return folder.file("work").resolve(label).toAbsolutePath();
    }

    private String workFolder(String process) {
      return work().resolve(process).toString();
    }
  }

  /**
   * Starts all processes at once; returns when the grid is whole and the agents are joined.
   *
   * @throws WorkerException if one does not come up; none is left then
   */
  static Cluster start(Recipe recipe) {
    List<Workers.Launch> launches =
        Stream.concat(
                IntStream.range(0, recipe.nodeCount()).mapToObj(i -> recipe.launch("node", i)),
                IntStream.range(0, recipe.agentCount()).mapToObj(i -> recipe.launch("agent", i)))
            .toList();
    List<WorkerProcess> all = recipe.workers().startAll(launches);
    Cluster cluster =
        new Cluster(
            all.subList(0, recipe.nodeCount()),
            all.subList(recipe.nodeCount(), all.size()),
            recipe.work());
    try {
      cluster.join(recipe);
      return cluster;
    } catch (RuntimeException failure) {
      cluster.kill();
      throw failure;
    }
  }

  private void join(Recipe recipe) {
    List<Answer.Ports> ports =
        Fleet.all(
            nodes, i -> new Command.ReservePorts(PORTS_A_NODE), Answer.Ports.class, Timeouts.QUICK);
    List<String> peers = ports.stream().map(p -> "127.0.0.1:" + p.ports().get(0)).toList();
    List<Answer.Started> started =
        Fleet.all(
            nodes,
            i ->
                new Command.StartNode(
                    i,
                    nodes.size(),
                    ports.get(i).ports(),
                    peers,
                    recipe.plan().config(),
                    recipe.workFolder("node-" + i),
                    recipe.settings()),
            Answer.Started.class,
            Timeouts.START);
    Fleet.all(
        nodes,
        i -> new Command.AwaitNodes(nodes.size(), JOIN_SECONDS),
        Answer.Done.class,
        Timeouts.START);
    List<String> clients =
        started.stream().map(Answer.Started::clientAddress).flatMap(Optional::stream).toList();
    openSessions(recipe, recipe.plan().attach().map(Cluster::addresses).orElse(peers), clients);
  }

  private void openSessions(Recipe recipe, List<String> peers, List<String> clients) {
    Fleet.all(
        agents,
        i ->
            new Command.OpenSession(
                i,
                agents.size(),
                peers,
                clients,
                recipe.plan().config(),
                recipe.plan().attach().isPresent(),
                recipe.workFolder("agent-" + i),
                recipe.settings()),
        Answer.Started.class,
        Timeouts.START);
  }

  private static List<String> addresses(String attach) {
    return Stream.of(attach.split(",", -1)).map(String::strip).toList();
  }

  List<WorkerProcess> agents() {
    return agents;
  }

  List<WorkerProcess> nodes() {
    return nodes;
  }

  List<WorkerProcess> everyone() {
    List<WorkerProcess> all = new ArrayList<>(nodes);
    all.addAll(agents);
    return all;
  }

  boolean whole() {
    return everyone().stream().allMatch(WorkerProcess::alive);
  }

  /**
   * @throws WorkerException naming the first process that is gone
   */
  void mustBeWhole() {
    for (WorkerProcess worker : everyone()) {
      if (!worker.alive()) {
        worker.request(new Command.Usage(), Answer.Used.class, Timeouts.QUICK);
      }
    }
  }

  private void kill() {
    everyone().forEach(WorkerProcess::kill);
  }

  /** Agents leave first, so that nodes do not spend their end on dead clients. */
  @Override
  public void close() {
    if (whole()) {
      agents.forEach(agent -> agent.stop(Timeouts.STOP));
    }
    kill();
    everyone().forEach(worker -> worker.awaitEnd(Timeouts.STOP));
    Folders.delete(work);
  }
}
