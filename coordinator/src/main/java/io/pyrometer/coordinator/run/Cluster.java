package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.ClassArchive;
import io.pyrometer.coordinator.testbed.Namespaces;
import io.pyrometer.coordinator.testbed.Site;
import io.pyrometer.coordinator.testbed.Sites;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.WorkerProcess;
import io.pyrometer.coordinator.testbed.Workers;
import io.pyrometer.experiment.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processes of one group: nodes that form a grid, and agents joined to it. */
final class Cluster implements AutoCloseable {
  static final String NODE = "node";
  static final String AGENT = "agent";
  static final String RELAY = "relay";
  static final String SWITCH = "switch";

  private static final int STARTS_WITH_FRESH_PORTS = 3;

  /** What a relay or a switch holds back is bounded for each connection or link. */
  static final long NETWORK_HEAP = 256L << 20;

  private final List<WorkerProcess> nodes;
  private final List<WorkerProcess> agents;
  private final List<WorkerProcess> relays;
  private final List<WorkerProcess> switches;
  private final Optional<Namespaces> namespaces;
  private final boolean attached;
  private final Path work;
  private final Runnable clean;
  private final List<Host> hosts;
  private List<String> relayAddresses = List.of();
  private Map<String, String> clocks = Map.of();

  private Cluster(Map<String, List<WorkerProcess>> byKind, Recipe recipe) {
    Sites sites = recipe.sites();
    this.nodes = byKind.getOrDefault(NODE, List.of());
    this.agents = byKind.getOrDefault(AGENT, List.of());
    this.relays = byKind.getOrDefault(RELAY, List.of());
    this.switches = byKind.getOrDefault(SWITCH, List.of());
    this.namespaces = sites.namespaces();
    this.attached = recipe.plan().attach().isPresent();
    this.work = recipe.work();
    this.clean = () -> sites.all().forEach(site -> site.clean(recipe.label()));
    this.hosts = sites.all().stream().map(Site::host).toList();
  }

  /**
   * Starts all processes at once; returns when the grid is whole and the agents are joined. Where
   * another process took a port of a server, everything is started again with fresh ports.
   *
   * @throws WorkerException if one does not come up; none is left then
   */
  static Cluster start(Recipe recipe) {
    for (int starts = 1; ; starts++) {
      try {
        return startOnce(recipe);
      } catch (WorkerException failure) {
        if (!failure.portTaken() || starts == STARTS_WITH_FRESH_PORTS) {
          throw failure;
        }
      }
    }
  }

  private static Cluster startOnce(Recipe recipe) {
    List<Workers.Launch> launches = new ArrayList<>();
    IntStream.range(0, recipe.nodeCount()).forEach(i -> launches.add(recipe.launch(NODE, i)));
    IntStream.range(0, recipe.agentCount()).forEach(i -> launches.add(recipe.launch(AGENT, i)));
    if (recipe.relayed()) {
      launches.add(recipe.launch(RELAY, 0));
    }
    if (!recipe.devices().isEmpty()) {
      launches.add(recipe.launch(SWITCH, 0));
    }
    Cluster cluster =
        new Cluster(
            recipe.workers().startAll(launches).stream()
                .collect(Collectors.groupingBy(w -> w.name().replaceAll("-\\d+$", ""))),
            recipe);
    try {
      cluster.join(recipe);
      return cluster;
    } catch (RuntimeException failure) {
      cluster.kill();
      throw failure;
    }
  }

