package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.ClassArchive;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.testbed.host.PreparedHost;
import io.pyrometer.coordinator.testbed.host.ProcessLauncher;
import io.pyrometer.coordinator.testbed.limits.CpuQuota;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.Experiment;
import io.pyrometer.experiment.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processes of one group: nodes that form a grid, and agents joined to it. */
public final class Cluster implements AutoCloseable {
  public static final String NODE = "node";
  public static final String AGENT = "agent";
  public static final String RELAY = "relay";
  public static final String SWITCH = "switch";

  private static final int STARTS_WITH_FRESH_PORTS = 3;

  /** What a relay or a switch holds back is bounded for each connection or link. */
  public static final long NETWORK_HEAP = 256L << 20;

  private final ClusterSpec spec;
  private final List<ManagedProcess> nodes;
  private final List<ManagedProcess> agents;
  private final List<ManagedProcess> relays;
  private final List<ManagedProcess> switches;
  private final Optional<Namespaces> namespaces;
  private final boolean attached;
  private final Duration failOver;
  private final Path work;
  private final Runnable clean;
  private final List<Host> hosts;
  private final Function<ManagedProcess, String> workFolders;
  private final Function<ManagedProcess, String> addresses;
  private final Predicate<ManagedProcess> locals;
  private final DriverDescription driver;
  private List<String> relayAddresses = List.of();
  private Servers servers = new Servers(List.of(), List.of());
  private Optional<ProcessUsage> idleUsage = Optional.empty();
  private OptionalLong emptyHeap = OptionalLong.empty();
  private Optional<Double> startSeconds = Optional.empty();
  private Map<String, String> clocks = Map.of();
  private final List<ManagedProcess> arriving = new CopyOnWriteArrayList<>();
  private volatile Optional<Settings> limiting = Optional.empty();
  private volatile boolean changed;
  private volatile boolean closing;

  private Cluster(Map<String, List<ManagedProcess>> byKind, ClusterSpec spec) {
    this.spec = spec;
    this.nodes = new CopyOnWriteArrayList<>(byKind.getOrDefault(NODE, List.of()));
    this.agents = byKind.getOrDefault(AGENT, List.of());
    this.relays = byKind.getOrDefault(RELAY, List.of());
    this.switches = byKind.getOrDefault(SWITCH, List.of());
    this.namespaces = spec.hosts().namespaces();
    this.attached = spec.plan().testbed().attach().isPresent();
    this.failOver = Duration.ofMillis((long) (1_000 * spec.driver().servers().failOverSeconds()));
    this.work = spec.work();
    this.driver = spec.driver();
    this.clean = () -> spec.hosts().all().forEach(host -> host.clean(spec.label()));
    this.hosts = spec.hosts().all().stream().map(PreparedHost::host).toList();
    this.workFolders = spec::workFolder;
    this.locals = process -> spec.hostOf(process).host().local();
    this.addresses = process -> spec.hostOf(process).host().address();
  }

  /**
   * Starts all processes at once; returns when the grid is whole and the agents are joined. Where
   * another process took a port of a server, everything is started again with fresh ports.
   *
   * @throws WorkerException if one does not start; none is left then
   */
  public static Cluster start(ClusterSpec spec) {
    for (int starts = 1; ; starts++) {
      try {
        return startOnce(spec);
      } catch (WorkerException failure) {
        if (!failure.portTaken() || starts == STARTS_WITH_FRESH_PORTS) {
          throw failure;
        }
      }
    }
  }

  /**
   * Leaves the cluster alone for a while and keeps what its nodes use meanwhile.
   *
   * @throws WorkerException if a process is or becomes gone
   */
  public void measureIdle(Duration pause, Time time) {
    if (nodes.isEmpty()) {
      return;
    }
    ProcessUsage before = ProcessUsage.ofNodes(this);
    time.sleep(pause);
    idleUsage = Optional.of(ProcessUsage.ofNodes(this).since(before));
  }

