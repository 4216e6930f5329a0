package io.pyrometer.coordinator.testbed.cluster;

import io.pyrometer.coordinator.testbed.WorkFolders;
import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.coordinator.testbed.host.Distribution;
import io.pyrometer.coordinator.testbed.network.Namespaces;
import io.pyrometer.coordinator.testbed.process.CpuQuota;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.testbed.process.ProcessLauncher;
import io.pyrometer.coordinator.testbed.process.StartWait;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.experiment.model.Host;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ServerDescription;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processes of one group: nodes that form a grid, and agents joined to it. */
public final class Cluster implements AutoCloseable {
  private static final int MAX_STARTS = 3;

  private final ClusterSpec spec;
  private final List<ManagedProcess> nodes;
  private final List<ManagedProcess> agents;
  private final List<ManagedProcess> relays;
  private final List<ManagedProcess> switches;
  private List<String> relayAddresses = List.of();
  private final List<Answer.Ports> ports = new CopyOnWriteArrayList<>();
  private List<String> clients = List.of();
  private AttachedServers attached = AttachedServers.NONE;
  private Optional<ProcessUsage> idleUsage = Optional.empty();
  private Optional<Long> emptyHeap = Optional.empty();
  private Optional<Long> emptyStore = Optional.empty();
  private Optional<Double> startSeconds = Optional.empty();
  private final List<ManagedProcess> arriving = new CopyOnWriteArrayList<>();
  private volatile Optional<Settings> limiting = Optional.empty();
  private volatile boolean changed;
  private volatile boolean closing;

  private Cluster(List<ManagedProcess> started, ClusterSpec spec) {
    this.spec = spec;
    this.nodes = new CopyOnWriteArrayList<>(ofKind(ManagedProcess.NODE, started));
    this.agents = ofKind(ManagedProcess.AGENT, started);
    this.relays = ofKind(ManagedProcess.RELAY, started);
    this.switches = ofKind(ManagedProcess.SWITCH, started);
  }

  private static List<ManagedProcess> ofKind(String kind, List<ManagedProcess> started) {
    return started.stream().filter(process -> process.kind().equals(kind)).toList();
  }

  /**
   * Starts all processes at once; returns when the grid is complete and the agents have joined it.
   * If another process took a port of a server, everything is started again with new ports.
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

  /** Usage of all processes, and of those of an attached grid, as far as they are known. */
  public ProcessUsage usage() {
    return usage(everyone());
  }

  public ProcessUsage usageOfNodes() {
    return usage(nodes);
  }

  /** Usage of these processes, and of those of an attached grid, as far as they are known. */
  public ProcessUsage usage(List<ManagedProcess> processes) {
    Map<String, Answer.Used> all = new TreeMap<>(ProcessUsage.of(processes).byProcess());
    all.putAll(attached.usage().byProcess());
    return new ProcessUsage(all);
  }

  public void measureIdleUsage(Duration pause, Time time) {
    ProcessUsage before = usageOfNodes();
    if (before.nodes().isEmpty()) {
      return;
    }
    time.sleep(pause);
    idleUsage = Optional.of(usageOfNodes().since(before));
  }

  /** Usage of the nodes while nothing was done; empty where that was not measured. */
  public Optional<ProcessUsage> idleUsage() {
    return idleUsage;
  }

