package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.pyrometer.driver.ignite.doctor.PerformanceStatistics.Statement;
import io.pyrometer.driver.ignite.sql.Query;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.Settings;
import java.util.UUID;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StatisticsQueriesTest {
  private static final long RECORDS = 100_000;
  private static final String BY_CUSTOMER = "/* PUBLIC.BY_CUSTOMER: CUSTOMER = ?1 */";

  @Test
  void columnsHaveSoManyValuesThatAQueryReturnsTheRecordedRows() {
    StatisticsQueries queries =
        queries(
            50,
            BY_CUSTOMER,
            "select ID, PRICE\nfrom \"orders\".ITEMS I\nwhere I.CUSTOMER = ? order by I.CREATED desc, PRICE;");
    assertThat(queries.record().name()).isEqualTo("ITEMS");
    assertThat(queries.record().fields())
        .extracting(FieldShape::name, FieldShape::most)
        .startsWith(
            tuple("CUSTOMER", 1_999.0),
            tuple("CREATED", RECORDS - 1.0),
            tuple("PRICE", RECORDS - 1.0));
    assertThat(queries.settings())
        .containsEntry("indexes", 1L)
        .containsEntry(
            "queries",
            """
            -- name: query-1
            -- weight: 1
            -- params: 0..1999
            select ID, PRICE FROM ITEMS I where I.CUSTOMER = ? order by I.CREATED desc, PRICE;
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ID = ?                         | key",
        "ID IN (?, ?, ?)                | key, other, other",
        "ID BETWEEN ? AND ?             | key, previous+9",
        "PRICE >= ? AND PRICE<?         | 0..99999, previous+9",
        "CUSTOMER=? AND STATE IN (?, ?) | 0..9999, 0..9999, 0..9999",
        "CUSTOMER = 17                  | ''"
      })
  void aQuestionMarkHasAValueOfItsColumn(String condition, String parameters) {
    StatisticsQueries queries =
        queries(10, "", "SELECT COUNT(*) FROM ITEMS WHERE " + condition.strip());
    assertThat(String.valueOf(queries.settings().get("queries")))
        .contains(parameters.isEmpty() ? "weight: 1\n\nSELECT" : "params: " + parameters + "\n");
    assertThat(Query.of(new Settings(queries.settings()))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ID FROM ITEMS WHERE NAME = 'x'",
        "SELECT ID FROM ITEMS WHERE NAME LIKE ?",
        "SELECT ID FROM ITEMS WHERE UPPER(NAME) = ?",
        "SELECT ID FROM ITEMS WHERE PRICE = ? LIMIT 10",
        "SELECT ID FROM ITEMS WHERE PRICE = ? ORDER BY ABS(PRICE)",
        "SELECT \"id\" FROM ITEMS WHERE PRICE = ?",
        "SELECT _VAL FROM ITEMS WHERE PRICE = ?",
        "SELECT I.ID FROM ITEMS I JOIN ORDERS O ON I.ID = O.ID WHERE I.PRICE = ?",
        "SELECT ID FROM ITEMS WHERE ID IN (SELECT ID FROM ORDERS WHERE PRICE = ?)",
        "SELECT ID FROM ITEMS WHERE PRICE = ? UNION SELECT ID FROM ITEMS WHERE PRICE = ?",
        "UPDATE ITEMS SET PRICE = ? WHERE ID = ?",
        "INSERT INTO ITEMS (ID, PRICE) SELECT ID, PRICE FROM ITEMS WHERE PRICE = ?",
        "orders"
      })
  void whatAnExperimentCannotExecuteIsNamed(String sql) {
    StatisticsQueries queries = queries(10, "", sql);
    assertThat(queries.calls()).isEmpty();
    assertThat(queries.left).extracting((Statement left) -> left.text).containsExactly(sql);
  }

  @Test
  void statementsOfAnotherTableAreNamed() {
    String longest = "SELECT ID FROM ITEMS WHERE PRICE = ?";
    StatisticsQueries queries = queries(10, "", longest, "SELECT ID FROM A WHERE B = ?");
    assertThat(queries.calls()).containsOnlyKeys("query-1");
    assertThat(queries.table()).isEqualTo("ITEMS");
    assertThat(queries.left).hasSize(1);
  }

  /** Queries of statements that are executed once, each for a shorter time than the one before. */
  private static StatisticsQueries queries(int rows, String plan, String... statements) {
    PerformanceStatistics seen = new PerformanceStatistics();
    UUID node = new UUID(1, 1);
    GridCacheQueryType type = GridCacheQueryType.SQL_FIELDS;
    for (int id = 0; id < statements.length; id++) {
      seen.query(node, type, statements[id], id, StatisticsFile.BEGIN, 100_000_000 - id, true);
      seen.queryRows(node, type, node, id, "Fetched on reducer", rows);
      seen.queryProperty(node, type, node, id, "Map phase plan", plan);
    }
    seen.complete();
    return new StatisticsQueries(seen, RECORDS);
  }
}
