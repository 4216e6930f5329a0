package io.pyrometer.driver.ignite.doctor;

import static java.util.stream.Collectors.joining;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.doctor.SelectBlock.Catalog;
import io.pyrometer.driver.ignite.doctor.ThreadDump.JavaThread;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;

/** Statements in the histories of the nodes that started them. */
final class SqlChecks {
  private static final int VARIANTS = 50;
  private static final double SHARE_OF_TIME = 0.1;
  private static final double EXECUTIONS = 10;

  /** Busy seconds in each second, over all callers. */
  private static final double BUSY = 0.1;

  private static final double VERY_BUSY = 0.5;
  private static final double REPEATED = 3;
  private static final double SLOW_MILLIS = 50;
  private static final double VERY_SLOW_MILLIS = 500;

  /** An execution that has not ended after so long, or after the observation, is named. */
  private static final double RUN_SECONDS = 30;

  private static final Pattern CHANGES =
      Pattern.compile("\\s*(UPDATE|DELETE|MERGE|INSERT)\\b", Pattern.CASE_INSENSITIVE);

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
          Check.of("missing-index", ofHistories(SqlChecks::missingIndex)),
          Check.of("slow-statements", ofHistories(SqlChecks::slowStatements)));

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
    facts.view(Observation.STATEMENTS).stream()
        .map(row -> row.get("sql"))
        .distinct()
        .collect(Collectors.groupingBy(sql -> sql.replaceAll(LITERAL, "?"), Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() >= VARIANTS)
        .ifPresent(
            most ->
                result
                    .found()
                    .with("statements", Value.count(most.getValue()))
                    .evidence("statement", shown(most.getKey()), HISTORY_VIEW));
  }

  /** The tables that some statement may read, of a kind of caches. */
  private static Catalog catalog(Facts facts, Row statement, Predicate<Row> which) {
    return new Catalog(
        (named, name) -> {
          String schema = named.isEmpty() ? statement.get("schemaName") : named;
          return facts.view(Observation.TABLES).stream()
              .filter(table -> name(table).equals(name) && which.test(table))
              .filter(t -> schema.isEmpty() || schema.equalsIgnoreCase(t.get("schemaName")))
              .findFirst();
        },
        table ->
            facts.view(Observation.COLUMNS).stream()
                .filter(column -> column.get("tableName").equals(table.get("tableName")))
                .filter(column -> column.get("schemaName").equals(table.get("schemaName")))
                .filter(column -> column.get("type").endsWith("java.lang.String"))
                .map(column -> SelectBlock.upper(column.get("columnName")))
                .collect(Collectors.toSet()));
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
    List<Row> history = facts.view(Observation.STATEMENTS);
    double all = sum(history, "durationTotal");
    Set<Set<String>> found = new HashSet<>();
    history.stream()
        .filter(statement -> facts.several() && !statement.get("local").equals("true"))
        .sorted(Comparator.comparingDouble(row -> -row.amount(Observation.SINCE)))
        .forEach(
            statement ->
                SelectBlock.of(
                        statement.get("sql"),
                        catalog(facts, statement, t -> !replicated.contains(t.get("cacheName"))))
                    .stream()
                    .flatMap(block -> block.notCollocated().stream())
                    .filter(
                        pair -> found.add(Set.copyOf(pair.stream().map(SqlChecks::name).toList())))
                    .forEach(pair -> join(facts, statement, pair, all, result)));
  }

  private static void join(Facts facts, Row statement, List<Row> pair, double all, Result result) {
    boolean wrong =
        statement.amount(Observation.SINCE) > 0
            && facts.messages(QUERY) > 0
            && facts.messages(INDEX_RANGE) == 0
            && !SelectBlock.haveOneAffinityColumn(pair);
    Check.Draft draft =
        (wrong ? result.found("wrong") : result.found())
            .apart("tables", pair.stream().map(SqlChecks::name).collect(joining(", ")))
            .costs(all > 0 ? statement.amount("durationTotal") / all : 0);
    for (Row table : pair) {
      draft.evidence(
          "affinity key of " + name(table), table.get("affinityKeyColumn"), table.get("cacheName"));
    }
    draft.evidence("statement", shown(statement.get("sql")), statement.server());
  }

  /**
   * Finds statements that search a table by columns of which no index begins with one. Advice where
   * they take little time now, because a scan may be meant; of executions the history has the least
   * time. From Ignite 2.18 on it has the time of all, and those that take little of it are left
   * out.
   */
  private static void missingIndex(Facts facts, Result result) {
    List<Row> history = facts.view(Observation.STATEMENTS);
    double all = sum(history, "durationTotal");
    bySql(history)
        .forEach(
            (sql, rows) -> {
              boolean often =
                  sum(rows, "durationTotal") >= SHARE_OF_TIME * all
                      && sum(rows, "executions") >= EXECUTIONS;
              if (often || isSlow(facts, rows)) {
                searched(facts, rows)
                    .ifPresent(search -> missingIndex(facts, rows, search, result));
              }
            });
  }

  /** Finds the slow statement that takes most time, where no index on its conditions is missing. */
  private static void slowStatements(Facts facts, Result result) {
    bySql(facts.view(Observation.STATEMENTS)).values().stream()
        .filter(rows -> isSlow(facts, rows) && searched(facts, rows).isEmpty())
        .max(Comparator.comparingDouble(rows -> busy(facts, rows)))
        .ifPresentOrElse(
            rows -> {
              double busy = busy(facts, rows);
              boolean problem = busy > VERY_BUSY && shortest(rows) >= VERY_SLOW_MILLIS;
              Row first = rows.get(0);
              result
                  .draft(problem ? Severity.PROBLEM : Severity.ADVICE, "")
                  .with("time", Value.seconds(busy * facts.seconds()))
                  .with("observed", Value.seconds(facts.seconds()))
                  .costs(busy)
                  .evidence("statement", shown(first.get("sql")), first.server())
                  .evidence("executions now", sum(rows, Observation.SINCE), HISTORY_VIEW)
                  .evidence("the shortest [ms]", shortest(rows), HISTORY_VIEW);
            },
            () -> running(facts, result));
  }

  /**
   * Finds the statement that has run longest and has not ended. The view has also SELECTs whose
   * rows the application is slow to take: of those, a thread must be at work in all dumps.
   */
  private static void running(Facts facts, Result result) {
    boolean atWork = facts.servers().stream().anyMatch(server -> isAtWork(facts.dumps(server)));
    facts.view(Observation.RUNNING).stream()
        .filter(row -> row.amount("duration") >= 1e3 * Math.min(RUN_SECONDS, facts.seconds()))
        .filter(row -> atWork || CHANGES.matcher(row.get("sql")).lookingAt())
        .max(Comparator.comparingDouble(row -> row.amount("duration")))
        .ifPresent(
            row ->
                result
                    .draft(Severity.PROBLEM, "running")
                    .with("time", Value.seconds(row.amount("duration") / 1e3))
                    .with("query", Value.name(row.get("queryId")))
                    .costs(1)
                    .evidence("statement", shown(row.get("sql")), row.server()));
  }

  private static boolean isAtWork(List<ThreadDump> dumps) {
    return dumps.size() > 1
        && dumps.get(0).threads().stream()
            .map(JavaThread::name)
            .anyMatch(
                name ->
                    dumps.stream()
                        .allMatch(
                            dump ->
                                dump.threads().stream()
                                    .anyMatch(
                                        thread ->
                                            thread.name().equals(name) && thread.isIn("org.h2."))));
  }

  /** Returns whether a statement that is repeated takes long each time, and much time now. */
  private static boolean isSlow(Facts facts, List<Row> rows) {
    return sum(rows, "executions") >= REPEATED
        && shortest(rows) >= SLOW_MILLIS
        && busy(facts, rows) > BUSY;
  }

  private static Map<String, List<Row>> bySql(List<Row> history) {
    return history.stream().collect(Collectors.groupingBy(row -> row.get("sql")));
  }

  /** A large table that a statement searches without an index. */
  private static Optional<SearchedTable> searched(Facts facts, List<Row> rows) {
    List<Row> indexes = facts.view(Observation.INDEXES);
    Row first = rows.get(0);
    return indexes.isEmpty()
        ? Optional.empty()
        : SelectBlock.of(first.get("sql"), catalog(facts, first, table -> true)).stream()
            .flatMap(block -> block.searched(indexes).stream())
            .filter(search -> entries(facts, search) >= ENTRIES)
            .filter(
                search -> !search.columns().isEmpty() || search.indexedInVain(indexes).isPresent())
            .findFirst();
  }

  /** The least seconds of each second that executions took during the observation. */
  private static double busy(Facts facts, List<Row> rows) {
    return rows.stream()
            .mapToDouble(row -> row.amount(Observation.SINCE) * row.amount("durationMin") / 1e3)
            .sum()
        / facts.seconds();
  }

  /** The shortest execution of nodes that executed it during the observation. */
  private static double shortest(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.amount(Observation.SINCE) > 0)
        .mapToDouble(row -> row.amount("durationMin"))
        .min()
        .orElse(0);
  }

  private static void missingIndex(
      Facts facts, List<Row> rows, SearchedTable search, Result result) {
    String sql = rows.get(0).get("sql");
    double entries = entries(facts, search);
    double busy = busy(facts, rows);
    // On a server a part of each execution is.
    double searched =
        LIMITED.matcher(sql).find()
            ? 0
            : entries * numbers(rows, Observation.SINCE).max().orElse(0) / facts.seconds();
    Severity severity =
        busy > BUSY || searched > SEARCHED_A_SECOND ? Severity.PROBLEM : Severity.ADVICE;
    Optional<String> inVain = search.indexedInVain(facts.view(Observation.INDEXES));
    Check.Draft draft =
        inVain
            .map(
                column ->
                    result
                        .draft(severity, "converted")
                        .with(
                            "expression", Value.name(search.converted().getOrDefault(column, ""))))
            .orElseGet(() -> result.draft(severity, ""));
    if (busy > 0) {
      draft.with("busy", Value.seconds(busy)).costs(busy);
    }
    String table = name(search.table());
    Set<String> columns = inVain.map(Set::of).orElseGet(() -> new TreeSet<>(search.columns()));
    draft
        .apart("table", table)
        .with("columns", Value.names(columns))
        .with("column", Value.name(columns.iterator().next()))
        .evidence("statement", shown(sql), rows.get(0).server())
        .evidence("rows", entries, table)
        .evidence("executions since the start", sum(rows, "executions"), HISTORY_VIEW)
        .evidence("executions now", sum(rows, Observation.SINCE), HISTORY_VIEW)
        .evidence("the shortest [ms]", numbers(rows, "durationMin").min().orElse(0), HISTORY_VIEW);
    if (searched > 0) {
      draft.evidence("rows searched in a second", searched, HISTORY_VIEW);
    }
  }

  private static DoubleStream numbers(List<Row> rows, String column) {
    return rows.stream().mapToDouble(row -> row.amount(column));
  }

  private static double sum(List<Row> rows, String column) {
    return numbers(rows, column).sum();
  }

  static String shown(String sql) {
    String line = sql.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(MAX_SHOWN, line.length()));
  }

  private static double entries(Facts facts, SearchedTable search) {
    return facts.last("cache." + search.table().get("cacheName") + CacheChecks.ENTRIES);
  }

  private static String name(Row table) {
    return SelectBlock.upper(table.get("tableName"));
  }
}
