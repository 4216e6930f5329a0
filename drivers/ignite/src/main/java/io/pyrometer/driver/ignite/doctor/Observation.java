package io.pyrometer.driver.ignite.doctor;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.node.Resource;
import io.pyrometer.driver.ignite.node.ServerMetrics;
import io.pyrometer.driver.ignite.node.ServerRoom;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.protocol.Daemon;
import io.pyrometer.protocol.MachineReading;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteClientDisconnectedException;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.eviction.lru.LruEvictionPolicyFactory;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.management.SystemViewCommandArg;
import org.apache.ignite.internal.management.SystemViewTask;
import org.apache.ignite.internal.management.SystemViewTaskResult;
import org.apache.ignite.internal.managers.discovery.GridDiscoveryManager;
import org.apache.ignite.internal.managers.systemview.IgniteConfigurationIterable;
import org.apache.ignite.internal.processors.cache.DynamicCacheDescriptor;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.internal.visor.VisorTaskArgument;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;

/**
 * Reads what the checks look at. A cluster is asked by Ignite's own tasks, those behind {@code
 * control.sh --metric} and {@code --system-view}, so its servers need no class of Pyrometer's, and
 * nothing in it is changed.
 */
final class Observation {
  private static final int DUMPS = 3;
  static final String QUEUES = "striped.threadpool.queue";

  /** A column that is added to those of views which are read in every sample: its number. */
  static final String SAMPLE = "sample";

  static final String TRANSACTIONS = "transactions";
  static final String STATEMENTS = "sql.queries.history";
  static final String TABLES = "tables";
  static final String INDEXES = "indexes";
  static final String COLUMNS = "table.columns";
  static final String METADATA = "binary.metadata";
  static final String SCANS = "scan.queries";
  static final String RUNNING = "sql.queries";

  /** A column that is added to the history of statements: executions during the observation. */
  static final String SINCE = "executionsSince";

  /** Rows of the view of transactions that client nodes have, at the end of the observation. */
  static final String CLIENT_TRANSACTIONS = "transactions of clients";

  /** Metric of a near cache, after the cache's name. */
  static final String NEAR_ENTRIES = ".near.HeapEntriesCount";

  /** How long the slowest of a node's answers to one sample took. */
  static final String ANSWER_MILLIS = "pyrometer.answer-millis";

  /** Number of exchanges of partition maps for caches since the last one for a node. */
  static final String CACHE_EXCHANGES = "pyrometer.cache-exchanges";

  private static final Observed OBSERVED =
      Resource.read(Observation.class, "observed.json", new TypeReference<>() {});

  /**
   * The file {@code observed.json}.
   *
   * @param registries read in the first sample and in the last: counters, and what changes little
   * @param gauges of those, what stands for an instant: read between them too
   * @param host settings of the system, and their files
   */
  private record Observed(List<String> registries, List<String> gauges, Map<String, String> host) {}

  /** A busy server answers later than a healthy one, but it does. */
  private static final int SILENT_SECONDS = 30;

  /** For all of them: clients may be many, and some behind a firewall. */
  private static final int CLIENT_SECONDS = 5;

  private static final String SYSTEM = "sys";
  private static final String EXECUTIONS = "executions";
  private static final String MAX_HEAP = "sys.memory.heap.max";

  private final Ignite ignite;
  private final List<ClusterNode> nodes = new ArrayList<>();
  private final List<String> silent = new ArrayList<>();
  private final Set<String> silentClients = new ConcurrentSkipListSet<>();
  private final Map<UUID, List<Map<String, Object>>> samples = new HashMap<>();
  private final Map<String, List<Row>> views = new HashMap<>();

  /** All that were there at some sample, by name: those of a run's trials come and go. */
  private final Map<String, CacheConfiguration<?, ?>> caches = new LinkedHashMap<>();

  private Observation(Ignite ignite) {
    this.ignite = ignite;
    ask(
            ignite.cluster().forServers().nodes(),
            SILENT_SECONDS,
            late -> {},
            node -> metrics(node, Stream.of(SYSTEM)))
        .forEach(
            (node, answer) ->
                answer.ifPresentOrElse(some -> nodes.add(node), () -> silent.add(name(node))));
  }

