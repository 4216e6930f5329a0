package io.pyrometer.driver.ignite.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Check.Result;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Unjudged;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ignite.internal.processors.cache.query.GridCacheQueryType;
import org.apache.ignite.internal.processors.performancestatistics.OperationType;
import org.apache.ignite.internal.util.GridIntList;
import org.apache.ignite.lang.IgniteUuid;
import org.junit.jupiter.api.Test;

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
  void anIndexDoesNotHelpAFunctionOfItsColumn() {
    for (long id = 0; id < 10; id++) {
      GridCacheQueryType type = GridCacheQueryType.SQL_FIELDS;
      String sql = "select ID from ITEMS where upper(NAME) = ?";
      seen.query(CLIENT, type, sql, id, StatisticsFile.BEGIN + 1_000 * id, 100 * MILLI, true);
      seen.queryReads(FIRST, type, CLIENT, id, 5_000, 0);
      String plan = "FROM PUBLIC.ITEMS __Z0\n    /* PUBLIC.ITEMS.__SCAN_ */";
      seen.queryProperty(FIRST, type, CLIENT, id, "Map phase plan", plan);
    }
    assertThat(found("missing-index")).isEmpty();
  }

  private List<String> found(String check) {
    seen.complete();
    Result result =
        StatisticsChecks.of(seen).stream()
            .filter(each -> each.name().equals(check))
            .findFirst()
            .orElseThrow()
            .make(StatisticsChecks.facts(seen));
    assertThat(result.unjudged().map(Unjudged::reason)).isNotEqualTo(Optional.of("failure"));
    return result.diagnoses().stream().map(Diagnosis::id).toList();
  }
}
