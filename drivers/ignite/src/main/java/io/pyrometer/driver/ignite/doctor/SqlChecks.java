package io.pyrometer.driver.ignite.doctor;

import static java.util.stream.Collectors.joining;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;

/** Statements in the histories of the nodes that started them. */
final class SqlChecks {
  private static final int VARIANTS = 50;
  private static final double SHARE_OF_TIME = 0.1;
  private static final double EXECUTIONS = 10;

  /** Busy seconds in each second, over all callers. */
  private static final double BUSY = 0.1;

  /** Rows that a statement searches in a second: at 0.2 µs a row a fifth of a CPU. */
  private static final double SEARCHED_A_SECOND = 1e6;

  /** Ends a search before the last row. */
  private static final Pattern LIMITED = Pattern.compile("(?i)\\b(LIMIT|FETCH|TOP|EXISTS)\\b");

  private static final double ENTRIES = 10_000;
  private static final int MAX_SHOWN = 200;
  private static final String LITERAL = "'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b";

  /**
   * Prefix of a setting that clusters with the engine of Calcite have, and others need not have.
   */
  private static final String ENGINES = "SqlConfiguration.QueryEnginesConfiguration[";

  private static final String HISTORY_VIEW = "SQL_QUERIES_HISTORY";
  private static final String HISTORY = "SqlConfiguration.SqlQueryHistorySize";

  /** Ignite's number of the message GridH2IndexRangeRequest, which distributed joins send. */
  private static final int INDEX_RANGE = -30;

  /** That of GridH2QueryRequest: where none was counted, the messages are not known. */
  static final int QUERY = -33;

  static final List<Check> ALL =
      List.of(
          Check.of("sql-literals", ofHistories(SqlChecks::literals)),
          Check.of("non-collocated-join", ofHistories(SqlChecks::joins)),
          Check.of("missing-index", ofHistories(SqlChecks::missingIndex)));

  private SqlChecks() {}

  private static BiConsumer<Facts, Result> ofHistories(BiConsumer<Facts, Result> look) {
    return (facts, result) -> {
      facts.servers().stream()
          .filter(server -> "0".equals(server.configuration().get(HISTORY)))
          .forEach(server -> result.unjudged("no-history", "server", Value.name(server.name())));
      if (!facts.unread().isEmpty()) {
        result.unjudged("unread-clients", "clients", Value.names(facts.unread()));
      }
      look.accept(facts, result);
    };
  }