  /**
   * Observes a running cluster, a second time if the connection was lost meanwhile.
   *
   * @throws GridException with one sentence if it does not answer, or refuses
   */
  static Facts of(Ignite ignite, Duration length, ServerJvms jvms) {
    try {
      return once(ignite, length, jvms);
    } catch (IgniteException failed) {
      IgniteClientDisconnectedException lost =
          X.cause(failed, IgniteClientDisconnectedException.class);
      try {
        if (lost == null) {
          throw failed;
        }
        Object unused = lost.reconnectFuture().get(60, TimeUnit.SECONDS);
        return once(ignite, length, jvms);
      } catch (IgniteException refused) {
        throw GridException.of(
            "The cluster did not return its metrics and system views: %s.",
            GridException.cause(refused), refused);
      }
    } catch (LinkageError older) {
      throw new GridException(
          "The checks need the tasks of Ignite 2.17 or newer: examine a configuration file"
              + " instead.",
          older);
    }
  }

  private static Facts once(Ignite ignite, Duration length, ServerJvms jvms) {
    return ignite.cluster().state() == ClusterState.INACTIVE
        ? Facts.inactive(ignite.cluster().forServers().nodes().stream().map(Observation::name))
        : new Observation(ignite).facts(length, jvms);
  }

  /** Reads a configuration of a node. */
  static Facts of(IgniteConfiguration configuration, String name) {
    Map<String, String> properties = new HashMap<>();
    new IgniteConfigurationIterable(configuration)
        .forEach(view -> properties.put(view.name(), String.valueOf(view.value())));
    Optional<DataStorageConfiguration> storage =
        Optional.ofNullable(configuration.getDataStorageConfiguration());
    Server server = new Server(name, "", 0, properties, Map.of(), storage, List.of());
    CacheConfiguration<?, ?>[] caches = configuration.getCacheConfiguration();
    return Facts.of(false, 0, List.of(server), caches == null ? List.of() : List.of(caches), "");
  }

  private Facts facts(Duration length, ServerJvms jvms) {
    Statements before = history();
    HostCpu cpu = new HostCpu(ignite.cluster().nodes());
    long begin = System.nanoTime();
    long end = begin + length.toNanos();
    long last = begin;
    int dumps = 0;
    int taken = 0;
    for (boolean more = true; more; taken++) {
      last = System.nanoTime();
      more = last < end;
      boolean whole = !more || taken == 0;
      sampleClients(whole);
      if (whole) {
        cpu.sample();
      }
      sampleServers(whole, String.valueOf(taken));
      long took = (System.nanoTime() - last) / 1_000_000;
      if (last - begin >= (dumps + 1) * length.toNanos() / (DUMPS + 1) && dumps < DUMPS) {
        dumps++;
        jvms.dumpThreads(present().stream());
        jvms.dumpThreads(clients().stream().filter(client -> !client.isLocal()).limit(4));
      }
      if (more) {
        sleep(Math.min((end - System.nanoTime()) / 1_000_000, pause(took, length)));
      }
    }
    if (present().stream()
        .flatMap(node -> samples(node).stream().limit(1))
        .anyMatch(first -> !first.containsKey(MAX_HEAP))) {
      throw new GridException("A server exposes no metrics, so nothing can be checked.");
    }
    List.of(TABLES, INDEXES, COLUMNS, METADATA).forEach(view -> add(view, rows(view)));
    addOfClients(CLIENT_TRANSACTIONS, TRANSACTIONS);
    Statements after = history();
    add(STATEMENTS, after.since(before));
    return new Facts(
        true,
        (last - begin) / 1e9,
        servers(),
        List.copyOf(caches.values()),
        views,
        after.unread,
        nodes.stream().anyMatch(ServerWatch::isHere) ? host() : Map.of(),
        jvms.dumps(),
        jvms.logs(nodes),
        new Facts.Surroundings(
            ignite.cluster().state().name(),
            silent,
            List.copyOf(silentClients),
            clients().stream()
                .filter(client -> samples.containsKey(client.id()))
                .map(client -> server(client, Map.of(), Optional.empty()))
                .toList(),
            cpu.use()));
  }

