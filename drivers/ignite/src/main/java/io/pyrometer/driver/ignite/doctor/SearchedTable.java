package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.jspecify.annotations.Nullable;

/**
 * A table that a block of a statement reads alone, and the columns whose values its conditions
 * limit.
 */
record SearchedTable(Row table, Set<String> columns) {
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

  /** Tables of a statement whose conditions limit at least one column. */
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

  /** Returns whether an index begins with one of the columns. */
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

  /** The first of columns as the view has them: {@code "ID" ASC, "NAME" DESC}. */
  private static String first(String columns) {
    return SelectBlocks.upper(columns.replaceFirst("^\"([^\"]*)\".*", "$1"));
  }
}
