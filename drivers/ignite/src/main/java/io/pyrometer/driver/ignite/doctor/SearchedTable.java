package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * A table that a block of a statement searches alone.
 *
 * @param columns those whose values its conditions limit
 * @param converted of other columns that its conditions limit, the expression that keeps an index
 *     from being used: a function of the column, or a number that text is compared with
 */
record SearchedTable(Row table, Set<String> columns, Map<String, String> converted) {
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

  /**
   * Tables of a statement whose conditions limit at least one column.
   *
   * @param known the table of a schema, empty if none is named, and a name
   * @param texts the columns of a table that hold text
   */
  static List<SearchedTable> of(
      String sql,
      BiFunction<String, String, Optional<Row>> known,
      Function<Row, Set<String>> texts) {
    List<SearchedTable> found = new ArrayList<>();
    for (SelectBlocks.Search search : SelectBlocks.searches(sql)) {
      name(search.from())
          .flatMap(
              name ->
                  known.apply(
                      name.isSimple() ? "" : SelectBlocks.last(name, 1),
                      SelectBlocks.last(name, 0)))
          .map(table -> limited(table, search.where(), texts.apply(table)))
          .filter(table -> !table.columns.isEmpty() || !table.converted.isEmpty())
          .ifPresent(found::add);
    }
    return found;
  }

  /** Tables of a statement whose conditions limit at least one column, whatever their schema. */
  static List<SearchedTable> of(String sql) {
    return of(
        sql,
        (schema, name) -> Optional.of(new Row("", Map.of("tableName", name))),
        texts -> Set.of());
  }

  /** The name of the table, in capital letters unless the statement quotes it. */
  String name() {
    return table.get("tableName");
  }

  private static Optional<SqlIdentifier> name(@Nullable SqlNode from) {
    if (from instanceof SqlCall call
        && (call.getKind() == SqlKind.AS || call.getKind() == SqlKind.TABLE_REF)) {
      return name(call.operand(0));
    }
    return from instanceof SqlIdentifier name ? Optional.of(name) : Optional.empty();
  }

  private static SearchedTable limited(Row table, @Nullable SqlNode where, Set<String> texts) {
    SearchedTable found = new SearchedTable(table, new TreeSet<>(), new TreeMap<>());
    SelectBlocks.conjuncts(where)
        .filter(condition -> LIMITS.contains(condition.getKind()))
        .forEach(condition -> found.limit((SqlCall) condition, texts));
    found.converted.keySet().removeAll(found.columns);
    return found;
  }

  private void limit(SqlCall condition, Set<String> texts) {
    List<SqlNode> operands = condition.getOperandList();
    boolean number = operands.stream().anyMatch(SqlNumericLiteral.class::isInstance);
    for (SqlNode operand : operands) {
      if (operand instanceof SqlIdentifier column) {
        String name = SelectBlocks.last(column, 0);
        if (number && texts.contains(name)) {
          converted.put(name, condition.toString());
        } else {
          columns.add(name);
        }
        return;
      }
    }
    operands.stream()
        .filter(operand -> operand instanceof SqlCall && !(operand instanceof SqlSelect))
        .forEach(
            operand ->
                columnsIn(operand).forEach(column -> converted.put(column, operand.toString())));
  }

  /** Names in an expression, without those of subqueries in it. */
  static Set<String> columnsIn(SqlNode expression) {
    Set<String> found = new TreeSet<>();
    expression.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            return call instanceof SqlSelect ? null : super.visit(call);
          }

          @Override
          public @Nullable Void visit(SqlIdentifier column) {
            if (!column.isStar()) {
              found.add(SelectBlocks.last(column, 0));
            }
            return null;
          }
        });
    return found;
  }

  /** Returns whether an index begins with one of the columns. */
  boolean isIndexed(List<Row> indexes) {
    return columns.stream().anyMatch(column -> begins(indexes, column));
  }

  /** A column that an index begins with, and that the statement uses otherwise than it needs. */
  Optional<String> indexedInVain(List<Row> indexes) {
    return converted.keySet().stream().filter(column -> begins(indexes, column)).findFirst();
  }

  private boolean begins(List<Row> indexes, String column) {
    return indexes.stream()
        .filter(index -> index.get("tableName").equals(table.get("tableName")))
        .filter(index -> index.get("schemaName").equals(table.get("schemaName")))
        .map(index -> first(index.get("columns")))
        .anyMatch(first -> first.equals(column) || isKey(first, column));
  }

  private boolean isKey(String first, String column) {
    return first.equals("_KEY") && column.equals(SelectBlocks.upper(table.get("keyAlias")));
  }

  /** The first of columns as the view has them: {@code "ID" ASC, "NAME" DESC}. */
  private static String first(String columns) {
    return SelectBlocks.upper(columns.replaceFirst("^\"([^\"]*)\".*", "$1"));
  }
}
