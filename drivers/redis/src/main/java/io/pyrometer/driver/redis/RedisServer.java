package io.pyrometer.driver.redis;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.pyrometer.driver.Address;
import io.pyrometer.driver.GridException;
import io.pyrometer.driver.NativeProcess;
import io.pyrometer.driver.Poll;
import io.pyrometer.driver.ReadyCheck;
import io.pyrometer.driver.RunningServer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A master and, with a backup, a replica of the master of the server before this one. */
final class RedisServer implements RunningServer {
  private static final int SLOTS = 16_384;
  private static final Duration STOP = Duration.ofSeconds(5);

  private final Command.StartServer spec;
  private final String host;
  private final boolean replicated;
  private final List<NativeProcess> processes;
  private final RedisClient client = RedisClient.create();
  private final CompletableFuture<String> ended = new CompletableFuture<>();

  private RedisServer(
      Command.StartServer spec, String host, boolean replicated, List<NativeProcess> processes) {
    this.spec = spec;
    this.host = host;
    this.replicated = replicated;
    this.processes = processes;
    for (NativeProcess process : processes) {
      CompletableFuture<Void> unused = process.ended().thenAccept(ended::complete);
    }
  }

  static RunningServer start(Command.StartServer spec) {
    Settings settings = new RedisDriver().describe().complete(spec.settings());
    String address = spec.peers().get(spec.index());
    String host = Address.host(address);
    boolean replicated = settings.get(RedisDriver.BACKUPS) > 0 && spec.servers() > 1;
    List<NativeProcess> processes = new ArrayList<>();
    try {
      processes.add(process(spec, settings, host, "master", 0));
      if (replicated) {
        processes.add(process(spec, settings, host, "replica", 2));
      }
      RedisServer server = new RedisServer(spec, host, replicated, processes);
      server.prepare();
      return server;
    } catch (RuntimeException failure) {
      processes.forEach(NativeProcess::close);
      throw failure;
    }
  }

  /**
   * @param ports index of the process's first port among those of the server
   */
  private static NativeProcess process(
      Command.StartServer spec, Settings settings, String host, String role, int ports) {
    Path program =
        RedisDriver.program().orElseThrow(() -> new GridException("There is no redis-server."));
    Path folder = Path.of(spec.workFolder(), role).toAbsolutePath();
    int port = spec.ports().get(ports);
    List<String> command = new ArrayList<>(List.of(program.toString()));
    Map<String, String> options =
        new TreeMap<>(
            Map.ofEntries(
                Map.entry("--port", String.valueOf(port)),
                Map.entry("--cluster-port", String.valueOf(spec.ports().get(ports + 1))),
                Map.entry("--bind", host),
                Map.entry("--protected-mode", "no"),
                Map.entry("--cluster-enabled", "yes"),
                Map.entry("--cluster-announce-ip", host),
                Map.entry("--dir", folder.toString()),
                Map.entry("--save", ""),
                Map.entry("--repl-diskless-sync-delay", "0"),
                Map.entry("--maxmemory", settings.get(RedisDriver.MEMORY).toString()),
                Map.entry("--maxmemory-policy", "noeviction")));
    options.put("--appendonly", settings.get(RedisDriver.APPEND_ONLY) ? "yes" : "no");
    settings.find(RedisDriver.APPEND_FSYNC).ifPresent(when -> options.put("--appendfsync", when));
    long timeout = Math.round(1e3 * settings.get(RedisDriver.NODE_TIMEOUT));
    options.put("--cluster-node-timeout", String.valueOf(timeout));
    settings.properties().forEach((name, value) -> options.put("--" + name, value));
    options.forEach((option, value) -> command.addAll(List.of(option, value)));
    return NativeProcess.start(
        new NativeProcess.Spec(
            "The Redis %s of server %d".formatted(role, spec.index()),
            command,
            Map.of(),
            folder,
            Duration.ofSeconds(30),
            STOP),
        ReadyCheck.accepts(host, port));
  }

