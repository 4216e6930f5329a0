package io.pyrometer.driver.ignite.doctor;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A table that a block of a statement searches.
 *
 * @param columns those whose values its conditions limit
 * @param converted of other columns that its conditions limit, the expression that keeps an index
 *     from being used: a function of the column, or a number that text is compared with
 */
record SearchedTable(Row table, Set<String> columns, Map<String, String> converted) {
  /** The name of the table, in capital letters unless the statement quotes it. */
  String name() {
    return table.get("tableName");
  }

  /** Returns whether an index begins with one of the columns. */
  boolean isIndexed(List<Row> indexes) {
    return columns.stream().anyMatch(column -> begins(indexes, column));
  }

  /** A column that an index begins with, and that the statement uses otherwise than it needs. */
  Optional<String> indexedInVain(List<Row> indexes) {
    return converted.keySet().stream().filter(column -> begins(indexes, column)).findFirst();
  }

  /** The view has the columns of an index as {@code "ID" ASC, "NAME" DESC}. */
  private boolean begins(List<Row> indexes, String column) {
    boolean key = column.equals(SelectBlock.upper(table.get("keyAlias")));
    return indexes.stream()
        .filter(index -> index.get("tableName").equals(table.get("tableName")))
        .filter(index -> index.get("schemaName").equals(table.get("schemaName")))
        .map(index -> index.get("columns").replaceFirst("^\"([^\"]*)\".*", "$1"))
        .map(SelectBlock::upper)
        .anyMatch(first -> first.equals(column) || (key && first.equals("_KEY")));
  }
}