  /** What the nodes used while nothing was done; empty where that was not measured. */
  public Optional<ProcessUsage> idleUsage() {
    return idleUsage;
  }

  private static Cluster startOnce(ClusterSpec spec) {
    List<ProcessLauncher.Launch> launches = new ArrayList<>();
    IntStream.range(0, spec.nodeCount()).forEach(i -> launches.add(spec.launch(NODE, i)));
    IntStream.range(0, spec.agentCount()).forEach(i -> launches.add(spec.launch(AGENT, i)));
    if (spec.relayed()) {
      launches.add(spec.launch(RELAY, 0));
    }
    if (!spec.devices().isEmpty()) {
      launches.add(spec.launch(SWITCH, 0));
    }
    Time time = spec.launcher().time();
    long begun = time.nanoTime();
    Cluster cluster =
        new Cluster(
            spec.launcher().startAll(launches).stream()
                .collect(Collectors.groupingBy(ManagedProcess::kind)),
            spec);
    try {
      cluster.startServers(spec);
      if (!cluster.nodes.isEmpty()) {
        cluster.startSeconds = Optional.of(time.secondsSince(begun));
      }
      cluster.join(spec);
      return cluster;
    } catch (RuntimeException failure) {
      cluster.kill();
      throw failure;
    }
  }

  /**
   * Seconds from the start of the processes until the grid of all its servers was whole; empty for
   * a grid without servers of its own.
   */
  public Optional<Double> startSeconds() {
    return startSeconds;
  }

  private void startServers(ClusterSpec spec) {
    ServerDescription description = spec.driver().servers();
    Command devices = new Command.StartSwitch(spec.devices());
    Broadcast.all(switches, i -> devices, Answer.Done.class, Timeouts.QUICK);
    namespaces.ifPresent(Namespaces::wire);
    List<Answer.Ports> ports =
        Broadcast.all(
            nodes,
            i ->
                new Command.ReservePorts(
                    description.ports().size(), spec.host(NODE, i).host().address()),
            Answer.Ports.class,
            Timeouts.QUICK);
    List<String> peers =
        IntStream.range(0, nodes.size())
            .mapToObj(i -> spec.host(NODE, i).host().address() + ":" + firstOf(ports.get(i)))
            .toList();
    List<Answer.Started> started =
        Broadcast.all(
            nodes,
            i ->
                new Command.StartServer(
                    i,
                    nodes.size(),
                    ports.get(i).ports(),
                    peers,
                    spec.config(NODE, i),
                    spec.workFolder(NODE, i),
                    spec.settings()),
            Answer.Started.class,
            Timeouts.server(description.startSeconds()));
    Broadcast.all(
        nodes,
        i -> new Command.AwaitServers(nodes.size(), description.joinSeconds()),
        Answer.Done.class,
        Timeouts.server(description.joinSeconds()));
    this.servers =
        new Servers(
            peers,
            started.stream().map(Answer.Started::clientAddress).flatMap(Optional::stream).toList());
  }

  private void join(ClusterSpec spec) {
    List<String> clients = servers.clients();
    Broadcast.all(relays, i -> new Command.StartRelay(clients), Answer.Ports.class, Timeouts.QUICK)
        .forEach(
            listening ->
                relayAddresses =
                    listening.ports().stream().map(port -> Host.LOOPBACK + ":" + port).toList());
    if (namespaces.isEmpty()) {
      clocks = ClockOffsets.of(everyone(), process -> spec.hostOf(process).host());
    }
    openSessions(
        spec,
        spec.plan().testbed().attach().map(Cluster::addresses).orElse(servers.peers()),
        clients);
  }

  /**
   * Live bytes of all servers' heaps without a trial's records: the least of all calls, since a
   * server keeps what the trial before left on its heap for a while.
   *
   * @return empty where servers are no JVMs of this run
   */
  public OptionalLong emptyHeap() {
    OptionalLong now = ProcessUsage.liveHeapOfNodes(this);
    if (now.isEmpty() || emptyHeap.isEmpty() || now.getAsLong() < emptyHeap.getAsLong()) {
      emptyHeap = now;
    }
    return emptyHeap;
  }