  /** There are at most five pauses, each ten times as long as the sample before it, or longer. */
  private static long pause(long took, Duration length) {
    return Math.max(Math.max(2_000, length.toMillis() / 5), 10 * took);
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(Math.max(0, millis));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new GridException("The observation was interrupted.", interrupted);
    }
  }

  static String name(ClusterNode node) {
    return String.valueOf(node.consistentId());
  }

  private Collection<ClusterNode> clients() {
    return ignite.cluster().forClients().nodes();
  }

  private void add(String view, List<Row> rows) {
    views.computeIfAbsent(view, name -> new ArrayList<>()).addAll(rows);
  }

  private void add(ClusterNode node, Map<String, Object> sample) {
    samples.computeIfAbsent(node.id(), id -> new ArrayList<>()).add(sample);
  }

  private List<Map<String, Object>> samples(ClusterNode node) {
    return samples.getOrDefault(node.id(), List.of());
  }

  /** Reads metrics and views; all metrics in a whole sample, those that change in others. */
  private void sampleServers(boolean whole, String number) {
    for (ClusterNode node : present()) {
      ofPresent(List.of(node), () -> metrics(node, whole)).ifPresent(all -> add(node, all));
    }
    for (String view : List.of(QUEUES, SCANS, RUNNING, TRANSACTIONS)) {
      add(view, changingRows(view).stream().map(row -> row.with(SAMPLE, number)).toList());
    }
  }

  /**
   * Clients get the factory of an eviction policy as bytes, for its class may be the servers' own;
   * whether there is one is all that the checks ask.
   */
  @SuppressWarnings("unchecked") // the descriptor's configuration is a raw type
  private static CacheConfiguration<?, ?> configuration(DynamicCacheDescriptor cache) {
    if (cache.isConfigurationEnriched()
        || cache.cacheConfigurationEnrichment().getFieldClassName("evictPlcFactory") == null) {
      return cache.cacheConfiguration();
    }
    CacheConfiguration<Object, Object> whole =
        new CacheConfiguration<Object, Object>(cache.cacheConfiguration());
    return whole.setEvictionPolicyFactory(new LruEvictionPolicyFactory<>());
  }

  /**
   * Reads the caches there are, and metrics of client nodes: transactions that they began, their
   * heaps, their near caches. Between the first sample and the last it is what their heartbeats
   * tell of the heap.
   */
  private void sampleClients(boolean whole) {
    ((IgniteEx) ignite)
        .context().cache().cacheDescriptors().values().stream()
            .filter(cache -> cache.cacheType().userCache())
            .forEach(cache -> caches.put(cache.cacheName(), configuration(cache)));
    if (whole) {
      askClients(client -> silentClients.add(name(client)), this::ofClient)
          .forEach((client, metrics) -> metrics.ifPresent(all -> add(client, all)));
      addOfClients(RUNNING, RUNNING);
      return;
    }
    for (ClusterNode client : clients()) {
      if (samples.containsKey(client.id())) {
        add(
            client,
            Map.of(
                "sys.memory.heap.used",
                client.metrics().getHeapMemoryUsed(),
                MAX_HEAP,
                client.metrics().getHeapMemoryMaximum(),
                StorageChecks.GC_LOAD,
                client.metrics().getCurrentGcCpuLoad()));
      }
    }
  }

  private Map<String, Object> ofClient(ClusterNode client) {
    GridDiscoveryManager discovery = ((IgniteEx) ignite).context().discovery();
    return metrics(
        client,
        Stream.concat(
            Stream.of(SYSTEM, "tx", ClientChecks.SENT),
            caches.keySet().stream()
                .filter(cache -> discovery.cacheNearNode(client, cache))
                .map(cache -> "cache." + cache + NEAR_ENTRIES)));
  }

  private Map<ClusterNode, Optional<List<Row>>> askClients(String view) {
    return askClients(late -> {}, client -> rows(ignite, view, List.of(client)));
  }

  /** Adds the rows of a view of the client nodes that answer. */
  private void addOfClients(String name, String view) {
    askClients(view).values().forEach(rows -> rows.ifPresent(all -> add(name, all)));
  }

  /**
   * Statements in the histories of all nodes. A node has those alone in its history that it started
   * itself, so that servers know nothing of those of client nodes.
   *
   * @param unread names of the client nodes whose history could not be read
   */
  record Statements(List<Row> rows, List<String> unread) {
    /** The rows, each also with the executions since the histories were read before. */
    List<Row> since(Statements before) {
      Map<List<String>, Double> executed = new HashMap<>();
      before.rows.forEach(row -> executed.put(statement(row), row.amount(EXECUTIONS)));
      return rows.stream()
          .map(
              row -> {
                double earlier = executed.getOrDefault(statement(row), 0.0);
                double since =
                    before.unread.contains(row.server()) ? 0 : row.amount(EXECUTIONS) - earlier;
                return row.with(SINCE, String.valueOf((long) Math.max(0, since)));
              })
          .toList();
    }

    private static List<String> statement(Row row) {
      return List.of(row.server(), row.get("schemaName"), row.get("local"), row.get("sql"));
    }
  }

  /** The histories of a cluster with tables. */
  private Statements history() {
    if (rows(TABLES).isEmpty()) {
      return new Statements(List.of(), List.of());
    }
    List<Row> rows = new ArrayList<>(rows(STATEMENTS));
    List<String> unread = new ArrayList<>();
    askClients(STATEMENTS)
        .forEach(
            (client, history) ->
                history.ifPresentOrElse(rows::addAll, () -> unread.add(name(client))));
    return new Statements(rows, unread);
  }

  private List<Server> servers() {
    Map<String, Map<String, String>> configurations =
        rows("configuration").stream()
            .collect(
                groupingBy(
                    Row::server,
                    toMap(row -> row.get("name"), row -> row.get("value"), (one, other) -> other)));
    return present().stream()
        .filter(node -> samples.containsKey(node.id()))
        .map(
            node ->
                server(
                    node,
                    configurations.getOrDefault(name(node), Map.of()),
                    ServerRoom.storage(ignite, node)))
        .toList();
  }

  private Server server(
      ClusterNode node,
      Map<String, String> configuration,
      Optional<DataStorageConfiguration> storage) {
    return new Server(
        name(node),
        ServerWatch.hardwareAddresses(node),
        node.metrics().getTotalCpus(),
        configuration,
        node.attributes(),
        storage,
        samples(node));
  }

  private Map<String, Object> metrics(ClusterNode node, boolean whole) {
    Stream<String> registries =
        whole
            ? Stream.concat(OBSERVED.registries.stream(), ofCaches())
            : Stream.concat(
                OBSERVED.gauges.stream(),
                caches.values().stream()
                    .filter(CacheChecks::expires)
                    .map(cache -> "cache." + cache.getName() + CacheChecks.ENTRIES));
    Map<String, Object> all =
        metrics(
            node,
            Stream.of(
                    Stream.of(ThreadPool.values()).map(pool -> pool.registry),
                    ServerRoom.storage(ignite, node).stream()
                        .flatMap(ServerRoom::regions)
                        .map(StorageChecks::metrics),
                    registries)
                .flatMap(names -> names));
    all.put(
        CACHE_EXCHANGES,
        ((IgniteEx) ignite).context().discovery().topologyVersionEx().minorTopologyVersion());
    return all;
  }

  private Map<String, Object> metrics(ClusterNode node, Stream<String> names) {
    ServerMetrics metrics = new ServerMetrics(ignite, node);
    Map<String, Object> all = new HashMap<>();
    double longest = 0;
    for (String name : names.toList()) {
      long begin = System.nanoTime();
      all.putAll(metrics.values(name));
      longest = Math.max(longest, (System.nanoTime() - begin) / 1e6);
    }
    all.put(ANSWER_MILLIS, longest);
    return all;
  }

  private Stream<String> ofCaches() {
    return Stream.concat(
        caches.keySet().stream().map(cache -> "cache." + cache),
        caches.values().stream()
            .map(Facts::group)
            .distinct()
            .flatMap(
                group ->
                    Stream.of(
                        "cacheGroups." + group + ".LocalNodeMovingPartitionsCount",
                        "cacheGroups." + group + TopologyChecks.COPIES,
                        StorageChecks.READ_OF_GROUP.formatted(group))));
  }

  /**
   * The view of what runs: a server that reads it while it changes may fail, and is asked again.
   */
  private List<Row> changingRows(String view) {
    for (int attempt = 0; attempt < 10; attempt++) {
      try {
        return rows(view);
      } catch (IgniteException changed) {
        // Ignite goes through some of its maps while queries begin and end.
      }
    }
    return List.of();
  }

  private List<Row> rows(String view) {
    List<ClusterNode> asked = present();
    return ofPresent(asked, () -> rows(ignite, view, asked)).orElseGet(() -> rows(view));
  }

  /** The servers that were there at the beginning and have not left. */
  private List<ClusterNode> present() {
    return nodes.stream().filter(node -> ignite.cluster().node(node.id()) != null).toList();
  }

  /** An answer of nodes; empty if one has left meanwhile. */
  private <T> Optional<T> ofPresent(List<ClusterNode> asked, Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (IgniteException failed) {
      if (present().containsAll(asked)) {
        throw failed;
      }
      return Optional.empty();
    }
  }

  /** Rows of a view of nodes; of transactions also with the nodes that began them. */
  static List<Row> rows(Ignite ignite, String view, List<ClusterNode> nodes) {
    SystemViewCommandArg wanted = new SystemViewCommandArg();
    wanted.systemViewName(view);
    List<UUID> ids = nodes.stream().map(ClusterNode::id).toList();
    SystemViewTaskResult found =
        ServerMetrics.result(
            ignite
                .compute(ignite.cluster().forNodes(nodes))
                .execute(SystemViewTask.class, new VisorTaskArgument<>(ids, wanted, false)));
    List<Row> rows = new ArrayList<>();
    if (found == null) {
      return rows;
    }
    for (ClusterNode node : nodes) {
      for (List<?> values : found.rows().getOrDefault(node.id(), List.of())) {
        Map<String, String> row = new HashMap<>();
        for (int c = 0; c < values.size(); c++) {
          row.put(found.attributes().get(c), String.valueOf(values.get(c)));
        }
        rows.add(new Row(name(node), row));
      }
    }
    if (view.equals(TRANSACTIONS)) {
      rows.replaceAll(row -> TransactionChecks.withOrigin(row, ignite.cluster().nodes()));
    }
    return rows;
  }

  /**
   * The answers of all client nodes; empty of those that cannot be reached.
   *
   * @param late gets those that accept a connection and do not answer in time
   */
  private <T> Map<ClusterNode, Optional<T>> askClients(
      Consumer<ClusterNode> late, Function<ClusterNode, T> question) {
    return ask(
        clients(),
        CLIENT_SECONDS,
        late,
        client -> {
          if (!client.isLocal() && !reachable(client)) {
            throw new IgniteException("The client cannot be reached.");
          }
          return question.apply(client);
        });
  }

  /** The answers of nodes, side by side; empty of those that failed, or did not answer in time. */
  private static <T> Map<ClusterNode, Optional<T>> ask(
      Collection<ClusterNode> nodes,
      int seconds,
      Consumer<ClusterNode> late,
      Function<ClusterNode, T> question) {
    ExecutorService threads =
        Executors.newFixedThreadPool(8, Daemon.factory("pyrometer-questions"));
    Map<ClusterNode, CompletableFuture<Optional<T>>> asked = new LinkedHashMap<>();
    for (ClusterNode node : nodes) {
      asked.put(
          node,
          CompletableFuture.supplyAsync(() -> Optional.of(question.apply(node)), threads)
              .orTimeout(seconds, TimeUnit.SECONDS)
              .exceptionally(
                  silent -> {
                    if (silent instanceof TimeoutException) {
                      late.accept(node);
                    }
                    return Optional.empty();
                  }));
    }
    Map<ClusterNode, Optional<T>> answers = new LinkedHashMap<>();
    asked.forEach((node, answer) -> answers.put(node, answer.join()));
    threads.shutdownNow();
    return answers;
  }

  /**
   * Tried first, because Ignite tries for up to half a minute, and ZooKeeper's discovery examines
   * the connections of the whole cluster when it fails.
   */
  private boolean reachable(ClusterNode client) {
    return ignite.configuration().getDiscoverySpi() instanceof TcpDiscoverySpi
        && client.<Object>attribute("TcpCommunicationSpi.comm.tcp.port") instanceof Integer port
        && port > 0
        && client.addresses().stream().anyMatch(address -> listens(address, port));
  }

  private static boolean listens(String address, int port) {
    try (Socket probe = new Socket()) {
      probe.connect(new InetSocketAddress(address, port), 500);
      return true;
    } catch (IOException unreachable) {
      return false;
    }
  }

  /** Settings of this system, without those that it lacks. */
  private static Map<String, String> host() {
    Map<String, String> settings = new HashMap<>();
    OBSERVED.host.forEach(
        (name, file) ->
            MachineReading.lines(file).forEach(line -> settings.put(name, line.strip())));
    return settings;
  }
}
