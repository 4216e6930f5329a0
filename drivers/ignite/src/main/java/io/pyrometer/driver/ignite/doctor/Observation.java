package io.pyrometer.driver.ignite.doctor;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.node.Resource;
import io.pyrometer.driver.ignite.node.ServerMetrics;
import io.pyrometer.driver.ignite.node.ServerRoom;
import io.pyrometer.driver.ignite.node.ServerWatch;
import io.pyrometer.protocol.MachineReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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
import org.apache.ignite.spi.systemview.view.ConfigurationView;

/**
 * Reads what the checks look at. A cluster is asked by Ignite's own tasks, those behind {@code
 * control.sh --metric} and {@code --system-view}, so its servers need no class of Pyrometer's, and
 * nothing in it is changed.
 */
final class Observation {
  /** The least time between two samples. */
  private static final long PAUSE_MILLIS = 2_000;

  /** A pause is at least this many times as long as the sample before it took. */
  private static final int LOAD_FACTOR = 10;

  /** Between the first sample and the last, at most. */
  private static final int MOST_PAUSES = 5;

  private static final int DUMPS = 3;
  private static final String EVICTION_POLICY = "evictPlcFactory";
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
  private static final List<String> OF_EACH_SAMPLE = List.of(QUEUES, SCANS, RUNNING, TRANSACTIONS);
  private static final List<String> AT_THE_END = List.of(TABLES, INDEXES, COLUMNS, METADATA);

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

  private static final int RECONNECT_SECONDS = 60;
  private static final int VIEW_ATTEMPTS = 10;
  private static final int CLIENTS_DUMPED = 4;
  private static final String SYSTEM = "sys";
  private static final String EXECUTIONS = "executions";
  private static final String MAX_HEAP = "sys.memory.heap.max";

  private final Ignite ignite;
  private final List<ClusterNode> nodes;
  private final List<String> silent;
  private final Set<String> silentClients = ConcurrentHashMap.newKeySet();
  private final Map<UUID, List<Map<String, Object>>> samples = new HashMap<>();
  private final Map<String, List<Row>> views = new HashMap<>();

  /** All that were there at some sample, by name: those of a run's trials come and go. */
  private final Map<String, CacheConfiguration<?, ?>> caches = new LinkedHashMap<>();

  private Observation(Ignite ignite) {
    this.ignite = ignite;
    Map<ClusterNode, Optional<Map<String, Object>>> answers =
        ClientNodes.ask(
            ignite.cluster().forServers().nodes(),
            SILENT_SECONDS,
            late -> {},
            node -> metrics(node, Stream.of(SYSTEM)));
    nodes =
        answers.entrySet().stream()
            .filter(answer -> answer.getValue().isPresent())
            .map(Map.Entry::getKey)
            .toList();
    silent =
        answers.keySet().stream()
            .filter(node -> !nodes.contains(node))
            .map(Observation::name)
            .toList();
  }

  private void seeCaches() {
    ((IgniteEx) ignite)
        .context().cache().cacheDescriptors().values().stream()
            .filter(cache -> cache.cacheType().userCache())
            .forEach(cache -> caches.put(cache.cacheName(), configuration(cache)));
  }

  /**
   * Clients get the factory of an eviction policy as bytes, for its class may be the servers' own;
   * whether there is one is all that the checks ask.
   */
  @SuppressWarnings("unchecked") // the descriptor's configuration is a raw type
  private static CacheConfiguration<?, ?> configuration(DynamicCacheDescriptor cache) {
    if (cache.isConfigurationEnriched()
        || cache.cacheConfigurationEnrichment().getFieldClassName(EVICTION_POLICY) == null) {
      return cache.cacheConfiguration();
    }
    CacheConfiguration<Object, Object> whole =
        new CacheConfiguration<Object, Object>(cache.cacheConfiguration());
    return whole.setEvictionPolicyFactory(new LruEvictionPolicyFactory<>());
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
        Object unused = lost.reconnectFuture().get(RECONNECT_SECONDS, TimeUnit.SECONDS);
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
    Server server =
        new Server(
            name,
            "",
            0,
            properties(new IgniteConfigurationIterable(configuration)),
            Map.of(),
            Optional.ofNullable(configuration.getDataStorageConfiguration()),
            List.of());
    CacheConfiguration<?, ?>[] caches = configuration.getCacheConfiguration();
    return Facts.of(false, 0, List.of(server), caches == null ? List.of() : List.of(caches), "");
  }