  /** Commands for a node that knows no other one. */
  @SuppressWarnings("unchecked") // an array of one Range, made by the compiler
  private void prepare() {
    int index = spec.index();
    int servers = spec.servers();
    int from = (int) ((long) SLOTS * index / servers);
    int to = (int) ((long) SLOTS * (index + 1) / servers) - 1;
    onMaster(
        master -> {
          master.clusterSetConfigEpoch(index + 1L);
          return master.clusterAddSlotsRange(Range.create(from, to));
        });
    if (replicated) {
      onReplica(replica -> replica.clusterSetConfigEpoch(servers + index + 1L));
    }
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    String first = spec.peers().get(0);
    int nodes = servers * (replicated ? 2 : 1);
    meet(first, 0);
    if (replicated) {
      meet(first, 2);
      String master = spec.peers().get((spec.index() + servers - 1) % servers);
      String id = on(RedisURI.create("redis://" + master), RedisCommands::clusterMyId);
      until(deadline, "knows its master", () -> onReplica(r -> r.clusterNodes().contains(id)));
      onReplica(replica -> replica.clusterReplicate(id));
      until(
          deadline,
          "is in step with its master",
          () -> onReplica(r -> r.info("replication").contains("master_link_status:up")));
    }
    until(
        deadline,
        "is part of a cluster of %d processes".formatted(nodes),
        () ->
            onMaster(
                master -> {
                  String info = master.clusterInfo();
                  return info.contains("cluster_state:ok")
                      && info.contains("cluster_known_nodes:" + nodes + "\r")
                      && (!replicated || master.info("replication").contains("connected_slaves:1"));
                }));
  }

  /** Has the first master of the cluster greet one of this server's processes. */
  private void meet(String first, int ports) {
    if (spec.index() == 0 && ports == 0) {
      return;
    }
    CommandArgs<String, String> args =
        new CommandArgs<>(StringCodec.UTF8)
            .add("MEET")
            .add(host)
            .add(spec.ports().get(ports))
            .add(spec.ports().get(ports + 1));
    String unused =
        on(
            RedisURI.create("redis://" + first),
            peer -> peer.dispatch(CommandType.CLUSTER, new StatusOutput<>(StringCodec.UTF8), args));
  }

  private void until(long deadline, String what, BooleanSupplier condition) {
    Duration rest = Duration.ofNanos(deadline - System.nanoTime());
    if (!Poll.until(rest, () -> holds(condition))) {
      throw GridException.of(
          "Redis server %d at %s did not come so far that it %s.",
          spec.index(), clientAddress().orElse(""), what);
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (RedisException notYet) {
      return false;
    }
  }

  private <T> T onMaster(Function<RedisCommands<String, String>, T> request) {
    return on(RedisURI.create(host, spec.ports().get(0)), request);
  }

  private <T> T onReplica(Function<RedisCommands<String, String>, T> request) {
    return on(RedisURI.create(host, spec.ports().get(2)), request);
  }

  private <T> T on(RedisURI address, Function<RedisCommands<String, String>, T> request) {
    try (StatefulRedisConnection<String, String> connection = client.connect(address)) {
      return request.apply(connection.sync());
    }
  }

  @Override
  public Optional<String> clientAddress() {
    return Optional.of(spec.peers().get(spec.index()));
  }

  @Override
  public Map<String, String> configuration() {
    Map<String, String> facts = onMaster(RedisServer::configuration);
    onMaster(
        master -> {
          spec.settings()
              .properties()
              .keySet()
              .forEach(
                  name ->
                      master
                          .configGet(name)
                          .forEach((own, value) -> facts.put("properties." + own, value)));
          return facts;
        });
    return facts;
  }

  /** Configuration that a Redis process reports. */
  static Map<String, String> configuration(
      io.lettuce.core.cluster.api.sync.RedisClusterCommands<String, String> process) {
    Map<String, String> facts = new TreeMap<>();
    process
        .info("server")
        .lines()
        .filter(line -> line.matches("(redis|valkey)_version:.*"))
        .forEach(
            line ->
                facts.put(
                    DriverDescription.INSTALLED,
                    (line.startsWith("redis") ? "Redis " : "Valkey ")
                        + line.split(":", 2)[1].strip()));
    for (String option :
        List.of("save", "maxmemory", "maxmemory-policy", "appendonly", "appendfsync")) {
      process.configGet(option).forEach((name, value) -> facts.put("server." + name, value));
    }
    return facts;
  }

  @Override
  public List<Long> processIds() {
    return processes.stream().map(NativeProcess::pid).toList();
  }

  @Override
  public CompletableFuture<String> ended() {
    return ended;
  }

  @Override
  public void close() {
    processes.forEach(NativeProcess::close);
  }
}
