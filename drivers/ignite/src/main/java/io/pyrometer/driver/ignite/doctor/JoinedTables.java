package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
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
 * The tables that one block of a statement (SELECT … FROM … WHERE …) joins, and the columns that
 * its conditions make equal. What cannot be resolved without the columns of all tables, such as a
 * column without its table's name, leaves the block unjudged.
 */
final class JoinedTables {
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

    /** Returns whether entries are placed by a key of several columns. */
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
