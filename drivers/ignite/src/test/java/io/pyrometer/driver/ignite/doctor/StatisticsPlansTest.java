package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.HealthReport.Diagnosis;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.junit.jupiter.api.Test;

final class StatisticsPlansTest {
  /** 1 January 2026, in milliseconds since 1970. */
  private static final long BEGIN = 1_767_225_600_000L;

  @Test
  void aTableThatIsReadWithoutABoundIsNamedWithItsIndex() {
    assertThat(
            StatisticsChecks.wholeReads(
                List.of(
                    "FROM PUBLIC.STRING __Z0\n    /* PUBLIC.STRING__VAL_IDX */\nWHERE __Z0._VAL LIKE ?1",
                    "FROM PUBLIC.ORDERS __Z0\n    /* PUBLIC.ORDERS.__SCAN_ */",
                    "FROM \"orders\".ITEM I__Z1\n    /* \"orders\".\"_key_PK\" */",
                    "IgniteTableScan(table=[[PUBLIC, CITY]], filters=[=($t1, 2)])")))
        .isEqualTo(
            Map.of(
                "STRING", "STRING__VAL_IDX",
                "ORDERS", "__SCAN_",
                "ITEM", "_key_PK",
                "CITY", "__SCAN_"));
  }

  @Test
  void boundsAndMergedRowsAreNoWholeReads() {
    assertThat(
            StatisticsChecks.wholeReads(
                List.of(
                    "FROM PUBLIC.STRING __Z0\n    /* PUBLIC.STRING__VAL_IDX: _VAL = ?1 */",
                    "FROM PUBLIC.__T0\n    /* PUBLIC.\"merge_scan\" */")))
        .isEmpty();
  }

  @Test
  void aConditionThatGivesTheIndexNoBoundsIsNoMissingIndex() {
    assertThat(found("PUBLIC.STRING__VAL_IDX")).containsExactly("doctor.missing-index.unused");
    assertThat(found("PUBLIC.STRING.__SCAN_")).containsExactly("doctor.missing-index");
    assertThat(found("PUBLIC.STRING__VAL_IDX: _VAL = ?1")).isEmpty();
  }

  /** Diagnoses of ten executions that read 1,100 pages for a row. */
  private static List<String> found(String access) {
    PerformanceStatistics seen = new PerformanceStatistics();
    UUID node = UUID.randomUUID();
    GridCacheQueryType type = GridCacheQueryType.SQL_FIELDS;
    for (long id = 0; id < 10; id++) {
      String sql = "select count(*) from String where _val like ?";
      seen.query(node, type, sql, id, BEGIN + 1_000 * id, 100_000_000, true);
      seen.queryReads(node, type, node, id, 1_100, 0);
      seen.queryRows(node, type, node, id, "Fetched on reducer", 1);
      String plan = "FROM PUBLIC.STRING __Z0\n    /* " + access + " */";
      seen.queryProperty(node, type, node, id, "Map phase plan", plan);
    }
    seen.complete();
    Facts facts = StatisticsChecks.facts(seen);
    return StatisticsChecks.of(seen).stream()
        .flatMap(check -> check.make(facts).diagnoses().stream())
        .map(Diagnosis::id)
        .toList();
  }
}
