package io.pyrometer.driver.ignite.sql;

import io.pyrometer.driver.GridException;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.QueryAnswers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
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
}
