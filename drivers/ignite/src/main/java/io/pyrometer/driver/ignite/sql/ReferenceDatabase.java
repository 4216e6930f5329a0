package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import org.h2.Driver;

/**
 * An H2 database in the agent's memory that holds the same records and details as the grid in one
 * place: what it answers does not depend on how a grid spreads, indexes and joins.
 */
record ReferenceDatabase(Connection connection) implements AutoCloseable {
  private static final int BATCH = 1_000;

  /**
   * @param count records, with the keys 0 … {@code count}−1
   */
  static ReferenceDatabase of(Records records, long count) {
    try {
      // Not by DriverManager, which would load the JDBC drivers of Ignite as well.
      ReferenceDatabase database =
          new ReferenceDatabase(new Driver().connect("jdbc:h2:mem:", new Properties()));
      database.create(records);
      database.fill(records, count);
      return database;
    } catch (SQLException failure) {
      throw new GridException(
          "The records cannot be held in a database of the agent: " + failure.getMessage(),
          failure);
    }
  }

  private void create(Records records) throws SQLException {
    String columns =
        records.shape().fields().stream()
            .map(field -> ", \"%s\" %s".formatted(upper(field.name()), field.type().columnType()))
            .collect(Collectors.joining());
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE \"%s\" (ID BIGINT PRIMARY KEY%s)"
              .formatted(upper(RecordClass.table(records.shape())), columns));
      statement.execute(
          "CREATE TABLE DETAIL (ID BIGINT PRIMARY KEY, PARENT BIGINT, AMOUNT BIGINT)");
      statement.execute("CREATE INDEX PARENTS ON DETAIL (PARENT)");
    }
  }

  /** As Ignite does with names that are not quoted. */
  private static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  private void fill(Records records, long count) throws SQLException {
    List<FieldShape> fields = records.shape().fields();
    Object[][] values = new Object[records.size()][];
    Arrays.setAll(values, records::fields);
    String marks = String.join(", ", Collections.nCopies(fields.size() + 1, "?"));
    String table = upper(RecordClass.table(records.shape()));
    try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO \"%s\" VALUES (%s)".formatted(table, marks));
        PreparedStatement details =
            connection.prepareStatement("INSERT INTO DETAIL VALUES (?, ?, ?)")) {
      for (long key = 0; key < count; key++) {
        insert.setLong(1, key);
        set(insert, 2, values[(int) (key % values.length)]);
        insert.addBatch();
        for (long id = key * Details.OF_A_RECORD; id < (key + 1) * Details.OF_A_RECORD; id++) {
          set(details, 1, id, key, Details.amount(id));
          details.addBatch();
        }
        if (key % BATCH == BATCH - 1 || key == count - 1) {
          int[] unused = insert.executeBatch();
          unused = details.executeBatch();
        }
      }
    }
  }

  private static void set(PreparedStatement statement, int first, Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(first + i, values[i]);
    }
  }

  /** The rows of a query. */
  List<List<?>> rows(String sql, Object[] arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, 1, arguments);
      List<List<?>> rows = new ArrayList<>();
      try (ResultSet answer = statement.executeQuery()) {
        int width = answer.getMetaData().getColumnCount();
        while (answer.next()) {
          List<Object> row = new ArrayList<>(width);
          for (int c = 1; c <= width; c++) {
            row.add(answer.getObject(c));
          }
          rows.add(row);
        }
      }
      return rows;
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException gone) {
      // It is in memory alone.
    }
  }
}
