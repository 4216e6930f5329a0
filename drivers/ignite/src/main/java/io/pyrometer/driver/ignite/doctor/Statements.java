package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterNode;

/**
 * Statements in the histories of all nodes. A node has those alone in its history that it started
 * itself, so that servers know nothing of those of client nodes.
 *
 * @param rows of the histories
 * @param unread names of the client nodes whose history could not be read
 */
record Statements(List<Row> rows, List<String> unread) {
  /** The column of executions during the observation. */
  static final String SINCE = "executionsSince";

  static final Statements NONE = new Statements(List.of(), List.of());

  static Statements read(Ignite ignite, List<ClusterNode> servers) {
    List<Row> rows = new ArrayList<>(Observation.rows(ignite, Observation.STATEMENTS, servers));
    List<String> unread = new ArrayList<>();
    ClientNodes.ask(
            ignite, client -> Observation.rows(ignite, Observation.STATEMENTS, List.of(client)))
        .forEach(
            (client, history) ->
                history.ifPresentOrElse(rows::addAll, () -> unread.add(Observation.name(client))));
    return new Statements(rows, unread);
  }

  /** The rows, each also with the executions since the histories were read before. */
  List<Row> since(Statements before) {
    Map<List<String>, Long> executed = new HashMap<>();
    before.rows.forEach(row -> executed.put(statement(row), executions(row)));
    return rows.stream()
        .map(
            row -> {
              Map<String, String> values = new HashMap<>(row.values());
              long since =
                  before.unread.contains(row.server())
                      ? 0
                      : executions(row) - executed.getOrDefault(statement(row), 0L);
              values.put(SINCE, String.valueOf(Math.max(0, since)));
              return new Row(row.server(), values);
            })
        .toList();
  }

  private static List<String> statement(Row row) {
    return List.of(row.server(), row.get("schemaName"), row.get("local"), row.get("sql"));
  }

  private static long executions(Row row) {
    return Long.parseLong(row.get("executions"));
  }
}
