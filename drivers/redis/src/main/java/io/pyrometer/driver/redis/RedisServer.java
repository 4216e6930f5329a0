package io.pyrometer.driver.redis;

import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
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
record RedisServer(Command.StartServer spec, List<NativeProcess> processes, RedisClient client)
    implements RunningServer {
  private static final int SLOTS = 16_384;
  private static final Duration STOP = Duration.ofSeconds(5);

  /** Index of a process's first port among those of the server. */
  private static final int MASTER = 0;

  private static final int REPLICA = 2;

  static RunningServer start(Command.StartServer spec) {
    Settings settings = spec.settings();
    List<NativeProcess> processes = new ArrayList<>();
    try {
      processes.add(process(spec, settings, "master", MASTER));
      if (settings.get(RedisDriver.BACKUPS) > 0 && spec.servers() > 1) {
        processes.add(process(spec, settings, "replica", REPLICA));
      }
      RedisServer server = new RedisServer(spec, processes, RedisClient.create());
      server.prepare();
      return server;
    } catch (RuntimeException failure) {
      processes.forEach(NativeProcess::close);
      throw failure;
    }
  }

  private static NativeProcess process(
      Command.StartServer spec, Settings settings, String role, int ports) {
    String host = Address.host(spec.peers().get(spec.index()));
    Path program =
        RedisDriver.program().orElseThrow(() -> new GridException("There is no redis-server."));
    Path folder = Path.of(spec.workFolder(), role).toAbsolutePath();
    int port = spec.ports().get(ports);
    long timeout = Math.round(1e3 * settings.get(RedisDriver.NODE_TIMEOUT));
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
                Map.entry("--maxmemory-policy", "noeviction"),
                Map.entry("--appendonly", settings.get(RedisDriver.APPEND_ONLY) ? "yes" : "no"),
                Map.entry("--cluster-node-timeout", String.valueOf(timeout))));
    settings.find(RedisDriver.APPEND_FSYNC).ifPresent(when -> options.put("--appendfsync", when));
    settings.properties().forEach((name, value) -> options.put("--" + name, value));
    List<String> command = new ArrayList<>(List.of(program.toString()));
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
    on(
        MASTER,
        master -> {
          master.clusterSetConfigEpoch(index + 1L);
          return master.clusterAddSlotsRange(Range.create(from, to));
        });
    if (replicated()) {
      on(REPLICA, replica -> replica.clusterSetConfigEpoch(servers + index + 1L));
    }
  }

  private boolean replicated() {
    return processes.size() > 1;
  }

  @Override
  public void awaitServers(int servers, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    String first = spec.peers().get(0);
    int nodes = servers * processes.size();
    if (spec.index() > 0) {
      meet(first, MASTER);
    }
    if (replicated()) {
      meet(first, REPLICA);
      String master = spec.peers().get((spec.index() + servers - 1) % servers);
      String id = on(RedisURI.create("redis://" + master), RedisCommands::clusterMyId);
      until(deadline, "knows its master", () -> on(REPLICA, r -> r.clusterNodes().contains(id)));
      on(REPLICA, replica -> replica.clusterReplicate(id));
      until(
          deadline,
          "is in step with its master",
          () -> on(REPLICA, r -> r.info("replication").contains("master_link_status:up")));
    }
    until(
        deadline,
        "is part of a cluster of %d processes".formatted(nodes),
        () ->
            on(
                MASTER,
                master -> {
                  String info = master.clusterInfo();
                  return info.contains("cluster_state:ok")
                      && info.contains("cluster_known_nodes:" + nodes + "\r")
                      && (!replicated()
                          || master.info("replication").contains("connected_slaves:1"));
                }));
  }

  /** Has the first master of the cluster greet one of this server's processes. */
  private void meet(String first, int ports) {
    CommandArgs<String, String> args =
        new CommandArgs<>(StringCodec.UTF8)
            .add("MEET")
            .add(Address.host(spec.peers().get(spec.index())))
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
          spec.index(), spec.peers().get(spec.index()), what);
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (RedisException notYet) {
      return false;
    }
  }

  private <T> T on(int ports, Function<RedisCommands<String, String>, T> request) {
    String host = Address.host(spec.peers().get(spec.index()));
    return on(RedisURI.create(host, spec.ports().get(ports)), request);
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
    return on(
        MASTER,
        master -> {
          Map<String, String> facts = configuration(master);
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
  }

  /** Configuration that a Redis process reports. */
  static Map<String, String> configuration(RedisClusterCommands<String, String> process) {
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
    CompletableFuture<String> ended = new CompletableFuture<>();
    for (NativeProcess process : processes) {
      CompletableFuture<Void> unused = process.ended().thenAccept(ended::complete);
    }
    return ended;
  }

  @Override
  public void close() {
    processes.forEach(NativeProcess::close);
  }
}
