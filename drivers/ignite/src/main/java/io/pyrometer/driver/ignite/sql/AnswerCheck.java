package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.data.RecordClass;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.RecordShape.FieldShape;
import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.h2.Driver;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of what a grid answers to queries with what one database with all records does.
 *
 * @param grid answers a statement with its arguments
 * @param count records that the grid holds
 */
public record AnswerCheck(
    BiFunction<String, Object[], List<List<?>>> grid, Records records, long count) {
  /** Bytes of a record in the database beside its fields' own, with its details and indexes. */
  private static final long OVERHEAD = 600;

  private static final MathContext DIGITS = new MathContext(10);
  private static final String TRUTH = "the rows that one database with all records gives";

  /**
   * @param keys each set of keys that parameters are made of
   * @throws GridException with one sentence if the grid refuses a query
   */
  public QueryAnswers of(List<Query> queries, List<long[]> keys) {
    if (count * OVERHEAD > Runtime.getRuntime().maxMemory() / 2) {
      Map<String, String> unknown = new TreeMap<>();
      String why = "%,d records are too many for a database in the agent's heap".formatted(count);
      for (Query query : queries) {
        List<List<?>> unused = rows(query, keys.get(0));
        unknown.put(query.name(), why);
      }
      return new QueryAnswers(TRUTH, keys.size(), List.of(), Map.of(), unknown);
    }
    try (ReferenceDatabase database = ReferenceDatabase.of(records, count)) {
      return of(queries, keys, database);
    }
  }

  private QueryAnswers of(List<Query> queries, List<long[]> keys, ReferenceDatabase database) {
    List<String> right = new ArrayList<>();
    Map<String, String> wrong = new TreeMap<>();
    Map<String, String> unknown = new TreeMap<>();
    for (Query query : queries) {
      try {
        difference(query, keys, database)
            .ifPresentOrElse(
                difference -> wrong.put(query.name(), difference), () -> right.add(query.name()));
      } catch (SQLException refused) {
        unknown.put(
            query.name(),
            "H2: " + String.valueOf(refused.getMessage()).lines().findFirst().orElse(""));
      }
    }
    return new QueryAnswers(TRUTH, keys.size(), right, wrong, unknown);
  }

  private Optional<String> difference(Query query, List<long[]> keys, ReferenceDatabase database)
      throws SQLException {
    for (long[] drawn : keys) {
      List<List<?>> found = rows(query, drawn);
      List<List<?>> right = database.rows(query.sql(), query.arguments(i -> drawn[i]));
      if (found.size() != right.size()) {
        return Optional.of("%,d rows instead of %,d".formatted(found.size(), right.size()));
      }
      if (!counts(found).equals(counts(right))) {
        return Optional.of("other values in %,d rows".formatted(found.size()));
      }
    }
    return Optional.empty();
  }

  private List<List<?>> rows(Query query, long[] drawn) {
    try {
      return grid.apply(query.sql(), query.arguments(i -> drawn[i]));
    } catch (RuntimeException refused) {
      throw GridException.of(
          "The query '%s' was refused: %s.", query.name(), GridException.cause(refused), refused);
    }
  }

  /**
   * How often each row is there, whatever the order of rows. Numbers are compared by their first
   * ten digits, because sums of floating-point numbers depend on the order of the summands.
   */
  static Map<List<Object>, Long> counts(List<? extends List<?>> rows) {
    return rows.stream()
        .map(row -> row.stream().map(AnswerCheck::normal).toList())
        .collect(Collectors.groupingBy(row -> row, Collectors.counting()));
  }

  private static Object normal(@Nullable Object value) {
    if (value instanceof Number number) {
      BigDecimal decimal = new BigDecimal(number.toString()).round(DIGITS);
      return decimal.signum() == 0 ? BigDecimal.ZERO : decimal.stripTrailingZeros();
    } else if (value instanceof byte[] bytes) {
      return Arrays.hashCode(bytes);
    } else if (value instanceof Date date) {
      return date.getTime();
    }
    return String.valueOf(value);
  }

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
              connection.prepareStatement(
                  "INSERT INTO \"%s\" VALUES (%s)".formatted(table, marks));
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
}