  private static Cluster startOnce(ClusterSpec spec) {
    List<ProcessLauncher.Launch> launches = spec.launches();
    Time time = spec.launcher().time();
    long begun = time.nanoTime();
    Cluster cluster = new Cluster(spec.launcher().startAll(launches), spec);
    try {
      tell(cluster.switches, new Command.StartSwitch(spec.devices()));
      spec.hosts().namespaces().ifPresent(Namespaces::wire);
      cluster.clients = cluster.startServers(cluster.nodes, 0, true);
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

  private void join() {
    relayAddresses =
        ManagedProcess.requestAll(
                relays, i -> new Command.StartRelay(clients), Answer.Ports.class, Timeouts.QUICK)
            .stream()
            .flatMap(listening -> listening.ports().stream())
            .map(port -> Host.LOOPBACK + ":" + port)
            .toList();
    if (spec.attached()) {
      agents.forEach(ManagedProcess::leaveOnKill);
    }
    List<String> addresses = spec.attachedAddresses().orElseGet(this::peers);
    List<ManagedProcess> joining = agents.stream().filter(spec::joins).toList();
    StartWait.requestAll(
        joining,
        i -> spec.openSession(joining.get(i), i, joining.size(), addresses, clients),
        Answer.Started.class,
        Timeouts.session(spec.crowding()));
    if (spec.attached()) {
      attached = member().map(AttachedServers::of).orElse(AttachedServers.NONE);
    }
  }

  /** The servers of a grid that Pyrometer did not start which tell of themselves. */
  public AttachedServers attached() {
    return attached;
  }

  /**
   * Live bytes of all servers' heaps without a trial's records: the least of all calls, since a
   * server keeps what the trial before left on its heap for a while.
   *
   * @return empty where servers are no JVMs of this run
   */
  public Optional<Long> emptyHeap() {
    emptyHeap = least(emptyHeap, liveHeap());
    return emptyHeap;
  }

  /**
   * Bytes that collections leave of the heaps of all servers; empty where one is no JVM, or there
   * is none.
   */
  public Optional<Long> liveHeap() {
    return ProcessUsage.sum(
        ManagedProcess.requestAll(
                nodes, i -> new Command.CollectGarbage(), Answer.LiveHeap.class, Timeouts.QUICK)
            .stream()
            .map(Answer.LiveHeap::bytes),
        Long::sum);
  }

  /** Bytes that all servers store without a trial's records, likewise the least of all calls. */
  public Optional<Long> emptyStore(Optional<Long> now) {
    emptyStore = least(emptyStore, now);
    return emptyStore;
  }

  private static Optional<Long> least(Optional<Long> before, Optional<Long> now) {
    return now.map(bytes -> Math.min(bytes, before.orElse(bytes)));
  }

  /**
   * Shapes the connections between clients and servers as a trial requires.
   *
   * @return host:port of the relays for its clients; empty where they connect to the servers
   */
  public List<String> shapeRelays(Settings trial) {
    if (!Shape.relayed(trial)) {
      return List.of();
    }
    tell(relays, new Command.SetShape(Shape.of(trial), OptionalInt.empty()));
    return relayAddresses;
  }

  /** Shapes the link of one host, which is a namespace. */
  public void shapeLink(Host host, Shape shape) {
    int link = spec.hosts().namespaces().map(made -> made.hosts().indexOf(host)).orElse(-1);
    tell(switches, new Command.SetShape(shape, OptionalInt.of(link)));
  }

  /** Shapes the links between namespaces; without namespaces there are none. */
  public void shapeLinks(Shape shape) {
    tell(switches, new Command.SetShape(shape, OptionalInt.empty()));
  }

  private static void tell(List<ManagedProcess> processes, Command command) {
    ManagedProcess.requestAll(processes, i -> command, Answer.Done.class, Timeouts.QUICK);
  }

  /**
   * Holds nodes and agents to the CPU quotas that a trial asks for, from now on. Without them code
   * is compiled and data are loaded in seconds instead of minutes.
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
   * How the links between the hosts are shaped, where they are namespaces; whose CPU time is known,
   * where others started the servers.
   */
  public Map<String, String> facts() {
    if (spec.attached()) {
      return attached.facts();
    }
    return spec.hosts().namespaces().isPresent()
        ? Map.of("network", "namespaces; " + Namespaces.LINKS)
        : Map.of();
  }

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
   */
  public Optional<Integer> countServers() {
    return member()
        .map(a -> a.request(new Command.CountServers(), Answer.Servers.class, Timeouts.QUICK))
        .flatMap(Answer.Servers::count);
  }

  /** An agent that uses the grid and runs; empty where there is none. */
  public Optional<ManagedProcess> member() {
    return agents.stream().filter(agent -> agent.alive() && spec.joins(agent)).findFirst();
  }

  public List<ManagedProcess> everyone() {
    return Stream.of(nodes, agents, relays, switches).flatMap(List::stream).toList();
  }

  /** The host:port of the first port of each server; empty where there are none. */
  public List<String> peers() {
    // Grids without ports have none.
    return IntStream.range(0, ports.size())
        .mapToObj(i -> address(i) + ":" + ports.get(i).ports().stream().findFirst().orElse(0))
        .toList();
  }

  private static String name(int server) {
    return ManagedProcess.NODE + "-" + server;
  }

  private String address(int server) {
    return spec.hostOf(name(server)).address();
  }

  /** The host:port where the servers said that clients connect. */
  public List<String> clients() {
    return clients;
  }

  /**
   * Starts a server while the others go on, and returns when it has joined them: one more, or the
   * one of this index again, which is gone. It comes back at its address, as clients and other
   * servers know it, unless another process has taken a port of it meanwhile.
   *
   * @param index at most the number of servers
   */
  public ManagedProcess startServer(int index) {
    spec.requireElastic();
    changed = true;
    try {
      return startServer(index, index == nodes.size());
    } catch (WorkerException failure) {
      if (!failure.portTaken()) {
        throw failure;
      }
      return startServer(index, true);
    }
  }

  private ManagedProcess startServer(int index, boolean elsewhere) {
    ProcessLauncher.Launch launch = spec.launch(name(index), "-later");
    ManagedProcess started = spec.launcher().startAll(List.of(launch)).get(0);
    arriving.add(started);
    try {
      if (closing) {
        throw WorkerException.lost("coordinator.cluster-closed");
      }
      List<String> unused = startServers(List.of(started), index, elsewhere);
      limiting.ifPresent(trial -> started.limit(CpuQuota.of(ManagedProcess.NODE, trial)));
      put(nodes, index, started);
      arriving.remove(started);
      return started;
    } catch (RuntimeException failure) {
      started.kill();
      throw failure;
    }
  }

  private static <T> void put(List<T> list, int index, T value) {
    if (index < list.size()) {
      list.set(index, value);
    } else {
      list.add(value);
    }
  }

  /** Returns whether every process runs and no server was started after the others. */
  public boolean isComplete() {
    return !changed && everyone().stream().allMatch(ManagedProcess::alive);
  }

  public void requireAllAlive() {
    requireAllAlive(Optional.empty());
  }

  /**
   * @param killed a process that was killed on purpose
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
    everyoneAndArriving().forEach(ManagedProcess::kill);
  }

  private List<ManagedProcess> everyoneAndArriving() {
    return Stream.concat(everyone().stream(), arriving.stream()).toList();
  }

  /**
   * Agents are asked to end where their end has work to do: to leave a grid that goes on, and what
   * they made in it, or to write an archive of their classes.
   */
  @Override
  public void close() {
    if (spec.attached() || Distribution.archivesClasses()) {
      agents.forEach(agent -> agent.stop(Timeouts.STOP));
    }
    kill();
    everyoneAndArriving().forEach(worker -> worker.awaitEnd(Timeouts.STOP));
    WorkFolders.delete(spec.work());
    spec.hosts().all().forEach(host -> host.clean(spec.label()));
  }

  /**
   * Starts servers in processes that are up, and returns when they have joined the grid.
   *
   * @param first the index of the first of them among all servers
   * @param elsewhere whether they get new ports, rather than those that they had before
   * @return where clients connect to them
   */
  private List<String> startServers(List<ManagedProcess> starting, int first, boolean elsewhere) {
    if (elsewhere) {
      usePorts(starting, first);
    }
    ServerDescription description = spec.driver().servers();
    double startSeconds = description.startSeconds() * spec.crowding();
    double joinSeconds = description.joinSeconds() * spec.crowding();
    List<String> all = peers();
    List<Answer.Started> started = new ArrayList<>();
    while (started.size() < starting.size()) {
      int from = started.size();
      int to = from + Math.min(starting.size() - from, spec.serversAtOnce());
      started.addAll(
          StartWait.requestAll(
              starting.subList(from, to),
              i -> startCommand(first + from + i, all),
              Answer.Started.class,
              Timeouts.server(startSeconds)));
    }
    // A worker itself knows how much longer its host's load makes the wait.
    ManagedProcess.requestAll(
        starting,
        i -> new Command.AwaitServers(all.size(), joinSeconds),
        Answer.Done.class,
        Timeouts.server(Math.max(joinSeconds, CoreSettings.MAX_START.toMillis() / 1e3)));
    return started.stream().map(Answer.Started::clientAddress).flatMap(Optional::stream).toList();
  }

  private Command startCommand(int server, List<String> all) {
    return new Command.StartServer(
        server,
        all.size(),
        ports.get(server).ports(),
        all,
        spec.config(name(server)),
        spec.workFolder(name(server)),
        spec.settings());
  }

  private void usePorts(List<ManagedProcess> starting, int first) {
    int each = spec.driver().servers().ports().size();
    List<Answer.Ports> free =
        ManagedProcess.requestAll(
            starting,
            i -> new Command.ReservePorts(each, address(first + i)),
            Answer.Ports.class,
            Timeouts.QUICK);
    for (int i = 0; i < free.size(); i++) {
      put(ports, first + i, free.get(i));
    }
  }
}
