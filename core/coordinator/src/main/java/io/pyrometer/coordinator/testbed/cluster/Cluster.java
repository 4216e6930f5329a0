package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.ClassArchive;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.testbed.host.ProcessLauncher;
import io.pyrometer.coordinator.testbed.limits.CpuQuota;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The processes of one group: nodes that form a grid, and agents joined to it. */
public final class Cluster implements AutoCloseable {
  public static final String NODE = "node";
  public static final String AGENT = "agent";
  public static final String RELAY = "relay";
  public static final String SWITCH = "switch";

  private static final int MAX_STARTS = 3;

  private final ClusterSpec spec;
  private final List<ManagedProcess> nodes;
  private final List<ManagedProcess> agents;
  private final NetworkProcesses network;
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
    this.network =
        new NetworkProcesses(
            spec.hosts().namespaces(),
            byKind.getOrDefault(RELAY, List.of()),
            byKind.getOrDefault(SWITCH, List.of()));
  }

  /**
   * Starts all processes at once; returns when the grid is complete and the agents have joined it.
   * If another process took a port of a server, everything is started again with new ports.
   *
   * @throws WorkerException if one does not start; none is left then
   */
  public static Cluster start(ClusterSpec spec) {
    for (int starts = 1; ; starts++) {
      try {
        return startOnce(spec);
      } catch (WorkerException failure) {
        if (!failure.portTaken() || starts == MAX_STARTS) {
          throw failure;
        }
      }
    }
  }

  /**
   * Measures what the servers use without load.
   *
   * @throws WorkerException if a process is or becomes gone
   */
  public void measureIdleUsage(Duration pause, Time time) {
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
      cluster.startServers();
      if (!cluster.nodes.isEmpty()) {
        cluster.startSeconds = Optional.of(time.secondsSince(begun));
      }
      cluster.join();
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

  private void startServers() {
    ServerDescription description = driver().servers();
    network.connect();
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
            i -> startCommand(i, ports.get(i), peers),
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

  private Command startCommand(int index, Answer.Ports ports, List<String> peers) {
    return new Command.StartServer(
        index,
        peers.size(),
        ports.ports(),
        peers,
        spec.config(NODE, index),
        spec.workFolder(NODE, index),
        spec.settings());
  }

  private void join() {
    List<String> clients = servers.clients();
    network.startRelays(clients);
    if (spec.hosts().namespaces().isEmpty()) {
      clocks = ClockOffsets.of(everyone(), spec::hostOf);
    }
    openSessions(spec.attachedAddresses().orElse(servers.peers()), clients);
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

  private void openSessions(List<String> peers, List<String> clients) {
    if (spec.attached()) {
      agents.forEach(ManagedProcess::leaveOnKill);
    }
    List<ManagedProcess> joining = agents.stream().filter(spec::joins).toList();
    Broadcast.all(
        joining,
        i -> spec.openSession(joining.get(i), i, joining.size(), peers, clients),
        Answer.Started.class,
        Timeouts.START);
  }

  /** The relays and switches, and the shape of the links through them. */
  public NetworkProcesses network() {
    return network;
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
    network.words().ifPresent(words -> facts.put("network", words));
    return facts;
  }

  /** What the cluster was started from. */
  public ClusterSpec spec() {
    return spec;
  }

  public List<ManagedProcess> agents() {
    return agents;
  }

  public List<ManagedProcess> nodes() {
    return nodes;
  }

  /**
   * The servers that form the grid, counted by an agent.
   *
   * @return empty where no agent uses the grid, or its product does not tell
   * @throws WorkerException if the grid does not answer
   */
  public OptionalInt countServers() {
    for (ManagedProcess agent : agents) {
      if (agent.alive() && spec.joins(agent)) {
        return agent
            .request(new Command.CountServers(), Answer.Servers.class, Timeouts.QUICK)
            .count()
            .map(OptionalInt::of)
            .orElse(OptionalInt.empty());
      }
    }
    return OptionalInt.empty();
  }

  public List<ManagedProcess> everyone() {
    List<ManagedProcess> all = new ArrayList<>(nodes);
    all.addAll(agents);
    all.addAll(network.processes());
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
    return spec.driver();
  }

  /**
   * @throws WorkerException if servers cannot join the grid while it runs
   */
  public void requireElastic() {
    if (!driver().capabilities().contains(DriverDescription.ELASTIC)) {
      throw WorkerException.mismatch(
          "Servers of the driver '%s' cannot join a grid that is running; leave 'server-event: join' and 'return-after' out."
              .formatted(driver().name()));
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
    requireElastic();
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
    ServerDescription description = driver().servers();
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
        startCommand(index, ports, peers),
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

  /** Whether every process runs and no server was started after the others. */
  public boolean isComplete() {
    return !changed && everyone().stream().allMatch(ManagedProcess::alive);
  }

  /**
   * @throws WorkerException naming the first process that is gone
   */
  public void requireAllAlive() {
    requireAllAlive(Optional.empty());
  }

  /**
   * @param killed a process that was killed on purpose
   * @throws WorkerException naming the first other process that is gone
   */
  public void requireAllAlive(Optional<ManagedProcess> killed) {
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
    if (spec.attached() || ClassArchive.isMade()) {
      agents.forEach(agent -> agent.stop(Timeouts.STOP));
    }
    kill();
    everyone().forEach(worker -> worker.awaitEnd(Timeouts.STOP));
    arriving.forEach(worker -> worker.awaitEnd(Timeouts.STOP));
    WorkFolders.delete(spec.work());
    spec.hosts().all().forEach(host -> host.clean(spec.label()));
  }
}
