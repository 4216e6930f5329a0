package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.protocol.GcLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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
    static final Surroundings NONE = inState("");

    static Surroundings inState(String state) {
      return new Surroundings(state, List.of(), List.of(), List.of(), Optional.empty());
    }
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
        Surroundings.inState(state));
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

    boolean is(String column) {
      return get(column).equals("true");
    }

    /** A whole number; 0 where there is none. */
    double amount(String column) {
      return get(column).matches("\\d+") ? Double.parseDouble(get(column)) : 0;
    }

    /** How long a transaction or a query has lasted. */
    double seconds() {
      return amount("duration") / 1e3;
    }

    Row with(String column, String value) {
      Map<String, String> more = new HashMap<>(values);
      more.put(column, value);
      return new Row(server, more);
    }
  }

  /** The name of the group that a cache is in: its own if it is in none. */
  static String group(CacheConfiguration<?, ?> cache) {
    return cache.getGroupName() == null ? cache.getName() : cache.getGroupName();
  }
}