  private void join(Recipe recipe) {
    ServerDescription servers = recipe.plan().driver().servers();
    Command devices = new Command.StartSwitch(recipe.devices());
    Fleet.all(switches, i -> devices, Answer.Done.class, Timeouts.QUICK);
    namespaces.ifPresent(Namespaces::wire);
    List<Answer.Ports> ports =
        Fleet.all(
            nodes,
            i ->
                new Command.ReservePorts(
                    servers.ports().size(), recipe.site(NODE, i).host().address()),
            Answer.Ports.class,
            Timeouts.QUICK);
    List<String> peers =
        IntStream.range(0, nodes.size())
            .mapToObj(i -> recipe.site(NODE, i).host().address() + ":" + firstOf(ports.get(i)))
            .toList();
    List<Answer.Started> started =
        Fleet.all(
            nodes,
            i ->
                new Command.StartServer(
                    i,
                    nodes.size(),
                    ports.get(i).ports(),
                    peers,
                    recipe.site(NODE, i).config(recipe.plan().config()),
                    recipe.workFolder(NODE, i),
                    recipe.settings()),
            Answer.Started.class,
            Timeouts.server(servers.startSeconds()));
    Fleet.all(
        nodes,
        i -> new Command.AwaitServers(nodes.size(), servers.joinSeconds()),
        Answer.Done.class,
        Timeouts.server(servers.joinSeconds()));
    List<String> clients =
        started.stream().map(Answer.Started::clientAddress).flatMap(Optional::stream).toList();
    Fleet.all(relays, i -> new Command.StartRelay(clients), Answer.Ports.class, Timeouts.QUICK)
        .forEach(
            listening ->
                relayAddresses =
                    listening.ports().stream().map(port -> Host.LOOPBACK + ":" + port).toList());
    if (namespaces.isEmpty()) {
      clocks = Clocks.of(everyone(), worker -> recipe.siteOf(worker).host());
    }
    openSessions(recipe, recipe.plan().attach().map(Cluster::addresses).orElse(peers), clients);
  }

  /** Where other servers find a server; those of a grid without ports have nowhere to be found. */
  private static int firstOf(Answer.Ports reserved) {
    return reserved.ports().stream().findFirst().orElse(0);
  }

  private void openSessions(Recipe recipe, List<String> peers, List<String> clients) {
    if (attached) {
      agents.forEach(WorkerProcess::letLeave);
    }
    Fleet.all(
        agents,
        i ->
            new Command.OpenSession(
                i,
                agents.size(),
                peers,
                clients,
                recipe.site(AGENT, i).config(recipe.plan().config()),
                attached,
                recipe.workFolder(AGENT, i),
                recipe.settings()),
        Answer.Started.class,
        Timeouts.START);
  }

  private static List<String> addresses(String attach) {
    return Stream.of(attach.split(",", -1)).map(String::strip).toList();
  }

  /**
   * Gives the way between clients and nodes the shape that a trial asks for.
   *
   * @return host:port of the relays for its clients; empty where they connect to the nodes
   */
  List<String> shaped(Settings trial) {
    if (!Shape.relayed(trial)) {
      return List.of();
    }
    Command shape = new Command.SetShape(Shape.of(trial));
    Fleet.all(relays, i -> shape, Answer.Done.class, Timeouts.QUICK);
    return relayAddresses;
  }

  /** Gives the links between namespaces a shape; without namespaces there are none. */
  void shapeLinks(Shape shape) {
    namespaces.ifPresent(made -> made.shape(shape));
    Command set = new Command.SetShape(shape);
    Fleet.all(switches, i -> set, Answer.Done.class, Timeouts.QUICK);
  }

  /**
   * What was found of the hosts: by how much their clocks differ from this one's, and what shapes
   * the links between them, in words.
   */
  Map<String, String> facts() {
    Map<String, String> facts = new TreeMap<>(clocks);
    namespaces.ifPresent(made -> facts.put("network", "namespaces; " + made.words()));
    return facts;
  }

  List<Host> hosts() {
    return hosts;
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
    all.addAll(relays);
    all.addAll(switches);
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

  /**
   * Agents are asked to end where their end has work to do: to leave a grid that goes on, and what
   * they made in it, or to write an archive of their classes.
   */
  @Override
  public void close() {
    if (attached || ClassArchive.isMade()) {
      agents.forEach(agent -> agent.stop(Timeouts.STOP));
    }
    kill();
    everyone().forEach(worker -> worker.awaitEnd(Timeouts.STOP));
    Folders.delete(work);
    clean.run();
  }
}
