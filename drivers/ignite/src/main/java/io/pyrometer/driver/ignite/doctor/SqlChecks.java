package io.pyrometer.driver.ignite.doctor;

import static java.util.stream.Collectors.joining;

import io.pyrometer.driver.ignite.doctor.Check.Draft;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.doctor.SelectBlock.Catalog;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;

/** Statements in the histories of the nodes that started them. */
final class SqlChecks {
  /** Busy seconds in each second, over all callers. */
  private static final double BUSY = 0.1;

  private static final double ENTRIES = 10_000;
  private static final int MAX_SHOWN = 200;

  private static final Pattern CHANGES =
      Pattern.compile("\\s*(UPDATE|DELETE|MERGE|INSERT)\\b", Pattern.CASE_INSENSITIVE);

  /** Ends a search before the last row. */
  private static final Pattern LIMITED = Pattern.compile("(?i)\\b(LIMIT|FETCH|TOP|EXISTS)\\b");

  private static final String LITERAL = "'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b";
  private static final String HISTORY_VIEW = "SQL_QUERIES_HISTORY";

  /** Ignite's number of the message GridH2IndexRangeRequest, which distributed joins send. */
  private static final int INDEX_RANGE = -30;

  /** That of GridH2QueryRequest: where none was counted, the messages are not known. */
  static final int QUERY = -33;

  static final List<Check> ALL =
      List.of(
          ofHistories("sql-literals", SqlChecks::literals),
          ofHistories("non-collocated-join", SqlChecks::joins),
          ofHistories("missing-index", SqlChecks::missingIndexes),
          ofHistories("slow-statements", SqlChecks::slowStatements));

  private SqlChecks() {}

  private static Check ofHistories(String name, Consumer<Look> body) {
    return Check.of(
        name,
        look -> {
          String size = "SqlConfiguration.SqlQueryHistorySize";
          look.servers().stream()
              .filter(server -> "0".equals(server.configuration().get(size)))
              .forEach(none -> look.unjudged("no-history", "server", Value.name(none.name())));
          if (!look.facts.unread().isEmpty()) {
            look.unjudged("unread-clients", "clients", Value.names(look.facts.unread()));
          }
          body.accept(look);
        });
  }

