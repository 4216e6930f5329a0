package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.protocol.GcLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.ignite.cache.CacheAtomicityMode;
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
   * @param silentClients names of client nodes that accept a connection and did not answer
   * @param clients the client nodes that answered, with metrics of their own
   * @param cpu use of this machine's CPUs; empty where it is not known
   */
  record Surroundings(
      String state,
      List<String> silent,
      List<String> silentClients,
      List<Server> clients,
      Optional<HostCpu.Use> cpu) {
    static final Surroundings NONE =
        new Surroundings("", List.of(), List.of(), List.of(), Optional.empty());
  }

  /** Facts without what only a running cluster shows. */
  static Facts of(
      boolean live,
      double seconds,
      List<Server> servers,
      List<CacheConfiguration<?, ?>> caches,
      String state) {
    return new Facts(
        live,
        seconds,
        servers,
        caches,
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        new Surroundings(state, List.of(), List.of(), List.of(), Optional.empty()));
  }

  /** A cluster that is not active answers to hardly anything. */
  static Facts inactive(Stream<String> servers) {
    return of(true, 0, servers.map(Server::named).toList(), List.of(), "INACTIVE");
  }

  boolean isInactive() {
    return around.state.equals("INACTIVE");
  }

  /** A row of a system view of a node. */
  record Row(String server, Map<String, String> values) {
    String get(String column) {
      return values.getOrDefault(column, "");
    }

    /** A whole number; 0 where there is none. */
    double amount(String column) {
      return get(column).matches("\\d+") ? Double.parseDouble(get(column)) : 0;
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

  /** Returns whether a cache supports transactions. */
  boolean hasTransactions() {
    return caches.stream()
        .anyMatch(cache -> cache.getAtomicityMode() == CacheAtomicityMode.TRANSACTIONAL);
  }

  /** The name of the group that a cache is in: its own if it is in none. */
  static String group(CacheConfiguration<?, ?> cache) {
    return cache.getGroupName() == null ? cache.getName() : cache.getGroupName();
  }

  double sum(ToDoubleFunction<Server> value) {
    return servers.stream().mapToDouble(value).sum();
  }

  /** By how much a counter of all servers grew. */
  double growth(String metric) {
    return sum(server -> server.growth(metric));
  }

  /** The last value of a metric, added up over all servers. */
  double last(String metric) {
    return sum(server -> server.last(metric));
  }

  /** Where many threads of a pool of a node, which have all started, wait in code of the user's. */
  Optional<ThreadDump.Standing> standing(Server server, String pool) {
    return ThreadDump.standing(dumps(server), pool, true, 0, ThreadDump.MANY);
  }

  List<ThreadDump> dumps(Server server) {
    return dumps.getOrDefault(server.name(), List.of());
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
    return growth("communication.tcp.receivedMessagesByType." + type);
  }

  /** Buffers of data streamers that servers have taken. */
  double buffers() {
    return growth(ThreadPool.STREAMER.metric("TotalCompletedTasksCount"));
  }

  /** Jobs and calls of services that servers have executed. */
  double jobs() {
    return growth(ThreadPool.PUBLIC.metric("CompletedTaskCount"))
        + growth(ThreadPool.SERVICES.metric("CompletedTaskCount"));
  }

  /** A metric of all caches. */
  double counted(String metric) {
    return caches.stream().mapToDouble(cache -> counted(cache, metric)).sum();
  }

  double counted(CacheConfiguration<?, ?> cache, String metric) {
    return growth("cache." + cache.getName() + "." + metric);
  }

  /** Returns whether operations go unseen: a cache does not count them, and has entries. */
  boolean isUncounted(CacheConfiguration<?, ?> cache) {
    return !cache.isStatisticsEnabled()
        && counted(cache, "CacheGets") + counted(cache, "CachePuts") == 0
        && !isEmpty(cache);
  }

  boolean isEmpty(CacheConfiguration<?, ?> cache) {
    String entries = "cache." + cache.getName() + CacheChecks.ENTRIES;
    return sum(server -> server.last(entries, 1)) == 0;
  }
}