  private static Map<String, String> properties(Iterable<ConfigurationView> views) {
    Map<String, String> properties = new HashMap<>();
    StreamSupport.stream(views.spliterator(), false)
        .forEach(view -> properties.put(view.name(), String.valueOf(view.value())));
    return properties;
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
      seeCaches();
      sampleClients(whole);
      if (whole) {
        cpu.sample();
      }
      for (ClusterNode node : present()) {
        ofPresent(List.of(node), () -> metrics(node, whole)).ifPresent(all -> add(node, all));
      }
      for (String view : OF_EACH_SAMPLE) {
        String sample = String.valueOf(taken);
        add(view, changingRows(view).stream().map(row -> row.with(SAMPLE, sample)).toList());
      }
      long took = (System.nanoTime() - last) / 1_000_000;
      if (last - begin >= (dumps + 1) * length.toNanos() / (DUMPS + 1) && dumps < DUMPS) {
        dumps++;
        jvms.dumpThreads(present());
        jvms.dumpThreads(
            ignite.cluster().forClients().nodes().stream()
                .filter(client -> !client.isLocal())
                .limit(CLIENTS_DUMPED)
                .toList());
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
    AT_THE_END.forEach(view -> add(view, rows(view)));
    add(CLIENT_TRANSACTIONS, ofClients(TRANSACTIONS));
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
            silentClients.stream().sorted().toList(),
            ignite.cluster().forClients().nodes().stream()
                .filter(client -> samples.containsKey(client.id()))
                .map(client -> server(client, Map.of(), Optional.empty()))
                .toList(),
            cpu.use()));
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

  /**
   * Metrics of client nodes: transactions that they began, their heaps, their near caches. Between
   * the first sample and the last it is what their heartbeats tell of the heap.
   */
  private void sampleClients(boolean whole) {
    if (whole) {
      ClientNodes.ask(ignite, client -> silentClients.add(name(client)), this::ofClient)
          .forEach((client, metrics) -> metrics.ifPresent(all -> add(client, all)));
      add(RUNNING, ofClients(RUNNING));
      return;
    }
    for (ClusterNode client : ignite.cluster().forClients().nodes()) {
      if (samples.containsKey(client.id())) {
        add(
            client,
            Map.of(
                "sys.memory.heap.used",
                client.metrics().getHeapMemoryUsed(),
                MAX_HEAP,
                client.metrics().getHeapMemoryMaximum(),
                MemoryChecks.GC_LOAD,
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

  /** Rows of a view of the client nodes that answer. */
  private List<Row> ofClients(String view) {
    return ClientNodes.ask(ignite, client -> rows(ignite, view, List.of(client))).values().stream()
        .flatMap(Optional::stream)
        .flatMap(List::stream)
        .toList();
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
                double since =
                    before.unread.contains(row.server())
                        ? 0
                        : row.amount(EXECUTIONS) - executed.getOrDefault(statement(row), 0.0);
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
    List<Row> rows = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    if (!rows(TABLES).isEmpty()) {
      rows.addAll(rows(STATEMENTS));
      ClientNodes.ask(ignite, client -> rows(ignite, STATEMENTS, List.of(client)))
          .forEach(
              (client, history) ->
                  history.ifPresentOrElse(rows::addAll, () -> unread.add(name(client))));
    }
    return new Statements(rows, unread);
  }

  private List<Server> servers() {
    Map<String, Map<String, String>> configurations = new HashMap<>();
    for (Row row : rows("configuration")) {
      configurations
          .computeIfAbsent(row.server(), name -> new HashMap<>())
          .put(row.get("name"), row.get("value"));
    }
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

  private static long pause(long took, Duration length) {
    return Math.max(Math.max(PAUSE_MILLIS, length.toMillis() / MOST_PAUSES), LOAD_FACTOR * took);
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

  private Map<String, Object> metrics(ClusterNode node, boolean whole) {
    Map<String, Object> all =
        metrics(
            node,
            Stream.of(
                    Stream.of(ThreadPool.values()).map(pool -> pool.registry),
                    ServerRoom.storage(ignite, node).stream()
                        .flatMap(ServerRoom::regions)
                        .map(region -> MemoryChecks.metrics(region)),
                    whole
                        ? Stream.concat(OBSERVED.registries.stream(), ofCaches())
                        : Stream.concat(OBSERVED.gauges.stream(), ofExpiring()))
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

  private Stream<String> ofExpiring() {
    return caches.values().stream()
        .filter(cache -> ClientChecks.expires(cache.getExpiryPolicyFactory()))
        .map(cache -> "cache." + cache.getName() + CacheChecks.ENTRIES);
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
                        MemoryChecks.READ_OF_GROUP.formatted(group))));
  }

  /**
   * The view of what runs: a server that reads it while it changes may fail, and is asked again.
   */
  private List<Row> changingRows(String view) {
    for (int attempt = 0; attempt < VIEW_ATTEMPTS; attempt++) {
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
    SystemViewTaskResult found =
        ServerMetrics.result(
            ignite
                .compute(ignite.cluster().forNodes(nodes))
                .execute(
                    SystemViewTask.class,
                    new VisorTaskArgument<>(
                        nodes.stream().map(ClusterNode::id).toList(), wanted, false)));
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
    return view.equals(TRANSACTIONS)
        ? rows.stream()
            .map(row -> TransactionChecks.withOrigin(row, ignite.cluster().nodes()))
            .toList()
        : rows;
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