  private static void literals(Look look) {
    look.view(Observation.STATEMENTS).stream()
        .map(row -> row.get("sql"))
        .distinct()
        .collect(Collectors.groupingBy(sql -> sql.replaceAll(LITERAL, "?"), Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() >= 50)
        .ifPresent(
            most ->
                look.found()
                    .count("statements", most.getValue())
                    .evidence("statement", shown(most.getKey()), HISTORY_VIEW));
  }

  /** The tables that some statement may read, of a kind of caches. */
  private static Catalog catalog(Look look, Row statement, Predicate<Row> which) {
    return new Catalog(
        (named, name) -> {
          String schema = named.isEmpty() ? statement.get("schemaName") : named;
          return look.view(Observation.TABLES).stream()
              .filter(table -> name(table).equals(name) && which.test(table))
              .filter(t -> schema.isEmpty() || schema.equalsIgnoreCase(t.get("schemaName")))
              .findFirst();
        },
        table ->
            look.view(Observation.COLUMNS).stream()
                .filter(column -> column.get("tableName").equals(table.get("tableName")))
                .filter(column -> column.get("schemaName").equals(table.get("schemaName")))
                .filter(column -> column.get("type").endsWith("java.lang.String"))
                .map(column -> SelectBlock.upper(column.get("columnName")))
                .collect(Collectors.toSet()));
  }

  /**
   * Finds joins, cross joins and subqueries of partitioned tables of which no condition makes the
   * affinity keys equal. The history of statements does not tell whether distributed joins were on;
   * where servers sent each other no range of an index meanwhile, they were not. Clusters with the
   * engine of Calcite have a setting of it, and others need not have one.
   */
  private static void joins(Look look) {
    String engines = "SqlConfiguration.QueryEnginesConfiguration[";
    if (look.servers().stream()
        .flatMap(server -> server.configuration().keySet().stream())
        .anyMatch(property -> property.startsWith(engines))) {
      look.unjudged("query-engines");
      return;
    }
    Set<String> replicated =
        look.caches().stream()
            .filter(cache -> cache.getCacheMode() == CacheMode.REPLICATED)
            .map(CacheConfiguration::getName)
            .collect(Collectors.toSet());
    Set<Set<String>> found = new HashSet<>();
    look.view(Observation.STATEMENTS).stream()
        .filter(statement -> look.several() && !statement.is("local"))
        .sorted(Comparator.comparingDouble(row -> -row.amount(Observation.SINCE)))
        .forEach(
            statement ->
                SelectBlock.of(
                        statement.get("sql"),
                        catalog(look, statement, t -> !replicated.contains(t.get("cacheName"))))
                    .stream()
                    .flatMap(block -> block.notCollocated().stream())
                    .filter(
                        pair -> found.add(Set.copyOf(pair.stream().map(SqlChecks::name).toList())))
                    .forEach(pair -> join(look, statement, pair)));
  }

  private static void join(Look look, Row statement, List<Row> pair) {
    double all = sum(look.view(Observation.STATEMENTS), "durationTotal");
    boolean wrong =
        statement.amount(Observation.SINCE) > 0
            && look.messages(QUERY) > 0
            && look.messages(INDEX_RANGE) == 0
            && !SelectBlock.haveOneAffinityColumn(pair);
    Draft draft =
        look.found(wrong ? "wrong" : "")
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
  private static void missingIndexes(Look look) {
    double all = sum(look.view(Observation.STATEMENTS), "durationTotal");
    for (List<Row> rows : bySql(look)) {
      boolean often = sum(rows, "durationTotal") >= 0.1 * all && sum(rows, "executions") >= 10;
      if (often || isSlow(look, rows)) {
        searched(look, rows).ifPresent(search -> missingIndex(look, rows, search));
      }
    }
  }

  private static void missingIndex(Look look, List<Row> rows, SearchedTable search) {
    String sql = rows.get(0).get("sql");
    double entries = entries(look, search);
    double busy = busy(look, rows);
    // On a server a part of each execution is.
    double executions = numbers(rows, Observation.SINCE).max().orElse(0);
    double searched = LIMITED.matcher(sql).find() ? 0 : entries * executions / look.seconds();
    // At 0.2 µs a row a fifth of a CPU.
    boolean problem = busy > BUSY || searched > 1e6;
    Optional<String> inVain = search.indexedInVain(look.view(Observation.INDEXES));
    String table = name(search.table());
    Set<String> columns = inVain.map(Set::of).orElseGet(() -> new TreeSet<>(search.columns()));
    Draft draft =
        look.draft(severity(problem), inVain.isPresent() ? "converted" : "")
            .apart("table", table)
            .with("columns", Value.names(columns))
            .name("column", columns.iterator().next())
            .evidence("statement", shown(sql), rows.get(0).server())
            .evidence("rows", entries, table)
            .evidence("executions since the start", sum(rows, "executions"), HISTORY_VIEW)
            .evidence("executions now", sum(rows, Observation.SINCE), HISTORY_VIEW)
            .evidence(
                "the shortest [ms]", numbers(rows, "durationMin").min().orElse(0), HISTORY_VIEW);
    inVain.ifPresent(
        column -> draft.name("expression", search.converted().getOrDefault(column, "")));
    if (busy > 0) {
      draft.seconds("busy", busy).costs(busy);
    }
    if (searched > 0) {
      draft.evidence("rows searched in a second", searched, HISTORY_VIEW);
    }
  }

  private static Severity severity(boolean problem) {
    return problem ? Severity.PROBLEM : Severity.ADVICE;
  }

  /** Finds the slow statement that takes most time, where no index on its conditions is missing. */
  private static void slowStatements(Look look) {
    bySql(look).stream()
        .filter(rows -> isSlow(look, rows) && searched(look, rows).isEmpty())
        .max(Comparator.comparingDouble(rows -> busy(look, rows)))
        .ifPresentOrElse(rows -> slow(look, rows), () -> running(look));
  }

  private static void slow(Look look, List<Row> rows) {
    double busy = busy(look, rows);
    Row first = rows.get(0);
    look.draft(severity(busy > 0.5 && shortest(rows) >= 500), "")
        .seconds("time", busy * look.seconds())
        .seconds("observed", look.seconds())
        .costs(busy)
        .evidence("statement", shown(first.get("sql")), first.server())
        .evidence("executions now", sum(rows, Observation.SINCE), HISTORY_VIEW)
        .evidence("the shortest [ms]", shortest(rows), HISTORY_VIEW);
  }

  /**
   * Finds the statement that has run longest and has not ended. The view has also SELECTs whose
   * rows the application is slow to take: of those, a thread must be at work in all dumps.
   */
  private static void running(Look look) {
    boolean atWork = look.anyServer(server -> isAtWork(look.dumps(server)));
    look.view(Observation.RUNNING).stream()
        .filter(row -> row.seconds() >= Math.min(30, look.seconds()))
        .filter(row -> atWork || CHANGES.matcher(row.get("sql")).lookingAt())
        .max(Comparator.comparingDouble(Row::seconds))
        .ifPresent(
            row ->
                look.draft(Severity.PROBLEM, "running")
                    .seconds("time", row.seconds())
                    .name("query", row.get("queryId"))
                    .costs(1)
                    .evidence("statement", shown(row.get("sql")), row.server()));
  }

  private static boolean isAtWork(List<ThreadDump> dumps) {
    List<Set<String>> atWork = dumps.stream().map(dump -> dump.in("org.h2.")).toList();
    return dumps.size() > 1
        && atWork.get(0).stream()
            .anyMatch(name -> atWork.stream().allMatch(names -> names.contains(name)));
  }

  /** Returns whether a statement that is repeated takes long each time, and much time now. */
  private static boolean isSlow(Look look, List<Row> rows) {
    return sum(rows, "executions") >= 3 && shortest(rows) >= 50 && busy(look, rows) > BUSY;
  }

  private static List<List<Row>> bySql(Look look) {
    return List.copyOf(
        look.view(Observation.STATEMENTS).stream()
            .collect(Collectors.groupingBy(row -> row.get("sql")))
            .values());
  }

  /** A large table that a statement searches without an index. */
  private static Optional<SearchedTable> searched(Look look, List<Row> rows) {
    List<Row> indexes = look.view(Observation.INDEXES);
    Row first = rows.get(0);
    return indexes.isEmpty()
        ? Optional.empty()
        : SelectBlock.of(first.get("sql"), catalog(look, first, table -> true)).stream()
            .flatMap(block -> block.searched(indexes).stream())
            .filter(search -> entries(look, search) >= ENTRIES)
            .filter(
                search -> !search.columns().isEmpty() || search.indexedInVain(indexes).isPresent())
            .findFirst();
  }

  /** The least seconds of each second that executions took during the observation. */
  private static double busy(Look look, List<Row> rows) {
    return rows.stream()
            .mapToDouble(row -> row.amount(Observation.SINCE) * row.amount("durationMin") / 1e3)
            .sum()
        / look.seconds();
  }

  /** The shortest execution, in milliseconds, of nodes that executed it while it was observed. */
  private static double shortest(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.amount(Observation.SINCE) > 0)
        .mapToDouble(row -> row.amount("durationMin"))
        .min()
        .orElse(0);
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

  private static double entries(Look look, SearchedTable search) {
    return look.last("cache." + search.table().get("cacheName") + CacheChecks.ENTRIES);
  }

  private static String name(Row table) {
    return SelectBlock.upper(table.get("tableName"));
  }
}
