package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Unjudged;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;
import org.apache.ignite.internal.util.GridIntList;
import org.apache.ignite.lang.IgniteUuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the sentence of a finding would be false, there is none. */
final class StatisticsChecksTest {
  private static final UUID CLIENT = new UUID(1, 1);
  private static final UUID FIRST = new UUID(2, 2);
  private static final UUID SECOND = new UUID(3, 3);
  private static final int CACHE = 7;
  private static final int MILLI = 1_000_000;

  private final PerformanceStatistics seen = new PerformanceStatistics();

  @Test
  void manyClientsThatReadLittleEachDoNotReadOneByOne() {
    for (int client = 0; client < 100; client++) {
      gets(new UUID(4, client), 50);
    }
    assertThat(found("single-gets")).isEmpty();
    gets(CLIENT, 4_000);
    assertThat(found("single-gets")).containsExactly("doctor.single-gets");
  }

  private void gets(UUID node, int calls) {
    for (int i = 0; i < calls; i++) {
      long end = StatisticsFile.BEGIN + 10_000L * i / calls;
      seen.cacheOperation(node, OperationType.CACHE_GET, CACHE, end, MILLI);
    }
  }

  @Test
  void aTransactionThatUsedNoCacheLosesNoWork() {
    seen.transaction(CLIENT, new GridIntList(), StatisticsFile.BEGIN, MILLI, false);
    assertThat(found("rolled-back-transactions")).isEmpty();
    seen.transaction(CLIENT, GridIntList.asList(CACHE), StatisticsFile.BEGIN, MILLI, false);
    assertThat(found("rolled-back-transactions")).hasSize(1);
  }

  @Test
  void onePauseIsNoSlowServer() {
    for (int second = 0; second < 10; second++) {
      job(FIRST, second, 0, 1);
      job(SECOND, second, 0, second == 0 ? 5_000 : 1);
    }
    assertThat(found("uneven-load")).isEmpty();
    for (int second = 10; second < 20; second++) {
      job(SECOND, second, 0, 400);
    }
    assertThat(found("uneven-load")).containsExactly("doctor.uneven-load.late");
  }

  @Test
  void oneJobThatWaitsIsNoQueue() {
    for (int second = 0; second < 20; second++) {
      job(FIRST, second, second == 0 ? 9_000 : 0, 0);
    }
    assertThat(found("thread-pools")).isEmpty();
    for (int second = 0; second < 20; second++) {
      job(FIRST, second, 30, 0);
    }
    assertThat(found("thread-pools")).containsExactly("doctor.thread-pools.jobs");
  }

  /** A task of one job that runs for a millisecond, and begins in a second. */
  private void job(UUID server, int second, long queued, long delay) {
    IgniteUuid session = IgniteUuid.randomUuid();
    long begin = StatisticsFile.BEGIN + 1_000L * second;
    seen.task(CLIENT, session, "Task", begin, queued + 1 + delay, -1);
    seen.job(server, session, queued, begin, 1, false);
  }

  @Test
  void aTableThatIsReadWithoutABoundIsNamedWithItsIndex() {
    assertThat(
            StatisticsChecks.wholeReads(
                List.of(
                    "FROM PUBLIC.STRING __Z0\n"
                        + "    /* PUBLIC.STRING__VAL_IDX */\n"
                        + "WHERE __Z0._VAL LIKE ?1",
                    "FROM PUBLIC.ORDERS __Z0\n    /* PUBLIC.ORDERS.__SCAN_ */",
                    "FROM \"orders\".ITEM I__Z1\n    /* \"orders\".\"_key_PK\" */",
                    "IgniteTableScan(table=[[PUBLIC, CITY]], filters=[=($t1, 2)])",
                    "FROM PUBLIC.BOUND __Z0\n    /* PUBLIC.BOUND__VAL_IDX: _VAL = ?1 */",
                    "FROM PUBLIC.__T0\n    /* PUBLIC.\"merge_scan\" */")))
        .isEqualTo(
            Map.of(
                "STRING", "STRING__VAL_IDX",
                "ORDERS", "__SCAN_",
                "ITEM", "_key_PK",
                "CITY", "__SCAN_"));
  }

  /** Ten executions that read 1,100 pages for a row. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "_val like ?     | PUBLIC.STRING__VAL_IDX            | doctor.missing-index.unused",
        "_val like ?     | PUBLIC.STRING.__SCAN_             | doctor.missing-index",
        "_val like ?     | PUBLIC.STRING__VAL_IDX: _VAL = ?1 | ''",
        "upper(_val) = ? | PUBLIC.STRING.__SCAN_             | ''",
      })
  void aWholeReadNeedsAnIndexThatItsConditionCanUse(String where, String access, String found) {
    GridCacheQueryType type = GridCacheQueryType.SQL_FIELDS;
    String sql = "select count(*) from String where " + where;
    for (long id = 0; id < 10; id++) {
      seen.query(CLIENT, type, sql, id, StatisticsFile.BEGIN + 1_000 * id, 100 * MILLI, true);
      seen.queryReads(CLIENT, type, CLIENT, id, 1_100, 0);
      seen.queryRows(CLIENT, type, CLIENT, id, "Fetched on reducer", 1);
      String plan = "FROM PUBLIC.STRING __Z0\n    /* " + access + " */";
      seen.queryProperty(CLIENT, type, CLIENT, id, "Map phase plan", plan);
    }
    assertThat(String.join(", ", found("missing-index"))).isEqualTo(found);
  }

  private List<String> found(String check) {
    seen.complete();
    StatisticsChecks statistics = new StatisticsChecks(seen);
    Result result =
        statistics.checks().stream()
            .filter(each -> each.name().equals(check))
            .findFirst()
            .orElseThrow()
            .make(statistics.facts());
    assertThat(result.unjudged().map(Unjudged::reason)).isNotEqualTo(Optional.of("failure"));
    return result.diagnoses().stream().map(Diagnosis::id).toList();
  }
}