  private static void literals(Facts facts, Result result) {
    Map<String, Long> variants =
        facts.view(Observation.STATEMENTS).stream()
            .map(row -> row.get("sql"))
            .distinct()
            .collect(
                Collectors.groupingBy(sql -> sql.replaceAll(LITERAL, "?"), Collectors.counting()));
    variants.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() >= VARIANTS)
        .ifPresent(
            most ->
                result
                    .found()
                    .with("statements", Value.count(most.getValue()))
                    .evidence("statement", shown(most.getKey()), HISTORY_VIEW));
  }

  /**
   * Finds joins, cross joins and subqueries of partitioned tables of which no condition makes the
   * affinity keys equal. The history of statements does not tell whether distributed joins were on;
   * where servers sent each other no range of an index meanwhile, they were not.
   */
  private static void joins(Facts facts, Result result) {
    if (facts.servers().stream()
        .flatMap(server -> server.configuration().keySet().stream())
        .anyMatch(property -> property.startsWith(ENGINES))) {
      result.unjudged("query-engines");
      return;
    }
    Set<String> replicated =
        facts.caches().stream()
            .filter(cache -> cache.getCacheMode() == CacheMode.REPLICATED)
            .map(CacheConfiguration::getName)
            .collect(Collectors.toSet());
    List<Row> tables =
        facts.view(Observation.TABLES).stream()
            .filter(row -> !replicated.contains(row.get("cacheName")))
            .toList();
    double all = millis(facts.view(Observation.STATEMENTS));
    Set<Set<String>> found = new HashSet<>();
    List<Row> running =
        facts.view(Observation.STATEMENTS).stream()
            .sorted(Comparator.comparingDouble(row -> -number(row, Statements.SINCE)))
            .toList();
    for (Row statement : facts.several() ? running : List.<Row>of()) {
      String sql = statement.get("sql");
      List<List<Row>> pairs =
          statement.get("local").equals("true")
              ? List.of()
              : JoinedTables.notCollocated(
                  sql,
                  (schema, name) ->
                      table(tables, schema.isEmpty() ? statement.get("schemaName") : schema, name));
      for (List<Row> pair : pairs) {
        if (found.add(pair.stream().map(SqlChecks::name).collect(Collectors.toSet()))) {
          boolean wrong =
              number(statement, Statements.SINCE) > 0
                  && facts.messages(QUERY) > 0
                  && facts.messages(INDEX_RANGE) == 0;
          Check.Draft draft =
              (wrong ? result.found("wrong") : result.found())
                  .apart("tables", pair.stream().map(SqlChecks::name).collect(joining(", ")));
          if (all > 0) {
            draft.costs(millis(List.of(statement)) / all);
          }
          for (Row table : pair) {
            draft.evidence(
                "affinity key of " + name(table),
                table.get("affinityKeyColumn"),
                table.get("cacheName"));
          }
          draft.evidence("statement", shown(sql), statement.server());
        }
      }
    }
  }

  /**
   * Finds statements that search a table by columns of which no index begins with one. Advice where
   * they take little time now, because a scan may be meant; of executions the history has the least
   * time. From Ignite 2.18 on it has the time of all, and those that take little of it are left
   * out.
   */
  private static void missingIndex(Facts facts, Result result) {
    List<Row> indexes = facts.view(Observation.INDEXES);
    List<Row> history = facts.view(Observation.STATEMENTS);
    double all = millis(history);
    Map<String, List<Row>> statements =
        history.stream().collect(Collectors.groupingBy(row -> row.get("sql")));
    statements.forEach(
        (sql, rows) -> {
          double millis = millis(rows);
          double times = rows.stream().mapToDouble(row -> number(row, "executions")).sum();
          if (millis < SHARE_OF_TIME * all || times < EXECUTIONS || indexes.isEmpty()) {
            return;
          }
          BiFunction<String, String, Optional<Row>> known =
              (schema, name) ->
                  table(
                      facts.view(Observation.TABLES),
                      schema.isEmpty() ? rows.get(0).get("schemaName") : schema,
                      name);
          Stream.concat(
                  SearchedTable.of(sql, known, table -> texts(facts, table)).stream(),
                  JoinedTables.searched(sql, known, indexes).stream())
              .filter(search -> !search.isIndexed(indexes) && entries(facts, search) >= ENTRIES)
              .filter(
                  search ->
                      !search.columns().isEmpty() || search.indexedInVain(indexes).isPresent())
              .limit(1)
              .forEach(
                  search -> {
                    double busy = busy(rows) / facts.seconds();
                    String table = name(search.table());
                    Optional<String> inVain = search.indexedInVain(indexes);
                    Set<String> columns =
                        inVain.map(Set::of).orElseGet(() -> new TreeSet<>(search.columns()));
                    double searched =
                        LIMITED.matcher(sql).find()
                            ? 0
                            : searched(rows, entries(facts, search)) / facts.seconds();
                    Severity severity =
                        busy > BUSY || searched > SEARCHED_A_SECOND
                            ? Severity.PROBLEM
                            : Severity.ADVICE;
                    Check.Draft draft =
                        inVain.isPresent()
                            ? result
                                .draft(severity, "converted")
                                .with(
                                    "expression",
                                    Value.name(search.converted().getOrDefault(inVain.get(), "")))
                            : result.draft(severity);
                    if (busy > 0) {
                      draft.with("busy", Value.seconds(busy)).costs(busy);
                    }
                    draft
                        .apart("table", table)
                        .with("columns", Value.names(columns))
                        .with("column", Value.name(columns.iterator().next()))
                        .evidence("statement", shown(sql), rows.get(0).server())
                        .evidence("rows", entries(facts, search), table)
                        .evidence("executions since the start", times, HISTORY_VIEW)
                        .evidence("executions now", recent(rows), HISTORY_VIEW)
                        .evidence("the shortest [ms]", shortest(rows), HISTORY_VIEW);
                    if (searched > 0) {
                      draft.evidence("rows searched in a second", searched, HISTORY_VIEW);
                    }
                  });
        });
  }

  private static double recent(List<Row> statements) {
    return statements.stream().mapToDouble(row -> number(row, Statements.SINCE)).sum();
  }

  /** Rows that were searched during the observation: on a server a part of each execution is. */
  private static double searched(List<Row> statements, double entries) {
    return entries
        * statements.stream().mapToDouble(row -> number(row, Statements.SINCE)).max().orElse(0);
  }

  private static double shortest(List<Row> statements) {
    return statements.stream().mapToDouble(row -> number(row, "durationMin")).min().orElse(0);
  }

  /** The least seconds that executions took during the observation. */
  private static double busy(List<Row> statements) {
    return statements.stream()
        .mapToDouble(row -> number(row, Statements.SINCE) * number(row, "durationMin") / 1e3)
        .sum();
  }

  static String shown(String sql) {
    String line = sql.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(MAX_SHOWN, line.length()));
  }

  private static double millis(List<Row> statements) {
    return statements.stream().mapToDouble(row -> number(row, "durationTotal")).sum();
  }

  private static Set<String> texts(Facts facts, Row table) {
    return facts.view(Observation.COLUMNS).stream()
        .filter(column -> column.get("tableName").equals(table.get("tableName")))
        .filter(column -> column.get("schemaName").equals(table.get("schemaName")))
        .filter(column -> column.get("type").endsWith("java.lang.String"))
        .map(column -> SelectBlocks.upper(column.get("columnName")))
        .collect(Collectors.toSet());
  }

  private static double entries(Facts facts, SearchedTable search) {
    String metric = "cache." + search.table().get("cacheName") + ".OffHeapPrimaryEntriesCount";
    return facts.sum(server -> server.last(metric).orElse(0));
  }

  private static double number(Row row, String column) {
    return row.get(column).matches("\\d+") ? Double.parseDouble(row.get(column)) : 0;
  }

  private static String name(Row table) {
    return table.get("tableName").toUpperCase(Locale.ROOT);
  }

  private static Optional<Row> table(List<Row> tables, String schema, String name) {
    return tables.stream()
        .filter(table -> name(table).equals(name))
        .filter(table -> schema.isEmpty() || schema.equalsIgnoreCase(table.get("schemaName")))
        .findFirst();
  }
}
