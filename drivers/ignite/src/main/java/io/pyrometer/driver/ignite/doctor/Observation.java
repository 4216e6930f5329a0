package io.pyrometer.driver.ignite.doctor;

import com.fasterxml.jackson.core.type.TypeReference;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.node.Resource;
import io.pyrometer.driver.ignite.node.ServerRoom;
import io.pyrometer.driver.ignite.node.ServerWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.management.SystemViewCommandArg;
import org.apache.ignite.internal.management.SystemViewTask;
import org.apache.ignite.internal.management.SystemViewTaskResult;
import org.apache.ignite.internal.management.metric.MetricCommandArg;
import org.apache.ignite.internal.management.metric.MetricTask;
import org.apache.ignite.internal.managers.discovery.GridDiscoveryManager;
import org.apache.ignite.internal.managers.systemview.IgniteConfigurationIterable;
import org.apache.ignite.internal.processors.cache.DynamicCacheDescriptor;
import org.apache.ignite.internal.util.typedef.X;
import org.apache.ignite.internal.visor.VisorTaskArgument;
import org.apache.ignite.internal.visor.VisorTaskResult;
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
  private static final List<String> OF_EACH_SAMPLE = List.of(QUEUES, SCANS, RUNNING);

  /** Rows of the view of transactions that client nodes have, at the end of the observation. */
  static final String CLIENT_TRANSACTIONS = "transactions of clients";

  /** Metric of a near cache, after the cache's name. */
  static final String NEAR_ENTRIES = ".near.HeapEntriesCount";

  /** How long a server's answers took to one sample. */
  static final String ANSWER_MILLIS = "pyrometer.answer-millis";

  private static final Observed OBSERVED =
      Resource.read(Observation.class, "observed.json", new TypeReference<>() {});

  /**
   * The file {@code observed.json}.
   *
   * @param registries read in the first sample and in the last: counters, and what changes little
   * @param gauges of those, what stands for an instant: read between them too
   * @param host settings of the system, and their files
   */
  private record Observed(
      List<String> registries, List<String> gauges, List<String> pools, Map<String, Path> host) {}

  /** A busy server answers later than a healthy one, but it does. */
  private static final int SILENT_SECONDS = 30;

  private static final int RECONNECT_SECONDS = 60;
  private static final int VIEW_ATTEMPTS = 10;
  private static final int CLIENTS_DUMPED = 4;
  private static final String SYSTEM = "sys";

  private final Ignite ignite;
  private final List<ClusterNode> nodes;
  private final List<String> silent;

  /** All that were there at some sample, by name: those of a run's trials come and go. */
  private final Map<String, CacheConfiguration<?, ?>> caches = new LinkedHashMap<>();

  private Observation(Ignite ignite) {
    this.ignite = ignite;
    Map<ClusterNode, Optional<Map<String, Object>>> answers =
        ClientNodes.ask(
            ignite.cluster().forServers().nodes(),
            SILENT_SECONDS,
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
   * Observes a running cluster.
   *
   * @throws GridException with one sentence if it does not answer, or refuses
   */
  static Facts of(Ignite ignite, Duration length, ServerJvms jvms) {
    return of(ignite, length, jvms, true);
  }

  /** Facts of an observation, which is repeated once if the connection was lost meanwhile. */
  private static Facts of(Ignite ignite, Duration length, ServerJvms jvms, boolean again) {
    try {
      ClusterState state = ignite.cluster().state();
      return state == ClusterState.INACTIVE
          ? Facts.inactive(ignite.cluster().forServers().nodes().stream().map(Observation::name))
          : new Observation(ignite).facts(length, jvms);
    } catch (IgniteException refused) {
      IgniteClientDisconnectedException lost =
          X.cause(refused, IgniteClientDisconnectedException.class);
      if (lost != null && again && isBack(lost)) {
        return of(ignite, length, jvms, false);
      }
      throw new GridException(
          "The cluster did not return its metrics and system views: "
              + GridException.cause(refused)
              + ".",
          refused);
    } catch (LinkageError older) {
      throw new GridException(
          "The checks need the tasks of Ignite 2.17 or newer: examine a configuration file"
              + " instead.",
          older);
    }
  }

  private static boolean isBack(IgniteClientDisconnectedException lost) {
    try {
      lost.reconnectFuture().get(RECONNECT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (IgniteException late) {
      return false;
    }
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
    return new Facts(
        false,
        0,
        List.of(server),
        caches == null ? List.of() : List.of(caches),
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Facts.Surroundings.NONE);
  }

  private static Map<String, String> properties(Iterable<ConfigurationView> views) {
    Map<String, String> properties = new HashMap<>();
    StreamSupport.stream(views.spliterator(), false)
        .forEach(view -> properties.put(view.name(), String.valueOf(view.value())));
    return properties;
  }

  private Facts facts(Duration length, ServerJvms jvms) {
    Map<UUID, List<Map<String, Object>>> samples = new LinkedHashMap<>();
    Map<String, List<Row>> views = new HashMap<>();
    Map<UUID, List<Map<String, Object>>> ofClients = new LinkedHashMap<>();
    Statements before =
        rows(TABLES).isEmpty() ? Statements.NONE : Statements.read(ignite, present());
    HostCpu cpu = new HostCpu(ignite.cluster().nodes());
    long begin = System.nanoTime();
    long end = begin + length.toNanos();
    long last = begin;
    int dumps = 0;
    int taken = 0;
    for (boolean more = true; more; ) {
      last = System.nanoTime();
      more = last < end;
      boolean whole = !more || samples.isEmpty();
      seeCaches();
      if (whole) {
        ClientNodes.ask(ignite, this::ofClient)
            .forEach(
                (client, metrics) ->
                    metrics.ifPresent(
                        all ->
                            ofClients
                                .computeIfAbsent(client.id(), id -> new ArrayList<>())
                                .add(all)));
        views.computeIfAbsent(RUNNING, name -> new ArrayList<>()).addAll(ofClients(RUNNING));
        cpu.sample();
      } else {
        ofClients.forEach((client, metrics) -> metrics.add(heap(client)));
      }
      for (ClusterNode node : present()) {
        ofPresent(() -> metrics(node, whole), node)
            .ifPresent(all -> samples.computeIfAbsent(node.id(), id -> new ArrayList<>()).add(all));
      }
      for (String view : OF_EACH_SAMPLE) {
        String sample = String.valueOf(taken);
        changingRows(view).stream()
            .map(row -> row.with(SAMPLE, sample))
            .forEach(views.computeIfAbsent(view, name -> new ArrayList<>())::add);
      }
      rows(TRANSACTIONS).stream()
          .map(row -> TransactionChecks.withOrigin(row, ignite.cluster().nodes()))
          .forEach(views.computeIfAbsent(TRANSACTIONS, name -> new ArrayList<>())::add);
      taken++;
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
    if (samples.values().stream().anyMatch(all -> !all.get(0).containsKey("sys.memory.heap.max"))) {
      throw new GridException("A server exposes no metrics, so nothing can be checked.");
    }
    views.put(TABLES, rows(TABLES));
    Statements after =
        views.get(TABLES).isEmpty() ? Statements.NONE : Statements.read(ignite, present());
    views.put(STATEMENTS, after.since(before));
    views.put(INDEXES, rows(INDEXES));
    views.put(COLUMNS, rows(COLUMNS));
    views.put(METADATA, rows(METADATA));
    views.put(
        CLIENT_TRANSACTIONS,
        ofClients(TRANSACTIONS).stream()
            .map(row -> TransactionChecks.withOrigin(row, ignite.cluster().nodes()))
            .toList());
    Map<String, Map<String, String>> configurations = new HashMap<>();
    rows("configuration")
        .forEach(
            row ->
                configurations
                    .computeIfAbsent(row.server(), name -> new HashMap<>())
                    .put(row.get("name"), row.get("value")));
    return new Facts(
        true,
        (last - begin) / 1e9,
        present().stream()
            .filter(node -> samples.containsKey(node.id()))
            .map(
                node ->
                    server(
                        node,
                        configurations.getOrDefault(name(node), Map.of()),
                        samples.getOrDefault(node.id(), List.of())))
            .toList(),
        List.copyOf(caches.values()),
        views,
        after.unread(),
        nodes.stream().anyMatch(ServerWatch::isHere) ? host() : Map.of(),
        jvms.dumps(),
        jvms.logs(nodes),
        new Facts.Surroundings(
            ignite.cluster().state().name(),
            silent,
            ignite.cluster().forClients().nodes().stream()
                .filter(client -> ofClients.containsKey(client.id()))
                .map(client -> client(client, ofClients.getOrDefault(client.id(), List.of())))
                .toList(),
            cpu.use()));
  }

  /** Rows of a view of the client nodes that answer. */
  private List<Row> ofClients(String view) {
    return ClientNodes.ask(ignite, client -> rows(ignite, view, List.of(client))).values().stream()
        .flatMap(Optional::stream)
        .flatMap(List::stream)
        .toList();
  }

  /** Metrics of a client node: transactions that it began, its heap, its near caches. */
  private Map<String, Object> ofClient(ClusterNode client) {
    return metrics(
        client,
        Stream.concat(
            Stream.of(SYSTEM, "tx", ClientChecks.SENT),
            caches.keySet().stream()
                .filter(cache -> discovery().cacheNearNode(client, cache))
                .map(cache -> "cache." + cache + NEAR_ENTRIES)));
  }

  /** The heap of a node as its heartbeats tell it; empty once it has left. */
  private Map<String, Object> heap(UUID client) {
    ClusterNode node = ignite.cluster().node(client);
    return node == null
        ? Map.of()
        : Map.of(
            "sys.memory.heap.used", node.metrics().getHeapMemoryUsed(),
            "sys.memory.heap.max", node.metrics().getHeapMemoryMaximum());
  }

  private GridDiscoveryManager discovery() {
    return ((IgniteEx) ignite).context().discovery();
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

  private Server server(
      ClusterNode node, Map<String, String> configuration, List<Map<String, Object>> samples) {
    return new Server(
        name(node),
        ServerWatch.hardwareAddresses(node),
        node.metrics().getTotalCpus(),
        configuration,
        node.attributes(),
        ServerRoom.storage(ignite, node),
        samples);
  }

  /** A client node, which stores nothing. */
  private static Server client(ClusterNode node, List<Map<String, Object>> samples) {
    return new Server(
        name(node),
        ServerWatch.hardwareAddresses(node),
        node.metrics().getTotalCpus(),
        Map.of(),
        node.attributes(),
        Optional.empty(),
        samples);
  }

  static String name(ClusterNode node) {
    return String.valueOf(node.consistentId());
  }

  private Map<String, Object> metrics(ClusterNode node, boolean whole) {
    long begin = System.nanoTime();
    Map<String, Object> all =
        metrics(
            node,
            Stream.of(
                    OBSERVED.pools.stream(),
                    ServerRoom.storage(ignite, node).stream()
                        .flatMap(ServerRoom::regions)
                        .map(region -> MemoryChecks.metrics(region)),
                    whole
                        ? Stream.concat(OBSERVED.registries.stream(), ofCaches())
                        : Stream.concat(OBSERVED.gauges.stream(), ofExpiring()))
                .flatMap(names -> names));
    all.put(ANSWER_MILLIS, (System.nanoTime() - begin) / 1e6);
    return all;
  }

  private Map<String, Object> metrics(ClusterNode node, Stream<String> names) {
    Map<String, Object> all = new HashMap<>();
    names.forEach(
        name -> {
          MetricCommandArg wanted = new MetricCommandArg();
          wanted.name(name);
          answer(
                  ignite
                      .compute(ignite.cluster().forNode(node))
                      .execute(MetricTask.class, new VisorTaskArgument<>(node.id(), wanted, false)))
              .ifPresent(all::putAll);
        });
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
    try {
      return rows(ignite, view, asked);
    } catch (IgniteException failed) {
      if (present().equals(asked)) {
        throw failed;
      }
      return rows(view);
    }
  }

  /** The servers that were there at the beginning and have not left. */
  private List<ClusterNode> present() {
    return nodes.stream().filter(this::isPresent).toList();
  }

  private boolean isPresent(ClusterNode node) {
    return ignite.cluster().node(node.id()) != null;
  }

  /** An answer of a node; empty if it has left meanwhile. */
  private <T> Optional<T> ofPresent(Supplier<T> question, ClusterNode node) {
    try {
      return Optional.of(question.get());
    } catch (IgniteException failed) {
      if (isPresent(node)) {
        throw failed;
      }
      return Optional.empty();
    }
  }

  static List<Row> rows(Ignite ignite, String view, List<ClusterNode> nodes) {
    SystemViewCommandArg wanted = new SystemViewCommandArg();
    wanted.systemViewName(view);
    Optional<SystemViewTaskResult> found =
        answer(
            ignite
                .compute(ignite.cluster().forNodes(nodes))
                .execute(
                    SystemViewTask.class,
                    new VisorTaskArgument<>(
                        nodes.stream().map(ClusterNode::id).toList(), wanted, false)));
    if (found.isEmpty()) {
      return List.of();
    }
    List<String> columns = found.get().attributes();
    List<Row> rows = new ArrayList<>();
    for (ClusterNode node : nodes) {
      for (List<?> values : found.get().rows().getOrDefault(node.id(), List.of())) {
        Map<String, String> row = new HashMap<>();
        for (int c = 0; c < columns.size(); c++) {
          row.put(columns.get(c), String.valueOf(values.get(c)));
        }
        rows.add(new Row(name(node), row));
      }
    }
    return rows;
  }

  /** Empty where the node has nothing of the name. */
  private static <T> Optional<T> answer(VisorTaskResult<T> task) {
    try {
      return Optional.ofNullable(task.result());
    } catch (Exception failed) {
      throw new IgniteException(failed);
    }
  }

  private static Map<String, String> host() {
    Map<String, String> settings = new HashMap<>();
    OBSERVED.host.forEach(
        (name, file) -> {
          try {
            settings.put(name, Files.readString(file).strip());
          } catch (IOException absent) {
            // This system has no such setting.
          }
        });
    return settings;
  }
}
