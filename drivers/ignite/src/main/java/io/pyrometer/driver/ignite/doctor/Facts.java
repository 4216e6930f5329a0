package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.protocol.GcLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * Facts that the checks look at, of a cluster that was observed for a while, or of a configuration
 * file.
 *
 * @param live whether there is a cluster
 * @param seconds from the first sample to the last
 * @param servers the server nodes; of a file, the one that it configures
 * @param caches the configurations of all caches of users
 * @param views rows of system views of all servers, by name of the view: of queued tasks and of
 *     transactions those of all samples together, so that one may occur several times; of
 *     statements also those that client nodes started
 * @param unread names of client nodes whose statements are not known
 * @param host settings of this machine's system; empty where no server runs on it
 * @param dumps threads of servers and of client nodes, one instant after the other, by name
 * @param logs of garbage collections, by name of the server or of the file that the user named
 * @param around the facts about nodes and machines beside the servers
 */
record Facts(
    boolean live,
    double seconds,
    List<Server> servers,
    List<CacheConfiguration<?, ?>> caches,
    Map<String, List<Row>> views,
    List<String> unread,
    Map<String, String> host,
    Map<String, List<ThreadDump>> dumps,
    Map<String, GcLog> logs,
    Surroundings around) {

  /**
   * Nodes and machines beside the servers.
   *
   * @param state of the cluster, as Ignite names it; empty for a file
   * @param silent names of servers that are in the cluster and did not answer
   * @param clients the client nodes that answered, with metrics of their own
   * @param cpu use of this machine's CPUs; empty where it is not known
   */
  record Surroundings(
      String state, List<String> silent, List<Server> clients, Optional<HostCpu.Use> cpu) {
    static final Surroundings NONE = new Surroundings("", List.of(), List.of(), Optional.empty());
  }

  /** A cluster that is not active answers to hardly anything. */
  static Facts inactive(Stream<String> servers) {
    return new Facts(
        true,
        0,
        servers
            .map(name -> new Server(name, "", 0, Map.of(), Map.of(), Optional.empty(), List.of()))
            .toList(),
        List.of(),
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        new Surroundings("INACTIVE", List.of(), List.of(), Optional.empty()));
  }

  boolean isInactive() {
    return around.state.equals("INACTIVE");
  }

  /** A row of a system view of a node. */
  record Row(String server, Map<String, String> values) {
    String get(String column) {
      return values.getOrDefault(column, "");
    }

    Row with(String column, String value) {
      Map<String, String> more = new HashMap<>(values);
      more.put(column, value);
      return new Row(server, more);
    }
  }

  /** The copies of an entry beside the first one. */
  int backups(CacheConfiguration<?, ?> cache) {
    return cache.getCacheMode() == CacheMode.REPLICATED ? servers.size() - 1 : cache.getBackups();
  }

  /**
   * Returns whether there may be copies on other servers; a file does not say how many servers
   * there are.
   */
  boolean several() {
    return !live || servers.size() > 1;
  }

  /** The name of the group that a cache is in: its own if it is in none. */
  static String group(CacheConfiguration<?, ?> cache) {
    return cache.getGroupName() == null ? cache.getName() : cache.getGroupName();
  }

  double sum(ToDoubleFunction<Server> value) {
    return servers.stream().mapToDouble(value).sum();
  }

  /** Where threads of a pool of a server stand in code of the user's. */
  Optional<ThreadDump.Standing> standing(Server server, String pool) {
    return standing(server, pool, ThreadDump.MANY);
  }

  /**
   * Where threads of a pool of a server stand in code of the user's.
   *
   * @param least the share of them, in the mean of the dumps
   */
  Optional<ThreadDump.Standing> standing(Server server, String pool, double least) {
    return ThreadDump.standing(dumps.getOrDefault(server.name(), List.of()), pool, least);
  }

  List<Row> view(String name) {
    return views.getOrDefault(name, List.of());
  }

  /** Gets that servers answered, of all caches that count them. */
  double gets() {
    return counted("CacheGets");
  }

  double puts() {
    return counted("CachePuts");
  }

  /** Records written, each counted once whatever its backups. */
  double records() {
    return caches.stream()
        .mapToDouble(cache -> counted(cache, "CachePuts") / (1 + backups(cache)))
        .sum();
  }

  /**
   * Messages that servers received of a type, by Ignite's number of it; counted without statistics.
   */
  double messages(int type) {
    return sum(server -> server.growth("communication.tcp.receivedMessagesByType." + type));
  }

  /** Buffers of data streamers that servers have taken. */
  double buffers() {
    return sum(server -> server.growth(Pools.STREAMER + ".TotalCompletedTasksCount"));
  }

  /** Jobs and calls of services that servers have executed. */
  double jobs() {
    return Stream.of(Pools.PUBLIC, Pools.SERVICES)
        .mapToDouble(pool -> sum(server -> server.growth(pool + ".CompletedTaskCount")))
        .sum();
  }

  /** A metric of all caches. */
  double counted(String metric) {
    return caches.stream().mapToDouble(cache -> counted(cache, metric)).sum();
  }

  double counted(CacheConfiguration<?, ?> cache, String metric) {
    return sum(server -> server.growth("cache." + cache.getName() + "." + metric));
  }

  /** The names of caches that do not count their operations, unless they have no entries. */
  List<String> uncounted(Predicate<CacheConfiguration<?, ?>> which) {
    return caches.stream()
        .filter(which)
        .filter(cache -> !counts(cache) && !isEmpty(cache))
        .map(CacheConfiguration::getName)
        .toList();
  }

  private boolean counts(CacheConfiguration<?, ?> cache) {
    return cache.isStatisticsEnabled()
        || counted(cache, "CacheGets") + counted(cache, "CachePuts") > 0;
  }

  boolean isEmpty(CacheConfiguration<?, ?> cache) {
    String entries = "cache." + cache.getName() + ".OffHeapPrimaryEntriesCount";
    return sum(server -> server.last(entries).orElse(1)) == 0;
  }
}