  /** The address at which other servers reach a server; absent for grids without ports. */
  private static int firstOf(Answer.Ports reserved) {
    return reserved.ports().stream().findFirst().orElse(0);
  }

  private void openSessions(ClusterSpec spec, List<String> peers, List<String> clients) {
    if (attached) {
      agents.forEach(ManagedProcess::leaveOnKill);
    }
    List<ManagedProcess> joining = agents.stream().filter(spec::joins).toList();
    Broadcast.all(
        joining,
        i ->
            new Command.OpenSession(
                i,
                joining.size(),
                peers,
                clients,
                spec.configOf(joining.get(i)),
                attached,
                spec.workFolder(joining.get(i)),
                spec.settings()),
        Answer.Started.class,
        Timeouts.START);
  }

  /** Empty where the configuration says it. */
  static List<String> addresses(String attach) {
    return attach.equals(Experiment.Testbed.BY_CONFIG)
        ? List.of()
        : Stream.of(attach.split(",", -1)).map(String::strip).toList();
  }

  /**
   * Gives the way between clients and nodes the shape that a trial asks for.
   *
   * @return host:port of the relays for its clients; empty where they connect to the nodes
   */
  public List<String> shaped(Settings trial) {
    if (!Shape.relayed(trial)) {
      return List.of();
    }
    Command shape = new Command.SetShape(Shape.of(trial));
    Broadcast.all(relays, i -> shape, Answer.Done.class, Timeouts.QUICK);
    return relayAddresses;
  }

  /** Gives the links between namespaces a shape; without namespaces there are none. */
  public void shapeLinks(Shape shape) {
    namespaces.ifPresent(made -> made.shape(shape));
    Command set = new Command.SetShape(shape);
    Broadcast.all(switches, i -> set, Answer.Done.class, Timeouts.QUICK);
  }

  /**
   * Holds nodes and agents to the CPU quotas that a trial asks for, from now on. Without them code
   * is compiled and data are loaded in seconds instead of minutes.
   *
   * @throws WorkerException if the kernel refuses
   */
  public void limit(Settings trial) {
    limiting = Optional.of(trial);
    everyone().forEach(process -> process.limit(CpuQuota.of(process.kind(), trial)));
  }

  /** Takes the CPU quotas of all processes away. */
  public void unlimit() {
    limiting = Optional.empty();
    everyone().forEach(process -> process.limit(CpuQuota.NONE));
  }

  /**
   * What was found of the hosts: by how much their clocks differ from this one's, and what shapes
   * the links between them, in words.
   */
  public Map<String, String> facts() {
    Map<String, String> facts = new TreeMap<>(clocks);
    namespaces.ifPresent(made -> facts.put("network", "namespaces; " + made.words()));
    return facts;
  }

  public List<Host> hosts() {
    return hosts;
  }

  /** The address at which the processes of other hosts reach a process's host. */
  public String address(ManagedProcess process) {
    return addresses.apply(process);
  }

  /** Whether a process runs on this machine, so that its files can be read here. */
  public boolean local(ManagedProcess process) {
    return locals.test(process);
  }

  /** The folder on its host in which a process may write. */
  public String workFolder(ManagedProcess process) {
    return workFolders.apply(process);
  }

  public List<ManagedProcess> agents() {
    return agents;
  }

  public List<ManagedProcess> nodes() {
    return nodes;
  }

  public List<ManagedProcess> everyone() {
    List<ManagedProcess> all = new ArrayList<>(nodes);
    all.addAll(agents);
    all.addAll(relays);
    all.addAll(switches);
    return all;
  }

