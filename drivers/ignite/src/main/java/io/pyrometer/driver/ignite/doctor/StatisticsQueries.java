package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Calls;
import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Statements that an experiment can execute over records of its own: SELECTs over one table, that
 * of the statement with the most time, which compare columns with whole numbers. So many values of
 * a column are different that a query returns the recorded number of rows.
 */
final class StatisticsQueries {
  private static final int MAX_QUERIES = 10;
  private static final String KEY = "ID";

  /** Part of every plan of Calcite's engine. */
  private static final String CALCITE = "IgniteExchange";

  /** Texts, quoted and hidden names, answers that are not determined, and other functions. */
  private static final Pattern OTHER =
      Pattern.compile(
          "['\"]|--|\\b_|\\b(LIKE|LIMIT|OFFSET|FETCH)\\b"
              + "|\\b(?!(COUNT|SUM|MIN|MAX|AVG|AND|IN|WHERE|SELECT)\\b)\\w+ ?\\(");

  private static final Pattern TOKEN = Pattern.compile("\\w+|\\?|[<>=]+");

  private final long records;
  private final List<Query> queries = new ArrayList<>();

  /** Statements that are not repeated, those with the most time first. */
  final List<Statement> left = new ArrayList<>();

  /**
   * @param records of the experiment's table
   */
  StatisticsQueries(PerformanceStatistics seen, long records) {
    this.records = records;
    for (Statement statement : seen.byTime()) {
      query(statement)
          .filter(query -> queries.isEmpty() || query.table.equals(table()))
          .filter(query -> queries.size() < MAX_QUERIES)
          .ifPresentOrElse(queries::add, () -> left.add(statement));
    }
  }

  /** Name of the table; empty where no statement is repeated. */
  String table() {
    return queries.isEmpty() ? "" : queries.get(0).table;
  }

  /**
   * A statement that can be repeated.
   *
   * @param text in one line, without the schema
   * @param columns other than the key
   * @param equal columns that are compared with single values
   * @param marks the column of each question mark
   */
  private record Query(
      Statement statement,
      String text,
      String table,
      Set<String> columns,
      Set<String> equal,
      List<String> marks) {
    long rows() {
      return Math.max(1, Math.round(statement.rows()));
    }
  }

  private Optional<Query> query(Statement statement) {
    String sql =
        statement
            .text
            .replaceAll("\\s+", " ")
            .replaceFirst("[; ]+$", "")
            .replaceFirst("(?i) FROM (\\w+|\"[^\"]*\")\\.", " FROM ");
    String upper = SelectBlock.upper(sql);
    List<SelectBlock> blocks = SelectBlock.of(sql, SelectBlock.Catalog.ANY);
    List<SearchedTable> tables =
        blocks.stream()
            .filter(SelectBlock::readsOneTable)
            .flatMap(block -> block.limited().stream())
            .filter(table -> table.converted().isEmpty())
            .toList();
    if (blocks.size() != 1 || tables.isEmpty() || OTHER.matcher(upper).find()) {
      return Optional.empty();
    }
    SearchedTable searched = tables.get(0);
    Set<String> columns = new TreeSet<>(blocks.get(0).columns());
    columns.remove(KEY);
    Set<String> equal = new TreeSet<>();
    List<String> marks = new ArrayList<>();
    String last = "";
    for (String token : TOKEN.matcher(upper).results().map(MatchResult::group).toList()) {
      if (searched.columns().contains(token)) {
        last = token;
      } else if (token.equals("=") || token.equals("IN")) {
        equal.add(last);
      } else if (token.equals("?")) {
        marks.add(last);
      }
    }
    return marks.contains("")
        ? Optional.empty()
        : Optional.of(new Query(statement, sql, searched.name(), columns, equal, marks));
  }

  /** Executions by the name of the query. */
  Map<String, Calls> calls() {
    Map<String, Calls> calls = new LinkedHashMap<>();
    queries.forEach(query -> calls.put(name(query), query.statement.calls));
    return calls;
  }

  private String name(Query query) {
    return "query-" + (1 + queries.indexOf(query));
  }

  boolean areOfCalcite() {
    return queries.stream().anyMatch(query -> query.statement.plans.toString().contains(CALCITE));
  }

  /** Columns other than the key, those with an index first. */
  private List<String> columns() {
    return queries.stream()
        .flatMap(query -> query.columns.stream())
        .distinct()
        .sorted(Comparator.comparing(column -> !isIndexed(column)))
        .toList();
  }

  /** Returns whether a plan gives an index bounds of the column. */
  private boolean isIndexed(String column) {
    Pattern bounds = Pattern.compile("IgniteIndexScan|/\\*[^*]*: [^*]*\\b" + column + "\\b");
    return queries.stream()
        .filter(query -> query.marks.contains(column))
        .flatMap(query -> query.statement.plans.stream())
        .anyMatch(plan -> bounds.matcher(plan).find());
  }

  /** Number of different values of a column. */
  private long values(String column) {
    return queries.stream()
        .filter(query -> query.equal.contains(column))
        .mapToLong(query -> Math.max(2, records / query.rows()))
        .min()
        .orElse(records);
  }

  /** The record of the table. */
  RecordShape record() {
    List<FieldShape> fields = new ArrayList<>();
    columns().forEach(column -> fields.add(field(column, values(column))));
    fields.add(field("NUMBER_", records));
    return new RecordShape(table(), Optional.empty(), fields);
  }

  private static FieldShape field(String name, long values) {
    return new FieldShape(name, FieldType.LONG, 0, 0, 0, values - 1, List.of(), false);
  }

  /** Settings of the path that executes the queries, as a file has them. */
  Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("path", "sql-select");
    settings.put("sql", "code");
    settings.put("indexes", columns().stream().filter(this::isIndexed).count());
    settings.put("queries", queries.stream().map(this::entry).collect(Collectors.joining()));
    return settings;
  }

  private String entry(Query query) {
    StringBuilder parameters = new StringBuilder();
    String before = "";
    for (String column : query.marks) {
      parameters.append(parameters.isEmpty() ? "-- params: " : ", ");
      boolean range = column.equals(before) && !query.equal.contains(column);
      if (range) {
        parameters.append("previous+").append(query.rows() - 1);
      } else if (column.equals(KEY)) {
        parameters.append(column.equals(before) ? "other" : "key");
      } else {
        parameters.append("0..").append(values(column) - 1);
      }
      before = column;
    }
    return "-- name: %s\n-- weight: %d\n%s\n%s;\n"
        .formatted(name(query), query.statement.calls.count(), parameters, query.text);
  }
}
