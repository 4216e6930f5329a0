package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.ClassArchive;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.testbed.host.ProcessLauncher;
import io.pyrometer.coordinator.testbed.limits.CpuQuota;
import io.pyrometer.coordinator.testbed.network.Namespaces;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
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
  private volatile List<String> peers = List.of();
  private List<String> clients = List.of();
  private Optional<ProcessUsage> idleUsage = Optional.empty();
  private final Least emptyHeap = new Least();
  private final Least emptyStore = new Least();
  private Optional<Double> startSeconds = Optional.empty();
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
      cluster.network.connect();
      List<String> peers = new ArrayList<>();
      cluster.clients = cluster.startServers(cluster.nodes, 0, peers);
      cluster.peers = List.copyOf(peers);
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

  /**
   * Starts servers in processes that are up, and returns when they have joined the grid.
   *
   * @param first the index of the first of them among all servers
   * @param all where all servers are reached; those of these are added or replaced
   * @return where clients connect to them
   */
  private List<String> startServers(List<ManagedProcess> starting, int first, List<String> all) {
    ServerDescription description = driver().servers();
    IntFunction<String> address = i -> spec.host(NODE, first + i).host().address();
    List<Answer.Ports> ports =
        ManagedProcess.requestAll(
            starting,
            i -> new Command.ReservePorts(description.ports().size(), address.apply(i)),
            Answer.Ports.class,
            Timeouts.QUICK);
    for (int i = 0; i < starting.size(); i++) {
      // Grids without ports have none.
      int port = ports.get(i).ports().stream().findFirst().orElse(0);
      String peer = address.apply(i) + ":" + port;
      if (first + i < all.size()) {
        all.set(first + i, peer);
      } else {
        all.add(peer);
      }
    }
    double startSeconds = description.startSeconds() * spec.crowding();
    double joinSeconds = description.joinSeconds() * spec.crowding();
    List<Answer.Started> started = new ArrayList<>();
    while (started.size() < starting.size()) {
      int from = started.size();
      int to = from + Math.min(starting.size() - from, spec.serversAtOnce());
      started.addAll(
          ManagedProcess.requestAll(
              starting.subList(from, to),
              i ->
                  new Command.StartServer(
                      first + from + i,
                      all.size(),
                      ports.get(from + i).ports(),
                      all,
                      spec.config(NODE, first + from + i),
                      spec.workFolder(NODE, first + from + i),
                      spec.settings()),
              Answer.Started.class,
              Timeouts.server(startSeconds)));
    }
    ManagedProcess.requestAll(
        starting,
        i -> new Command.AwaitServers(all.size(), joinSeconds),
        Answer.Done.class,
        Timeouts.server(joinSeconds));
    return started.stream().map(Answer.Started::clientAddress).flatMap(Optional::stream).toList();
  }

  private void join() {
    network.startRelays(clients);
    if (spec.attached()) {
      agents.forEach(ManagedProcess::leaveOnKill);
    }
    List<String> addresses = spec.attachedAddresses().orElse(peers);
    List<ManagedProcess> joining = agents.stream().filter(spec::joins).toList();
    ManagedProcess.requestAll(
        joining,
        i -> spec.openSession(joining.get(i), i, joining.size(), addresses, clients),
        Answer.Started.class,
        Timeouts.session(spec.crowding()));
  }

  /**
   * Live bytes of all servers' heaps without a trial's records: the least of all calls, since a
   * server keeps what the trial before left on its heap for a while.
   *
   * @return empty where servers are no JVMs of this run
   */
  public OptionalLong emptyHeap() {
    return emptyHeap.seen(ProcessUsage.liveHeapOfNodes(this));
  }

  /**
   * Bytes that all servers store without a trial's records, likewise the least of all calls.
   *
   * @param now stored at this moment
   */
  public OptionalLong emptyStore(OptionalLong now) {
    return emptyStore.seen(now);
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

  /** How the links between the hosts are shaped, where they are namespaces. */
  public Map<String, String> facts() {
    return spec.hosts().namespaces().isPresent()
        ? Map.of("network", "namespaces; " + Namespaces.LINKS)
        : Map.of();
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
    return member()
        .map(a -> a.request(new Command.CountServers(), Answer.Servers.class, Timeouts.QUICK))
        .flatMap(Answer.Servers::count)
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  /** An agent that uses the grid and runs; empty where there is none. */
  public Optional<ManagedProcess> member() {
    return agents.stream().filter(agent -> agent.alive() && spec.joins(agent)).findFirst();
  }

  public List<ManagedProcess> everyone() {
    List<ManagedProcess> all = new ArrayList<>(nodes);
    all.addAll(agents);
    all.addAll(network.processes());
    return all;
  }

  /** The host:port of the first port of each server; empty where there are none. */
  public List<String> peers() {
    return peers;
  }

  /** The host:port where the servers said that clients connect. */
  public List<String> clients() {
    return clients;
  }

  /** The driver of the cluster's product. */
  public DriverDescription driver() {
    return spec.driver();
  }

  /**
   * Starts a server while the others go on, and returns when it has joined them: one more, or the
   * one of this index again, which is gone.
   *
   * @param index at most the number of servers
   * @throws WorkerException if it does not start or join
   */
  public ManagedProcess startServer(int index) {
    spec.requireElastic();
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
    List<String> all = new ArrayList<>(peers);
    List<String> unused = startServers(List.of(started), index, all);
    peers = List.copyOf(all); // a server that starts later finds this one at its new port
    limiting.ifPresent(trial -> started.limit(CpuQuota.of(NODE, trial)));
    if (index < nodes.size()) {
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
