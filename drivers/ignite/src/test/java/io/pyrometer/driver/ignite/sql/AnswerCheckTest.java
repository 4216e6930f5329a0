package io.pyrometer.driver.ignite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.Orders;
import io.pyrometer.load.Records;
import io.pyrometer.protocol.QueryAnswers;
import io.pyrometer.protocol.Settings;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** With another database in the grid's place, whose rows are changed. */
class AnswerCheckTest {
  private static final int COUNT = 500;
  private static final Records ORDERS = Orders.stockOrders(200);
  private static final List<long[]> KEYS =
      List.of(new long[] {3, 4, 5, 6, 7}, new long[] {90, 80, 70, 60, 50});

  private static QueryAnswers check(List<Query> queries, UnaryOperator<List<List<?>>> changed) {
    try (AnswerCheck.ReferenceDatabase grid = AnswerCheck.ReferenceDatabase.of(ORDERS, COUNT)) {
      return new AnswerCheck(
              (sql, arguments) -> {
                try {
                  return changed.apply(new ArrayList<>(grid.rows(sql, arguments)));
                } catch (SQLException refused) {
                  throw new IllegalStateException(refused.getMessage());
                }
              },
              ORDERS,
              COUNT)
          .of(queries, KEYS);
    }
  }

  private static List<Query> own() {
    return Query.of(Settings.NONE);
  }

  @Test
  void theSameRowsInAnyOrderAreRight() {
    QueryAnswers answers =
        check(
            own(),
            rows -> {
              Collections.reverse(rows);
              return rows;
            });
    assertThat(answers.wrong()).isEmpty();
    assertThat(answers.unknown()).isEmpty();
    assertThat(answers.right()).hasSize(6).contains("join", "aggregate");
  }

  /** As a join does that looks for its rows on one node alone. */
  @Test
  void rowsThatAreMissingAreFound() {
    QueryAnswers answers =
        check(own(), rows -> rows.size() < 2 ? rows : rows.subList(0, rows.size() / 2));
    assertThat(answers.wrong()).containsKeys("join", "range", "in");
    assertThat(answers.wrong().get("join")).isEqualTo("10 rows instead of 20");
    assertThat(answers.right()).contains("point");
  }

  @Test
  void oneOtherValueIsFound() {
    QueryAnswers answers =
        check(
            own(),
            rows -> {
              if (rows.size() == 20) {
                List<Object> row = new ArrayList<>(rows.get(7));
                row.set(2, -1L);
                rows.set(7, row);
              }
              return rows;
            });
    assertThat(answers.wrong()).containsOnlyKeys("join");
    assertThat(answers.wrong().get("join")).isEqualTo("other values in 20 rows");
  }

  @Test
  void aRowThatComesTwiceInPlaceOfAnotherIsFound() {
    Map<List<Object>, Long> right = AnswerCheck.counts(List.of(List.of(1, "a"), List.of(2, "b")));
    assertThat(AnswerCheck.counts(List.of(List.of(1, "a"), List.of(1, "a")))).isNotEqualTo(right);
    assertThat(AnswerCheck.counts(List.of(List.of(1, "b"), List.of(2, "a")))).isNotEqualTo(right);
  }

  @Test
  void typesOfNumbersAndTheOrderOfSummandsMakeNoDifference() {
    Map<List<Object>, Long> right = AnswerCheck.counts(List.of(List.of(7L, 0.1 + 0.2, 0)));
    assertThat(AnswerCheck.counts(List.of(List.of(7, new BigDecimal("0.30"), 0.0))))
        .isEqualTo(right);
    assertThat(AnswerCheck.counts(List.of(List.of(7, 0.3001, 0)))).isNotEqualTo(right);
  }

  @Test
  void aQueryThatTheGridRefusesIsNamed() {
    assertThatThrownBy(
            () -> check(Query.read("f", "-- name: bad\nSELECT nothing FROM StockOrder;"), r -> r))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("'bad'");
  }

  @Test
  void aQueryThatOnlyTheGridUnderstandsIsNotCompared() {
    QueryAnswers answers =
        new AnswerCheck((sql, arguments) -> List.of(List.of(1)), ORDERS, COUNT)
            .of(Query.read("f", "-- name: own\nSELECT of_the_grid_alone();"), KEYS);
    assertThat(answers.unknown()).containsOnlyKeys("own");
    assertThat(answers.right()).isEmpty();
    assertThat(answers.wrong()).isEmpty();
  }
}
