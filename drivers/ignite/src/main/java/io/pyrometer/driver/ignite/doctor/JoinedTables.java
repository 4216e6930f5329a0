package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.jspecify.annotations.Nullable;

/**
 * The tables that one block of a statement (SELECT … FROM … WHERE …) joins, or that it and a
 * subquery among its expressions read, and the columns that their conditions make equal. A column
 * without its table's name, where there are several tables, leaves the block unjudged.
 */
final class JoinedTables {
  private static final String KEY = "_KEY";

  private final BiFunction<String, String, Optional<Row>> known;
  private final Map<String, Row> tables = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, String> equal = new HashMap<>();
  private final List<Pair> joined = new ArrayList<>();

  /** Columns that conditions make equal to values, by the table's name in the block. */
  private final Map<String, Set<String>> limits = new TreeMap<>();

  /** The names of the block that is being read. */
  private final Set<String> scope = new HashSet<>();

  private boolean unresolved;

  /** True within a subquery, where a column without its table's name may be of the outer block. */
  private boolean correlated;

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

    /** Returns whether entries are placed by a key of several columns. */
    boolean composite() {
      return affinityKey().equals(KEY) && isAbsent(SelectBlocks.upper(table.get("keyAlias")));
    }
  }

  /** Two uses that a condition joins, by a column of each. */
  private record Pair(Use one, String column, Use other, String otherColumn) {
    Set<Use> uses() {
      return Set.of(one, other);
    }

    List<String> aliases() {
      return List.of(one.alias, other.alias);
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
      block.read(select);
      found.addAll(block.notCollocated());
      for (SqlCall call : SelectBlocks.subqueries(select)) {
        JoinedTables both = new JoinedTables(known);
        both.read(select);
        both.subquery(call);
        found.addAll(both.apart(block.tables.keySet()));
      }
    }
    return found;
  }

  /**
   * The joined tables of a statement of which all rows are searched: those that conditions limit
   * without an index, and one of two that are joined by columns without one.
   *
   * @param known the table of a schema, empty if none is named, and a name
   */
  static List<SearchedTable> searched(
      String sql, BiFunction<String, String, Optional<Row>> known, List<Row> indexes) {
    List<SearchedTable> found = new ArrayList<>();
    for (SqlSelect select : SelectBlocks.of(sql)) {
      JoinedTables block = new JoinedTables(known);
      block.read(select);
      if (!block.unresolved && block.tables.size() > 1) {
        found.addAll(block.searched(indexes));
      }
    }
    return found;
  }

  private List<SearchedTable> searched(List<Row> indexes) {
    List<SearchedTable> found = new ArrayList<>();
    for (String alias : limits.keySet()) {
      Row table = tables.get(alias);
      Set<String> columns = new TreeSet<>(limits.getOrDefault(alias, Set.of()));
      if (table != null && !isIndexed(table, and(columns, joinedBy(alias)), indexes)) {
        found.add(new SearchedTable(table, columns, Map.of()));
      }
    }
    for (Pair pair : joined) {
      if (!isIndexed(pair.one.table, Set.of(pair.column), indexes)
          && !isIndexed(pair.other.table, Set.of(pair.otherColumn), indexes)) {
        Stream.of(pair.other, pair.one)
            .filter(use -> !isLimited(use, indexes))
            .limit(1)
            .forEach(use -> found.add(new SearchedTable(use.table, joinedBy(use.alias), Map.of())));
      }
    }
    return found;
  }

  private boolean isLimited(Use use, List<Row> indexes) {
    return isIndexed(use.table, limits.getOrDefault(use.alias, Set.of()), indexes);
  }

  private static boolean isIndexed(Row table, Set<String> columns, List<Row> indexes) {
    return new SearchedTable(table, columns, Map.of()).isIndexed(indexes);
  }

  private Set<String> joinedBy(String alias) {
    Set<String> columns = new TreeSet<>();
    for (Pair pair : joined) {
      if (pair.one.alias.equals(alias)) {
        columns.add(pair.column);
      }
      if (pair.other.alias.equals(alias)) {
        columns.add(pair.otherColumn);
      }
    }
    return columns;
  }

  private static Set<String> and(Set<String> some, Set<String> others) {
    Set<String> all = new TreeSet<>(some);
    all.addAll(others);
    return all;
  }

  private void read(SqlSelect select) {
    scope.clear();
    from(select.getFrom());
    SelectBlocks.conjuncts(select.getWhere()).forEach(this::condition);
  }

  /** Operands of IN, the last of which is a query, or a query alone. */
  private void subquery(SqlCall call) {
    List<SqlNode> operands = call.getOperandList();
    SqlSelect inner =
        (SqlSelect) (call instanceof SqlSelect ? call : operands.get(operands.size() - 1));
    boolean member = SelectBlocks.MEMBERSHIP.contains(call.getKind());
    Optional<String> outer =
        member && operands.get(0) instanceof SqlIdentifier column
            ? qualified(column)
            : Optional.empty();
    unresolved |= member && outer.isEmpty();
    correlated = true;
    int before = names.size();
    read(inner);
    unresolved |= names.size() != before + scope.size();
    if (outer.isPresent() && inner.getSelectList().get(0) instanceof SqlIdentifier column) {
      qualified(column).ifPresent(name -> merge(outer.get(), name));
    }
  }

  /** The first tables of a block and of its subquery, unless two have their affinity keys equal. */
  private List<List<Row>> apart(Set<String> outer) {
    List<String> inner = tables.keySet().stream().filter(name -> !outer.contains(name)).toList();
    boolean together =
        inner.stream().anyMatch(one -> outer.stream().anyMatch(other -> rooted(one, other)));
    return unresolved || together || inner.isEmpty() || outer.isEmpty()
        ? List.of()
        : List.of(Stream.of(outer.iterator().next(), inner.get(0)).map(this::table).toList());
  }

  private Row table(String alias) {
    return Objects.requireNonNull(tables.get(alias));
  }

  private boolean rooted(String one, String other) {
    return affinityRoot(new Use(one, table(one)))
        .equals(affinityRoot(new Use(other, table(other))));
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
        add(SelectBlocks.last(call.operand(1), 0));
      }
    }
  }

  private void add(String name) {
    names.add(name);
    scope.add(name);
  }

  private void table(SqlIdentifier name, SqlIdentifier alias) {
    add(SelectBlocks.last(alias, 0));
    known
        .apply(name.names.size() > 1 ? SelectBlocks.last(name, 1) : "", SelectBlocks.last(name, 0))
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
        unresolved |= correlated && left.isSimple() && right.isSimple();
        Optional<String> owner = owner(left);
        Optional<String> otherOwner = owner(right);
        if (owner.isPresent() && otherOwner.isPresent()) {
          join(
              owner.get(),
              SelectBlocks.last(left, 0),
              otherOwner.get(),
              SelectBlocks.last(right, 0));
        }
      } else if (one instanceof SqlIdentifier column) {
        bind(column, other);
      } else if (other instanceof SqlIdentifier column) {
        bind(column, one);
      }
    }
  }

  /** The alias that a column belongs to; without one it is that of the only table. */
  private Optional<String> owner(SqlIdentifier column) {
    if (!column.isSimple()) {
      return Optional.of(SelectBlocks.last(column, 1));
    }
    unresolved |= scope.size() != 1;
    return scope.stream().filter(name -> scope.size() == 1).findFirst();
  }

  private Optional<String> qualified(SqlIdentifier column) {
    return owner(column).map(alias -> name(alias, SelectBlocks.last(column, 0)));
  }

  /** All parameters may have the same value. */
  private void bind(SqlIdentifier column, SqlNode value) {
    if ((!column.isSimple() || scope.size() == 1)
        && (value instanceof SqlDynamicParam || value instanceof SqlLiteral)) {
      owner(column)
          .ifPresent(
              alias ->
                  limits
                      .computeIfAbsent(alias, a -> new TreeSet<>())
                      .add(SelectBlocks.last(column, 0)));
      qualified(column)
          .ifPresent(name -> merge(name, value instanceof SqlLiteral ? "value " + value : "?"));
    }
  }

  private void join(String one, String column, String other, String otherColumn) {
    merge(name(one, column), name(other, otherColumn));
    Row table = tables.get(one);
    Row otherTable = tables.get(other);
    if (!one.equals(other) && table != null && otherTable != null) {
      joined.add(new Pair(new Use(one, table), column, new Use(other, otherTable), otherColumn));
    }
  }

  /** Pairs that are joined otherwise, or of which no condition joins one with the first. */
  private List<List<Row>> notCollocated() {
    if (unresolved) {
      return List.of();
    }
    List<List<Row>> found =
        joined.stream()
            .filter(pair -> !byCompositeKeys(pair))
            .filter(pair -> !affinityRoot(pair.one).equals(affinityRoot(pair.other)))
            .map(Pair::tables)
            .collect(Collectors.toCollection(ArrayList::new));
    Set<String> reached = new LinkedHashSet<>(tables.keySet().stream().limit(1).toList());
    boolean more = true;
    while (more) {
      more =
          reached.addAll(
              joined.stream()
                  .filter(pair -> pair.aliases().stream().anyMatch(reached::contains))
                  .flatMap(pair -> pair.aliases().stream())
                  .toList());
    }
    tables.keySet().stream()
        .filter(alias -> !reached.contains(alias))
        .filter(alias -> reached.stream().noneMatch(other -> rooted(alias, other)))
        .limit(1)
        .forEach(alias -> found.add(List.of(table(reached.iterator().next()), table(alias))));
    return found;
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