  /**
   * Where the servers are reached.
   *
   * @param peers host:port of the first port of each
   * @param clients host:port where the servers said that clients connect
   */
  public record Servers(List<String> peers, List<String> clients) {
    public Servers {
      peers = List.copyOf(peers);
      clients = List.copyOf(clients);
    }
  }

  /** Where clients that no agent is find the servers; empty where there are none. */
  public Servers servers() {
    return servers;
  }

  /** The driver of the cluster's product. */
  public DriverDescription driver() {
    return driver;
  }

  /** How long clients of the product may take to go on after a server was killed. */
  public Duration failOver() {
    return failOver;
  }

  /**
   * @throws WorkerException if servers cannot join the grid while it runs
   */
  public void mustBeElastic() {
    if (!driver.capabilities().contains(DriverDescription.ELASTIC)) {
      throw WorkerException.notAsAsked(
          "Servers of the driver '%s' cannot join a grid that is running; leave 'server-event: join' and 'return-after' out."
              .formatted(driver.name()));
    }
  }

  /**
   * Starts a server while the others go on, and returns when it has joined them: one more, or the
   * one of this index again, which is gone.
   *
   * @param index at most the number of servers
   * @throws WorkerException if it does not start or join
   */
  public ManagedProcess startServer(int index) {
    mustBeElastic();
    changed = true;
    ProcessLauncher.Launch launch = spec.launch(NODE, index).logging("-later");
    ManagedProcess started = spec.launcher().startAll(List.of(launch)).get(0);
    arriving.add(started);
    try {
      if (closing) {
        throw new WorkerException("The cluster was closed while a server started.", true);
      }
      return joined(started, index);
    } catch (RuntimeException failure) {
      started.kill();
      throw failure;
    }
  }

  private ManagedProcess joined(ManagedProcess started, int index) {
    ServerDescription description = driver.servers();
    String host = spec.host(NODE, index).host().address();
    Answer.Ports ports =
        started.request(
            new Command.ReservePorts(description.ports().size(), host),
            Answer.Ports.class,
            Timeouts.QUICK);
    List<String> peers = new ArrayList<>(servers.peers());
    boolean again = index < nodes.size();
    if (again) {
      peers.set(index, host + ":" + firstOf(ports));
    } else {
      peers.add(host + ":" + firstOf(ports));
    }
    int count = peers.size();
    started.request(
        new Command.StartServer(
            index,
            count,
            ports.ports(),
            peers,
            spec.config(NODE, index),
            spec.workFolder(NODE, index),
            spec.settings()),
        Answer.Started.class,
        Timeouts.server(description.startSeconds()));
    started.request(
        new Command.AwaitServers(count, description.joinSeconds()),
        Answer.Done.class,
        Timeouts.server(description.joinSeconds()));
    limiting.ifPresent(trial -> started.limit(CpuQuota.of(NODE, trial)));
    if (again) {
      nodes.set(index, started);
    } else {
      nodes.add(started);
    }
    arriving.remove(started);
    return started;
  }

  /** Whether every process lives, and no server was started since the beginning. */
  public boolean whole() {
    return !changed && everyone().stream().allMatch(ManagedProcess::alive);
  }

  /**
   * @throws WorkerException naming the first process that is gone
   */
  public void mustBeWhole() {
    mustBeWhole(Optional.empty());
  }

  /**
   * @param killed a process that was killed on purpose
   * @throws WorkerException naming the first other process that is gone
   */
  public void mustBeWhole(Optional<ManagedProcess> killed) {
    for (ManagedProcess worker : everyone()) {
      if (!worker.alive() && !killed.equals(Optional.of(worker))) {
        worker.request(new Command.Usage(), Answer.Used.class, Timeouts.QUICK);
      }
    }
  }

  private void kill() {
    closing = true;
    everyone().forEach(ManagedProcess::kill);
    arriving.forEach(ManagedProcess::kill);
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
    arriving.forEach(worker -> worker.awaitEnd(Timeouts.STOP));
    WorkFolders.delete(work);
    clean.run();
  }
}
