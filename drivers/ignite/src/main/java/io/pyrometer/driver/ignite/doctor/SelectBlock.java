package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.ignite.internal.processors.query.calcite.sql.IgniteSqlConformance;
import org.apache.ignite.internal.processors.query.calcite.sql.generated.IgniteSqlParserImpl;
import org.jspecify.annotations.Nullable;

/**
 * One block of a statement, SELECT … FROM … WHERE … or the search of an UPDATE or DELETE: the
 * tables that it reads, the columns that its conditions limit, and those that they make equal. A
 * column without its table's name, where there are several tables, leaves its joins unjudged.
 */
final class SelectBlock {
  private static final SqlParser.Config PARSER =
      SqlParser.config()
          .withParserFactory(IgniteSqlParserImpl.FACTORY)
          .withLex(Lex.ORACLE)
          .withConformance(IgniteSqlConformance.INSTANCE);

  /** Calls that compare a value with those of a query. */
  private static final Set<SqlKind> MEMBERSHIP = EnumSet.of(SqlKind.IN, SqlKind.NOT_IN);

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

  private static final String KEY = "_KEY";

  /** How the view says that a column is none. */
  private static final Set<String> ABSENT = Set.of("", "NULL");

  private final SqlNode statement;
  private final SqlCall call;
  private final Catalog catalog;
  private final Map<String, Row> tables = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, SearchedTable> limits = new TreeMap<>();

  /** Another column that equals a column, and another table that a table is joined with. */
  private final Map<String, String> equal = new HashMap<>();

  private final List<Pair> joined = new ArrayList<>();

  /** The names of the block that is being read. */
  private final Set<String> scope = new HashSet<>();

  private boolean unresolved;

  /** True within a subquery, where a column without its table's name may be of the outer block. */
  private boolean correlated;

  /**
   * The known tables.
   *
   * @param tables the table of a schema, empty if none is named, and a name
   * @param texts the columns of a table that hold text
   */
  record Catalog(
      BiFunction<String, String, Optional<Row>> tables, Function<Row, Set<String>> texts) {
    /** All tables, whatever their schema. */
    static final Catalog ANY =
        new Catalog(
            (schema, name) -> Optional.of(new Row("", Map.of("tableName", name))),
            table -> Set.of());
  }

  /** Two tables that a condition joins, by a column of each. */
  private record Pair(String one, String column, String other, String otherColumn) {
    Set<String> tables() {
      return Set.of(one, other);
    }
  }

  private SelectBlock(SqlNode statement, SqlCall call, Catalog catalog) {
    this.statement = statement;
    this.call = call;
    this.catalog = catalog;
    read(call);
    limits.values().forEach(search -> search.converted().keySet().removeAll(search.columns()));
  }

  /**
   * Blocks of a statement; none if it cannot be parsed, or names results of its own (WITH), which
   * may have the names of tables.
   */
  static List<SelectBlock> of(String sql, Catalog catalog) {
    List<SqlNode> nodes = new ArrayList<>();
    SqlNode statement;
    try {
      statement = SqlParser.create(sql, PARSER).parseStmt();
    } catch (SqlParseException otherDialect) {
      return List.of();
    }
    visit(statement, nodes::add);
    return nodes.stream().anyMatch(SqlWithItem.class::isInstance)
        ? List.of()
        : nodes.stream()
            .filter(SelectBlock::searches)
            .map(node -> new SelectBlock(statement, (SqlCall) node, catalog))
            .toList();
  }

  private static boolean searches(SqlNode node) {
    return node instanceof SqlSelect select
        ? select.getFrom() != null
        : node instanceof SqlUpdate || node instanceof SqlDelete;
  }

  /** Visits calls and names, the outer first; not those within a call that the predicate denies. */
  private static void visit(SqlNode node, Predicate<SqlNode> visited) {
    node.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall inner) {
            return visited.test(inner) ? super.visit(inner) : null;
          }

