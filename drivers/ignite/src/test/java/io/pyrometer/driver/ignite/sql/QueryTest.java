package io.pyrometer.driver.ignite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
  private static List<Query> read(String text) {
    return Query.read("mine.sql", text);
  }

  @Test
  void pyrometersOwnMixHasTheKindsOfQueriesThatPeopleAskAbout() {
    assertThat(Query.of(Settings.NONE))
        .extracting(Query::name)
        .containsExactly("point", "range", "in", "search", "join", "aggregate");
  }

  @Test
  void aQueryHasItsNameWeightAndParameters() {
    Query query =
        read("""
                -- what follows is drawn twice as often
                -- name: range
                -- weight: 2
                -- params: key, previous+49
                SELECT id, '?; ' FROM Orders -- is this one?
                WHERE id BETWEEN ? AND ?;
                """)
            .get(0);
    assertThat(query.name()).isEqualTo("range");
    assertThat(query.weight()).isEqualTo(2);
    assertThat(query.keys()).isEqualTo(1);
    assertThat(query.arguments(i -> 7)).containsExactly(7L, 56L);
    assertThat(query.sql()).startsWith("SELECT id").endsWith("AND ?");
  }

  @Test
  void withoutParamsTheFirstMarkIsTheKeyAndEachFurtherOneAnother() {
    Query query = read("SELECT * FROM t WHERE id IN (?, ?, ?);").get(0);
    assertThat(query.name()).isEqualTo("query-1");
    assertThat(query.keys()).isEqualTo(3);
    assertThat(query.arguments(i -> 10L * i)).containsExactly(0L, 10L, 20L);
  }

  @Test
  void commentsOfOneQueryDoNotHoldForTheNext() {
    List<Query> queries =
        read("-- name: a\n-- weight: 9\nSELECT 1;\nWITH x AS (SELECT 2) SELECT * FROM x;");
    assertThat(queries).extracting(Query::name).containsExactly("a", "query-2");
    assertThat(queries).extracting(Query::weight).containsExactly(9.0, 1.0);
  }

  @Test
  void aRangeIsTheSameForTheSameKeyAndStaysWithinItsEnds() {
    Query query = read("-- params: 5..9, previous+1\nSELECT ? + ?;").get(0);
    for (long key = 0; key < 1_000; key++) {
      long drawn = key;
      Object[] once = query.arguments(i -> drawn);
      assertThat((Long) once[0]).isBetween(5L, 9L);
      assertThat(once[1]).isEqualTo((Long) once[0] + 1);
      assertThat(query.arguments(i -> drawn)).isEqualTo(once);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM t;",
        "SELECT 1",
        "-- name: only",
        "-- weight: none\nSELECT 1;",
        "-- weight: 0\nSELECT 1;",
        "-- params: key, key\nSELECT ?;",
        "-- params: any\nSELECT ?;",
        "-- params: 9..5\nSELECT ?;",
        "-- name: Mine!\nSELECT 1;",
        "-- name: a\nSELECT 1;\n-- name: a\nSELECT 2;"
      })
  void aFileThatCannotBeUsedIsNamed(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("mine.sql");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Query.of(new Settings(Map.of("queries", "/no/such.sql"))))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("/no/such.sql");
  }
}
