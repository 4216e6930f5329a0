package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.Check.ofCluster;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.protocol.HealthReport.Needs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.jspecify.annotations.Nullable;

/** Statements in the histories of the nodes that started them. */
final class SqlChecks {
  private static final int VARIANTS = 50;
  private static final double SHARE_OF_TIME = 0.1;
  private static final double EXECUTIONS = 20;

  /** Of a second in each second, over all callers. */
  private static final double BUSY = 0.1;

  private static final double ENTRIES = 10_000;
  private static final int MAX_SHOWN = 200;
  private static final String LITERAL = "'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b";

  /** Of a setting that clusters with the engine of Calcite have, and others need not have. */
  private static final String ENGINES = "SqlConfiguration.QueryEnginesConfiguration[";

  private static final String HISTORY = "SqlConfiguration.SqlQueryHistorySize";

  static final List<Check> ALL =
      List.of(
          ofCluster("sql-literals", Check.SQL, ofHistories(SqlChecks::literals)),
          ofCluster("non-collocated-join", Check.SQL, ofHistories(SqlChecks::joins)),
          ofCluster("missing-index", Check.SQL, ofHistories(SqlChecks::missingIndex)));

  private SqlChecks() {}

  private static BiConsumer<Facts, Result> ofHistories(BiConsumer<Facts, Result> look) {
    return (facts, result) -> {
      facts.servers().stream()
          .filter(server -> "0".equals(server.configuration().get(HISTORY)))
          .findFirst()
          .ifPresent(
              server ->
                  result.notMade(
                      server.name() + " keeps no history of statements (sqlQueryHistorySize)"));
      if (!facts.unread().isEmpty()) {
        result.notMade(
            "a node keeps the history of its own statements, and these client nodes cannot be read from here: "
                + String.join(", ", facts.unread()));
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
                    .advice("%d SQL statements differ in their literals alone.", most.getValue())
                    .evidence("statement", most.getKey(), "SQL_QUERIES_HISTORY")
                    .cause("Each is parsed and planned anew.")
                    .action(
                        Needs.CLIENTS,
                        "Use parameters (?), so that the plan is found in the cache."));
  }

  /**
   * Finds joins of partitioned tables of which no condition makes their affinity keys equal. It is
   * advice, for the history of statements does not tell whether distributed joins were on.
   */
  private static void joins(Facts facts, Result result) {
    if (facts.servers().stream()
        .flatMap(server -> server.configuration().keySet().stream())
        .anyMatch(property -> property.startsWith(ENGINES))) {
      result.notMade(
          "query engines are configured, and that of Calcite moves rows where a join needs it");
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
    for (Row statement : facts.several() ? facts.view(Observation.STATEMENTS) : List.<Row>of()) {
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
          Check.Draft draft =
              result
                  .advice("A join does not use the affinity keys of its tables.")
                  .cause(
                      "Each server joins the rows that it holds itself, so that rows are missing; with distributed joins (setDistributedJoins) none is, but servers send each other messages for every join.")
                  .action(
                      Needs.CACHE,
                      "Give the tables the join's columns as affinity keys, or replicate the smaller one.");
          if (all > 0) {
            double share = millis(List.of(statement)) / all;
            draft.impact(share, "%.0f %% of the time of all statements", 100 * share);
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
          SearchedTable.of(
                  sql,
                  (schema, name) ->
                      table(
                          facts.view(Observation.TABLES),
                          schema.isEmpty() ? rows.get(0).get("schemaName") : schema,
                          name))
              .stream()
              .filter(search -> !search.isIndexed(indexes) && entries(facts, search) >= ENTRIES)
              .limit(1)
              .forEach(
                  search -> {
                    double busy = busy(rows) / facts.seconds();
                    String symptom = "A statement searches all rows of table %s.";
                    Check.Draft draft =
                        busy > BUSY
                            ? result.problem(symptom, name(search.table()))
                            : result.advice(symptom, name(search.table()));
                    if (busy > 0) {
                      draft.impact(busy, "its executions take %.2f s or more of each second", busy);
                    }
                    draft
                        .evidence("statement", shown(sql), rows.get(0).server())
                        .evidence("rows", entries(facts, search), name(search.table()))
                        .evidence("executions since the start", times, "SQL_QUERIES_HISTORY")
                        .evidence(
                            "executions during the observation",
                            recent(rows),
                            "SQL_QUERIES_HISTORY")
                        .evidence("the shortest [ms]", shortest(rows), "SQL_QUERIES_HISTORY")
                        .cause(
                            "No index begins with one of the columns of its conditions: "
                                + String.join(", ", new TreeSet<>(search.columns()))
                                + ".")
                        .action(
                            Needs.NOTHING,
                            "Create an index, such as CREATE INDEX ON %s (%s), unless most of the rows are wanted.",
                            name(search.table()),
                            new TreeSet<>(search.columns()).first());
                  });
        });
  }

  private static double recent(List<Row> statements) {
    return statements.stream().mapToDouble(row -> number(row, Statements.SINCE)).sum();
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

  private static String shown(String sql) {
    String line = sql.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(MAX_SHOWN, line.length()));
  }

  private static double millis(List<Row> statements) {
    return statements.stream().mapToDouble(row -> number(row, "durationTotal")).sum();
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

  /**
   * A table that a block of a statement reads alone, and the columns whose values its conditions
   * limit.
   */
  private record SearchedTable(Row table, Set<String> columns) {
    private static final Set<SqlKind> LIMITS =
        EnumSet.of(
            SqlKind.EQUALS,
            SqlKind.LESS_THAN,
            SqlKind.LESS_THAN_OR_EQUAL,
            SqlKind.GREATER_THAN,
            SqlKind.GREATER_THAN_OR_EQUAL,
            SqlKind.BETWEEN,
            SqlKind.IN,
            SqlKind.LIKE,
            SqlKind.IS_NULL);

    /** Those of a statement whose conditions limit a column at least. */
    static List<SearchedTable> of(String sql, BiFunction<String, String, Optional<Row>> known) {
      List<SearchedTable> found = new ArrayList<>();
      for (SqlSelect select : SelectBlocks.of(sql)) {
        Set<String> columns =
            SelectBlocks.conjuncts(select.getWhere())
                .flatMap(condition -> column(condition).stream())
                .collect(Collectors.toSet());
        name(select.getFrom())
            .filter(name -> !columns.isEmpty())
            .flatMap(
                name ->
                    known.apply(
                        name.isSimple() ? "" : SelectBlocks.last(name, 1),
                        SelectBlocks.last(name, 0)))
            .ifPresent(table -> found.add(new SearchedTable(table, columns)));
      }
      return found;
    }

    private static Optional<SqlIdentifier> name(@Nullable SqlNode from) {
      if (from instanceof SqlCall call
          && (call.getKind() == SqlKind.AS || call.getKind() == SqlKind.TABLE_REF)) {
        return name(call.operand(0));
      }
      return from instanceof SqlIdentifier name ? Optional.of(name) : Optional.empty();
    }

    private static Optional<String> column(SqlNode condition) {
      return condition instanceof SqlCall call && LIMITS.contains(call.getKind())
          ? call.getOperandList().stream()
              .filter(SqlIdentifier.class::isInstance)
              .map(column -> SelectBlocks.last((SqlIdentifier) column, 0))
              .findFirst()
          : Optional.empty();
    }

    /** Whether an index begins with one of the columns. */
    boolean isIndexed(List<Row> indexes) {
      return indexes.stream()
          .filter(index -> index.get("tableName").equals(table.get("tableName")))
          .filter(index -> index.get("schemaName").equals(table.get("schemaName")))
          .map(index -> first(index.get("columns")))
          .anyMatch(column -> columns.contains(column) || isKey(column));
    }

    private boolean isKey(String column) {
      return column.equals("_KEY") && columns.contains(SelectBlocks.upper(table.get("keyAlias")));
    }

    /** Of columns as the view has them: {@code "ID" ASC, "NAME" DESC}. */
    private static String first(String columns) {
      return SelectBlocks.upper(columns.replaceFirst("^\"([^\"]*)\".*", "$1"));
    }
  }

  /**
   * The tables that one block of a statement (SELECT … FROM … WHERE …) joins, and the columns that
   * its conditions make equal. What cannot be resolved without the columns of all tables, such as a
   * column without its table's name, leaves the block unjudged.
   */
  private static final class JoinedTables {
    private static final String KEY = "_KEY";

    private final BiFunction<String, String, Optional<Row>> known;
    private final Map<String, Row> tables = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, String> equal = new HashMap<>();
    private final List<Pair> joined = new ArrayList<>();
    private boolean unresolved;

    private JoinedTables(BiFunction<String, String, Optional<Row>> known) {
      this.known = known;
    }

    /** A use of a partitioned table. */
    private record Use(String alias, Row table) {
      /** The view has none where it is the whole key. */
      String affinityKey() {
        String column = SelectBlocks.upper(table.get("affinityKeyColumn"));
        return isAbsent(column) ? KEY : column;
      }

      /** Whether entries are placed by a key of several columns. */
      boolean composite() {
        return affinityKey().equals(KEY) && isAbsent(SelectBlocks.upper(table.get("keyAlias")));
      }
    }

    /** Two uses that a condition joins. */
    private record Pair(Use one, Use other) {
      Set<Use> uses() {
        return Set.of(one, other);
      }

      List<Row> tables() {
        return List.of(one.table, other.table);
      }
    }

    /**
     * The pairs of tables that a statement joins otherwise than by their affinity keys; none if it
     * cannot be parsed.
     *
     * @param known the partitioned table of a schema, empty if none is named, and a name
     */
    static List<List<Row>> notCollocated(
        String sql, BiFunction<String, String, Optional<Row>> known) {
      List<List<Row>> found = new ArrayList<>();
      for (SqlSelect select : SelectBlocks.of(sql)) {
        JoinedTables block = new JoinedTables(known);
        block.from(select.getFrom());
        SelectBlocks.conjuncts(select.getWhere()).forEach(block::condition);
        found.addAll(block.notCollocated());
      }
      return found;
    }

    private void from(@Nullable SqlNode node) {
      if (node instanceof SqlJoin join) {
        from(join.getLeft());
        Set<String> left = Set.copyOf(names);
        from(join.getRight());
        unresolved |= join.isNatural();
        if (join.getConditionType() == JoinConditionType.USING
            && join.getCondition() instanceof SqlNodeList columns) {
          columns.forEach(column -> using(left, ((SqlIdentifier) column).getSimple()));
        } else {
          SelectBlocks.conjuncts(join.getCondition()).forEach(this::condition);
        }
      } else if (node instanceof SqlIdentifier name) {
        table(name, name);
      } else if (node instanceof SqlCall call && call.getKind() == SqlKind.TABLE_REF) {
        from(call.operand(0));
      } else if (node instanceof SqlCall call && call.getKind() == SqlKind.AS) {
        if (call.operand(0) instanceof SqlIdentifier name) {
          table(name, call.operand(1));
        } else {
          names.add(SelectBlocks.last(call.operand(1), 0));
        }
      }
    }

    private void table(SqlIdentifier name, SqlIdentifier alias) {
      names.add(SelectBlocks.last(alias, 0));
      known
          .apply(
              name.names.size() > 1 ? SelectBlocks.last(name, 1) : "", SelectBlocks.last(name, 0))
          .ifPresent(table -> tables.put(SelectBlocks.last(alias, 0), table));
    }

    private void using(Set<String> left, String column) {
      for (String right : tables.keySet()) {
        if (!left.contains(right)) {
          left.forEach(
              other -> join(other, SelectBlocks.upper(column), right, SelectBlocks.upper(column)));
        }
      }
    }

    private void condition(SqlNode node) {
      if (node instanceof SqlCall call && call.getKind() == SqlKind.EQUALS) {
        SqlNode one = call.operand(0);
        SqlNode other = call.operand(1);
        if (one instanceof SqlIdentifier left && other instanceof SqlIdentifier right) {
          if (left.isSimple() || right.isSimple()) {
            unresolved = true;
          } else {
            join(
                SelectBlocks.last(left, 1),
                SelectBlocks.last(left, 0),
                SelectBlocks.last(right, 1),
                SelectBlocks.last(right, 0));
          }
        } else if (one instanceof SqlIdentifier column) {
          bind(column, other);
        } else if (other instanceof SqlIdentifier column) {
          bind(column, one);
        }
      }
    }

    /** All parameters may have the same value. */
    private void bind(SqlIdentifier column, SqlNode value) {
      if (!column.isSimple() && (value instanceof SqlDynamicParam || value instanceof SqlLiteral)) {
        merge(
            name(SelectBlocks.last(column, 1), SelectBlocks.last(column, 0)),
            value instanceof SqlLiteral ? "value " + value : "?");
      }
    }

    private void join(String one, String column, String other, String otherColumn) {
      merge(name(one, column), name(other, otherColumn));
      Row table = tables.get(one);
      Row otherTable = tables.get(other);
      if (!one.equals(other) && table != null && otherTable != null) {
        joined.add(new Pair(new Use(one, table), new Use(other, otherTable)));
      }
    }

    private List<List<Row>> notCollocated() {
      return unresolved
          ? List.of()
          : joined.stream()
              .filter(pair -> !byCompositeKeys(pair))
              .filter(pair -> !affinityRoot(pair.one).equals(affinityRoot(pair.other)))
              .map(Pair::tables)
              .toList();
    }

    /** Two columns or more may be all those of the keys. */
    private boolean byCompositeKeys(Pair pair) {
      return (pair.one.composite() || pair.other.composite())
          && joined.stream().filter(each -> each.uses().equals(pair.uses())).count() > 1;
    }

    private static boolean isAbsent(String column) {
      return column.isEmpty() || column.equals("NULL");
    }

    private String affinityRoot(Use table) {
      return root(name(table.alias, table.affinityKey()));
    }

    /** A column of a table; one that is the whole key has two names. */
    private String name(String alias, String column) {
      Row table = tables.get(alias);
      boolean key = table != null && column.equals(SelectBlocks.upper(table.get("keyAlias")));
      return alias + "." + (key ? KEY : column);
    }

    private void merge(String one, String other) {
      equal.put(root(one), root(other));
    }

    private String root(String column) {
      String at = column;
      for (String next = equal.get(at); next != null && !next.equals(at); next = equal.get(at)) {
        at = next;
      }
      return at;
    }
  }
}