          @Override
          public @Nullable Void visit(SqlIdentifier name) {
            boolean unused = visited.test(name);
            return null;
          }
        });
  }

  /** Names in an expression, without those of subqueries in it. */
  private static Set<String> columnsIn(SqlNode expression) {
    Set<String> found = new TreeSet<>();
    visit(
        expression,
        node -> {
          if (node instanceof SqlIdentifier column && !column.isStar()) {
            found.add(last(column, 0));
          }
          return !(node instanceof SqlSelect);
        });
    return found;
  }

  /** All columns of the only query of a statement, but those of its FROM. */
  Set<String> columns() {
    Set<String> found = columnsIn(statement);
    for (SqlNode part : call.getOperandList()) {
      if (part != null && !(call instanceof SqlSelect select && part == select.getFrom())) {
        found.addAll(columnsIn(part));
      }
    }
    return found;
  }

  /** Returns whether it is a query of one table. */
  boolean readsOneTable() {
    return call instanceof SqlSelect && names.size() == 1 && tables.size() == 1;
  }

  /** The tables whose columns its conditions limit. */
  List<SearchedTable> limited() {
    return limits.values().stream()
        .filter(search -> !search.columns().isEmpty() || !search.converted().isEmpty())
        .toList();
  }

  /**
   * The tables of which all rows are searched: those that conditions limit without an index, and
   * one of two that are joined by columns without one.
   */
  List<SearchedTable> searched(List<Row> indexes) {
    if (unresolved) {
      return List.of();
    }
    List<SearchedTable> found = new ArrayList<>();
    limits.forEach(
        (alias, search) -> {
          if (!search.isIndexed(indexes) && !joinedBy(alias).isIndexed(indexes)) {
            found.add(search);
          }
        });
    for (Pair pair : joined) {
      if (!search(pair.one, pair.column).isIndexed(indexes)
          && !search(pair.other, pair.otherColumn).isIndexed(indexes)) {
        Stream.of(pair.other, pair.one)
            .filter(alias -> !limits.getOrDefault(alias, search(alias)).isIndexed(indexes))
            .limit(1)
            .forEach(alias -> found.add(joinedBy(alias)));
      }
    }
    return found;
  }

  private SearchedTable search(String alias, String... columns) {
    return new SearchedTable(table(alias), new TreeSet<>(List.of(columns)), new TreeMap<>());
  }

  private SearchedTable joinedBy(String alias) {
    SearchedTable search = search(alias);
    for (Pair pair : joined) {
      if (pair.tables().contains(alias)) {
        search.columns().add(pair.one.equals(alias) ? pair.column : pair.otherColumn);
      }
    }
    return search;
  }

  private void read(SqlCall block) {
    scope.clear();
    if (block instanceof SqlSelect select) {
      from(select.getFrom());
      conditions(select.getWhere());
    } else if (block instanceof SqlUpdate update) {
      table(update.getTargetTable(), update.getAlias());
      conditions(update.getCondition());
    } else if (block instanceof SqlDelete delete) {
      table(delete.getTargetTable(), delete.getAlias());
      conditions(delete.getCondition());
    }
  }

  private void from(@Nullable SqlNode node) {
    if (node instanceof SqlJoin join) {
      from(join.getLeft());
      Set<String> left = Set.copyOf(names);
      from(join.getRight());
      unresolved |= join.isNatural();
      if (join.getConditionType() == JoinConditionType.USING
          && join.getCondition() instanceof SqlNodeList columns) {
        columns.forEach(column -> using(left, upper(((SqlIdentifier) column).getSimple())));
      } else {
        conditions(join.getCondition());
      }
    } else if (node instanceof SqlCall item && item.getKind() == SqlKind.AS) {
      table(item.operand(0), item.operand(1));
    } else if (node != null) {
      table(node, null);
    }
  }

  private void table(SqlNode item, @Nullable SqlIdentifier alias) {
    SqlNode named =
        item instanceof SqlCall hinted && hinted.getKind() == SqlKind.TABLE_REF
            ? hinted.operand(0)
            : item;
    if (alias != null || named instanceof SqlIdentifier) {
      String called = last(alias == null ? (SqlIdentifier) named : alias, 0);
      names.add(called);
      scope.add(called);
      if (named instanceof SqlIdentifier name) {
        catalog
            .tables
            .apply(name.isSimple() ? "" : last(name, 1), last(name, 0))
            .ifPresent(table -> tables.put(called, table));
      }
    }
  }

  private void using(Set<String> left, String column) {
    for (String right : tables.keySet()) {
      if (!left.contains(right)) {
        left.forEach(other -> join(other, column, right, column));
      }
    }
  }

  /** Conditions that are all true of a row. */
  private void conditions(@Nullable SqlNode node) {
    if (node instanceof SqlCall all && all.getKind() == SqlKind.AND) {
      all.getOperandList().forEach(this::conditions);
    } else if (node instanceof SqlCall condition
        && LIMITS.contains(condition.getKind())
        && !matchesWithin(condition)) {
      List<SqlNode> operands = condition.getOperandList();
      if (condition.getKind() != SqlKind.EQUALS) {
        limit(condition);
      } else if (operands.get(0) instanceof SqlIdentifier one
          && operands.get(1) instanceof SqlIdentifier other) {
        unresolved |= correlated && one.isSimple() && other.isSimple();
        join(owner(one), last(one, 0), owner(other), last(other, 0));
      } else {
        limit(condition);
        bind(operands.get(0), operands.get(1));
        bind(operands.get(1), operands.get(0));
      }
    }
  }

  /** Returns whether it is a LIKE that does not say how the text begins, so that no index helps. */
  private static boolean matchesWithin(SqlCall condition) {
    return condition.getKind() == SqlKind.LIKE
        && condition.operand(1) instanceof SqlCharStringLiteral pattern
        && pattern.toValue().matches("[%_].*");
  }

  /** The alias that a column belongs to; without one it is that of the only table. */
  private String owner(SqlIdentifier column) {
    unresolved |= !isOwned(column);
    return !column.isSimple() ? last(column, 1) : isOwned(column) ? scope.iterator().next() : "";
  }

  private boolean isOwned(SqlIdentifier column) {
    return !column.isSimple() || scope.size() == 1;
  }

  private String qualified(SqlIdentifier column) {
    return name(owner(column), last(column, 0));
  }

  /** Limits the first column of a condition or, of one table, those within its expressions. */
  private void limit(SqlCall condition) {
    List<SqlNode> operands = condition.getOperandList();
    Optional<SqlIdentifier> column =
        operands.stream()
            .filter(SqlIdentifier.class::isInstance)
            .map(SqlIdentifier.class::cast)
            .findFirst();
    if (column.isPresent() && isOwned(column.get())) {
      boolean number = operands.stream().anyMatch(SqlNumericLiteral.class::isInstance);
      String name = last(column.get(), 0);
      limits(owner(column.get()))
          .ifPresent(
              search -> {
                if (number && catalog.texts.apply(search.table()).contains(name)) {
                  search.converted().put(name, condition.toString());
                } else {
                  search.columns().add(name);
                }
              });
    } else if (column.isEmpty() && names.size() == 1) {
      operands.stream()
          .filter(operand -> operand instanceof SqlCall && !(operand instanceof SqlSelect))
          .forEach(
              operand ->
                  limits(names.iterator().next())
                      .ifPresent(
                          search ->
                              columnsIn(operand)
                                  .forEach(
                                      name -> search.converted().put(name, operand.toString()))));
    }
  }

  private Optional<SearchedTable> limits(String alias) {
    return tables.containsKey(alias)
        ? Optional.of(limits.computeIfAbsent(alias, this::search))
        : Optional.empty();
  }

  /** All parameters may have the same value. */
  private void bind(SqlNode node, SqlNode value) {
    boolean literal = value instanceof SqlLiteral;
    if (node instanceof SqlIdentifier column
        && isOwned(column)
        && (literal || value instanceof SqlDynamicParam)) {
      merge(qualified(column), literal ? "value " + value : "?");
    }
  }

  /** A column that is made equal to one of an outer block is limited. */
  private void join(String one, String column, String other, String otherColumn) {
    merge(name(one, column), name(other, otherColumn));
    if (one.equals(other)) {
      return;
    } else if (tables.containsKey(one) && tables.containsKey(other)) {
      joined.add(new Pair(one, column, other, otherColumn));
      merge(one, other);
    } else if (!names.contains(other)) {
      limits(one).ifPresent(search -> search.columns().add(column));
    } else if (!names.contains(one)) {
      limits(other).ifPresent(search -> search.columns().add(otherColumn));
    }
  }

  /**
   * The pairs of tables that it and its subqueries join otherwise than by their affinity keys, or
   * of which no condition joins one with the first.
   */
  List<List<Row>> notCollocated() {
    List<List<Row>> found = new ArrayList<>();
    if (!unresolved) {
      joined.stream()
          .filter(pair -> !byCompositeKeys(pair) && !rooted(pair.one, pair.other))
          .forEach(pair -> found.add(List.of(table(pair.one), table(pair.other))));
      List<String> all = List.copyOf(tables.keySet());
      List<String> reached =
          all.stream().filter(alias -> root(alias).equals(root(all.get(0)))).toList();
      all.stream()
          .filter(alias -> reached.stream().noneMatch(other -> rooted(alias, other)))
          .limit(1)
          .forEach(alias -> found.add(List.of(table(reached.get(0)), table(alias))));
    }
    for (SqlCall subquery : subqueries()) {
      SelectBlock both = new SelectBlock(statement, call, catalog);
      both.readWithin(subquery);
      found.addAll(both.apartFrom(tables.keySet()));
    }
    return found;
  }

  /**
   * Queries among the expressions of a query, not of others within it; of IN and NOT IN the whole
   * call. Those of a UNION and its like are left out.
   */
  private List<SqlCall> subqueries() {
    List<SqlCall> found = new ArrayList<>();
    Predicate<SqlNode> visited =
        node -> {
          boolean in =
              MEMBERSHIP.contains(node.getKind())
                  && node instanceof SqlCall member
                  && member.operand(1) instanceof SqlSelect;
          if (node instanceof SqlCall query && (in || query instanceof SqlSelect)) {
            found.add(query);
            return false;
          }
          return !SqlKind.SET_QUERY.contains(node.getKind());
        };
    if (call instanceof SqlSelect select) {
      visit(select.getSelectList(), visited);
      Optional.ofNullable(select.getWhere()).ifPresent(where -> visit(where, visited));
    }
    return found;
  }

  /** Reads a subquery too. */
  private void readWithin(SqlCall subquery) {
    boolean member = MEMBERSHIP.contains(subquery.getKind());
    SqlSelect inner = (SqlSelect) (member ? subquery.operand(1) : subquery);
    Optional<String> outer =
        member && subquery.operand(0) instanceof SqlIdentifier column
            ? Optional.of(qualified(column))
            : Optional.empty();
    unresolved |= member && outer.isEmpty();
    correlated = true;
    int before = names.size();
    read(inner);
    unresolved |= names.size() != before + scope.size();
    if (outer.isPresent() && inner.getSelectList().get(0) instanceof SqlIdentifier column) {
      merge(outer.get(), qualified(column));
    }
  }

  /** The first tables of a block and of its subquery, unless two have their affinity keys equal. */
  private List<List<Row>> apartFrom(Set<String> outer) {
    List<String> inner = tables.keySet().stream().filter(name -> !outer.contains(name)).toList();
    boolean together =
        inner.stream().anyMatch(one -> outer.stream().anyMatch(other -> rooted(one, other)));
    return unresolved || together || inner.isEmpty() || outer.isEmpty()
        ? List.of()
        : List.of(List.of(table(outer.iterator().next()), table(inner.get(0))));
  }

  private Row table(String alias) {
    return Objects.requireNonNull(tables.get(alias));
  }

  /** Returns whether the affinity keys of two tables are equal. */
  private boolean rooted(String one, String other) {
    return root(name(one, affinityKey(one))).equals(root(name(other, affinityKey(other))));
  }

  /**
   * Returns whether tables name the same column as their affinity key: what belongs together may
   * then lie together, by whatever columns it is joined.
   */
  static boolean haveOneAffinityColumn(List<Row> tables) {
    List<String> columns =
        tables.stream().map(table -> upper(table.get("affinityKeyColumn"))).distinct().toList();
    return columns.size() == 1 && !ABSENT.contains(columns.get(0)) && !columns.contains(KEY);
  }

  /** The view has none where it is the whole key. */
  private String affinityKey(String alias) {
    String column = upper(table(alias).get("affinityKeyColumn"));
    return ABSENT.contains(column) ? KEY : column;
  }

  /** Two columns or more may be all those of a key of several columns. */
  private boolean byCompositeKeys(Pair pair) {
    return pair.tables().stream()
            .anyMatch(
                alias ->
                    affinityKey(alias).equals(KEY)
                        && ABSENT.contains(upper(table(alias).get("keyAlias"))))
        && joined.stream().filter(each -> each.tables().equals(pair.tables())).count() > 1;
  }

  /** A column of a table; one that is the whole key has two names. */
  private String name(String alias, String column) {
    Row table = tables.get(alias);
    boolean key = table != null && column.equals(upper(table.get("keyAlias")));
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

  /** A part of a name, counted from its end. */
  private static String last(SqlIdentifier name, int before) {
    return upper(name.names.get(name.names.size() - 1 - before));
  }

  static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }
}
