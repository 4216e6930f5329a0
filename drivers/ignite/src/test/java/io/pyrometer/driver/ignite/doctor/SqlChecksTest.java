package io.pyrometer.driver.ignite.doctor;

import static io.pyrometer.driver.ignite.doctor.ObservedCluster.cache;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.found;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.ids;
import static io.pyrometer.driver.ignite.doctor.ObservedCluster.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.doctor.Facts.Row;
import io.pyrometer.driver.ignite.doctor.Observation.Statements;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.message.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the history of statements tells. */
class SqlChecksTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select c.NAME from ORDERS o join CUSTOMER c on o.CUSTOMER = c.ID | ''",
        "select c.NAME from ORDERS o join CUSTOMER c on o.NOTE = c.NAME | non-collocated-join",
        "select * from Orders o, PUBLIC.Customer AS c where o.id = c.id and o.N > 1 |"
            + " non-collocated-join",
        "select * from Orders o, Customer c where o.id = c.id and c.Id = o.customer | ''",
        "select * from ORDERS o join COUNTRY x on o.NOTE = x.NAME | ''",
        "select * from ORDERS a join ORDERS b on a.NOTE = b.NOTE | non-collocated-join",
        "select * from ORDERS a join ORDERS b using (CUSTOMER) where a.NOTE = b.NOTE | ''",
        "select * from ORDERS o join COUNTRY x on o.CUSTOMER = x.ID join CUSTOMER c on x.ID = c.ID"
            + " and o.NOTE = c.NAME | ''",
        "select * from ORDERS o join CUSTOMER c on o.CUSTOMER = ? and c.ID = ? and o.NOTE = c.NAME"
            + " | ''",
        "select * from ORDERS o, CUSTOMER c where o.NOTE = c.NAME or o.NOTE = c.NOTE |"
            + " non-collocated-join",
        "select count(*) from ORDERS, CUSTOMER | non-collocated-join",
        "select count(*) from ORDERS, COUNTRY | ''",
        "select distinct (select max(NAME) from CUSTOMER) from ORDERS | non-collocated-join",
        "select * from ORDERS where NOTE in (select NAME from CUSTOMER) | non-collocated-join",
        "select * from ORDERS where CUSTOMER in (select ID from CUSTOMER) | ''",
        "select * from ORDERS where CUSTOMER not in (select ID from CUSTOMER) | ''",
        "select * from ORDERS where NOTE not in (select NAME from CUSTOMER) | non-collocated-join",
        "select * from ORDERS where (CUSTOMER, NOTE) in (select ID, NAME from CUSTOMER) | ''",
        "select * from ORDERS where CUSTOMER in (select ID from CUSTOMER union select 1) | ''",
        "select (select max(NAME) from CUSTOMER where ID = CUSTOMER) from ORDERS | ''",
        "select * from ORDERS o where exists (select 1 from CUSTOMER c where c.ID = o.CUSTOMER) |"
            + " ''",
        "select * from ORDERS where NOTE in (select NAME from COUNTRY) | ''",
        "select * from ORDERS, CUSTOMER where NOTE = NAME | ''",
        "select * from (select CUSTOMER as ID from ORDERS) o join CUSTOMER c on o.ID = c.NAME | ''",
        "with CUSTOMER as (select * from COUNTRY) select * from ORDERS o join CUSTOMER c on o.NOTE"
            + " = c.NAME | ''",
        "select * from CUSTOMER where NAME in (select c.NAME from ORDERS o join CUSTOMER c on"
            + " o.NOTE = c.NAME) | non-collocated-join",
        "select o.NOTE from ORDERS o join /* o.NOTE = c.NAME */ CUSTOMER c on o.CUSTOMER = c.ID --"
            + " c.NAME = o.NOTE | ''",
        "select * from ITEM i join ORDERS o on i.ID = o.CUSTOMER | non-collocated-join",
        "select * from ITEM i join ITEM j on i.ID = j.ID and j.N = i.N | ''",
        "select * from OTHER.ORDERS o join CUSTOMER c on o.NOTE = c.NAME | ''",
        "this is no statement o.NOTE = c.NAME | ''",
        "select NOTE, CUSTOMER from ORDERS where NOTE = 'a.b = c.d' | ''"
      })
  void aJoinMustUseTheAffinityKeysOfPartitionedTables(String sql, String found) {
    ObservedCluster cluster = new ObservedCluster();
    cluster.caches.add(new CacheConfiguration<>(cache()).setName("customers"));
    cluster.caches.add(
        new CacheConfiguration<>(cache()).setName("countries").setCacheMode(CacheMode.REPLICATED));
    table(cluster, "ORDERS", "orders", "CUSTOMER", "");
    table(cluster, "CUSTOMER", "customers", "null", "ID");
    table(cluster, "ITEM", "customers", "null", "null");
    table(cluster, "COUNTRY", "countries", "_KEY", "ID");
    cluster.view(Observation.STATEMENTS, "schemaName=PUBLIC; sql=" + sql);
    assertThat(String.join(",", found(cluster))).isEqualTo(found);
    assertThat(report(cluster).diagnoses())
        .as("distributed joins may be on")
        .allMatch(join -> join.severity() == Severity.ADVICE);
    assertThat(found(cluster.of(1))).as("of one server").isEmpty();
    cluster
        .of(2)
        .configuration
        .put("SqlConfiguration.QueryEnginesConfiguration[0].Default", "true");
    assertThat(found(cluster)).as("an engine that moves rows").isEmpty();
    assertThat(report(cluster).unjudged()).containsKey("non-collocated-join");
  }

  @Test
  void aLocalStatementJoinsWhatItsServerHoldsOnPurpose() {
    ObservedCluster cluster = new ObservedCluster();
    table(cluster, "ORDERS", "orders", "CUSTOMER", "");
    cluster.view(
        Observation.STATEMENTS,
        "local=true; sql=select * from ORDERS a join ORDERS b on a.NOTE = b.NOTE");
    assertThat(found(cluster)).isEmpty();
  }

  @Test
  void rowsAreMissingUnlessTablesShareAnAffinityColumn() {
    for (String ofLines : List.of("LINE", "CUSTOMER")) {
      ObservedCluster cluster =
          new ObservedCluster().metric("communication.tcp.receivedMessagesByType.-33", 0, 50);
      table(cluster, "ORDERS", "orders", "CUSTOMER", "");
      table(cluster, "LINES", "orders", ofLines, "");
      cluster.view(
          Observation.STATEMENTS,
          "schemaName=PUBLIC; executionsSince=10;"
              + " sql=select * from ORDERS o join LINES l on o.ID = l.ORDER_ID");
      assertThat(ids(cluster))
          .containsExactly("non-collocated-join" + (ofLines.equals("CUSTOMER") ? "" : ".wrong"));
    }
  }

  private static void table(
      ObservedCluster cluster, String name, String cache, String affinityKey, String keyAlias) {
    cluster.view(
        Observation.TABLES,
        "schemaName=PUBLIC; tableName=%s; cacheName=%s; affinityKeyColumn=%s; keyAlias=%s"
            .formatted(name, cache, affinityKey, keyAlias));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select * from ORDERS where NOTE = ? | missing-index",
        "select NOTE from PUBLIC.ORDERS o where o.NOTE like 'a%' and o.N > 1 | missing-index",
        "select * from ORDERS where CUSTOMER = ? and NOTE = ? | ''",
        "select * from ORDERS where ID between ? and ? | ''",
        "select * from ORDERS where N = 3 | missing-index",
        "select * from ORDERS where upper(CUSTOMER) = ? | missing-index",
        "select * from ORDERS where CUSTOMER = 123 | missing-index",
        "select * from ORDERS where CUSTOMER = '123' | ''",
        "update ORDERS set N = ? where NOTE = ? | missing-index",
        "delete from ORDERS where NOTE = ? | missing-index",
        "delete from ORDERS where ID = ? | ''",
        "select * from ORDERS where NOTE = ? or ID = ? | ''",
        "select * from ORDERS where NOTE like '%a' | ''",
        "select count(*) from ORDERS | ''",
        "select * from ORDERS o join ORDERS p on o.ID = p.ID where o.NOTE = ? | ''",
        "select * from OTHER where NOTE = ? | ''"
      })
  void aSearchNeedsAnIndexThatBeginsWithOneOfItsColumns(String sql, String found) {
    assertThat(String.join(",", found(searched(sql, 50_000, 400)))).isEqualTo(found);
    assertThat(found(searched(sql, 100, 400))).as("of few rows").isEmpty();
    assertThat(found(searched(sql, 50_000, 10))).as("that takes no time").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "o.NOTE = p.NOTE where o.CUSTOMER = ? | true",
        "o.NOTE = p.CUSTOMER where o.N = ? | true",
        "o.CUSTOMER = p.NOTE where o.ID = ? | false",
        "o.NOTE = p.CUSTOMER where o.ID = ? | false",
        "o.NOTE = p.NOTE where o.ID = ? and p.ID = ? | false"
      })
  void aJoinNeedsAnIndexOfOneOfItsColumns(String condition, boolean missing) {
    String sql = "select * from ORDERS o join ORDERS p on " + condition;
    assertThat(found(searched(sql, 50_000, 400)).contains("missing-index")).isEqualTo(missing);
  }

  /** The shortest execution may have been of an empty table. */
  @ParameterizedTest
  @CsvSource({"'',20,PROBLEM", "'',0,PROBLEM", "' limit 1',0,ADVICE", "' limit 1',20,PROBLEM"})
  void aSearchThatTakesMuchTimeOrManyRowsNowIsAProblem(
      String end, String shortest, Severity severity) {
    String sql = "select * from ORDERS where NOTE = ?" + end;
    ObservedCluster cluster = searched(sql, 50_000, 400);
    assertThat(report(cluster).diagnoses())
        .allMatch(found -> found.severity() == Severity.ADVICE && found.share() == 0);
    execute(
        cluster, "schemaName=PUBLIC; durationMin=%s; sql=%s".formatted(shortest, sql), 900, 600);
    assertThat(report(cluster).diagnoses())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.severity()).isEqualTo(severity);
              assertThat(Optional.ofNullable(found.values().get("busy")))
                  .isEqualTo(Optional.of(Value.seconds(1.2)).filter(busy -> !shortest.equals("0")));
            });
  }

  @ParameterizedTest
  @CsvSource({
    "select * from ORDERS, 600, 60, PROBLEM",
    "select * from ORDERS, 400, 90, ADVICE",
    "select * from ORDERS, 600, 4, ADVICE",
    "select * from ORDERS, 60, 10, ",
    "select * from ORDERS, 40, 600, ",
    "update ORDERS set N = N + 1, 600, 60, PROBLEM",
    "select * from ORDERS order by NOTE limit 20, 600, 60, PROBLEM",
    "select * from ORDERS where CUSTOMER = ? or N = ?, 600, 60, PROBLEM",
    "select * from ORDERS where CUSTOMER like ?, 600, 60, PROBLEM"
  })
  void aStatementThatTakesMuchTimeOtherwiseIsSlow(
      String sql, String shortest, int times, @Nullable Severity severity) {
    ObservedCluster cluster = searched(sql, 50_000, 400);
    assertThat(found(cluster)).as("before").isEmpty();
    execute(
        cluster, "schemaName=PUBLIC; durationMin=%s; sql=%s".formatted(shortest, sql), 900, times);
    assertThat(found(cluster)).isEqualTo(severity == null ? List.of() : List.of("slow-statements"));
    assertThat(report(cluster).diagnoses()).allMatch(found -> found.severity() == severity);
  }

  @ParameterizedTest
  @CsvSource({
    "update T set N = 1, 12000, true",
    "update T set N = 1, 2000, false",
    "select *, 12000, false"
  })
  void aChangeThatHasNotEndedIsNamed(String sql, String millis, boolean named) {
    ObservedCluster cluster = new ObservedCluster();
    cluster.view(Observation.RUNNING, "queryId=a_1; duration=" + millis + "; sql=" + sql);
    assertThat(found(cluster).contains("slow-statements")).isEqualTo(named);
  }

  @Test
  void aSelectIsAtWorkIfOneThreadExecutesItInAllDumps() {
    String thread =
        "\"query-#%d\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat org.h2.X.y(X.java)\n";
    for (int other : new int[] {8, 7}) {
      ObservedCluster cluster =
          new ObservedCluster().dumped(thread.formatted(7), thread.formatted(other));
      cluster.view(Observation.RUNNING, "queryId=a_1; duration=12000; sql=select *");
      assertThat(found(cluster).contains("slow-statements")).isEqualTo(other == 7);
    }
  }

  /** Few executions since the start are a reason neither to leave it out nor to name it twice. */
  @Test
  void aSlowSearchWithoutAnIndexIsFoundThoughItIsRare() {
    String sql = "select * from ORDERS where NOTE = ?";
    ObservedCluster cluster = searched("select * from ORDERS where ID = ?", 50_000, 1);
    for (int executions : new int[] {2, 3}) {
      cluster.views.get(Observation.STATEMENTS).removeIf(each -> each.get("sql").equals(sql));
      execute(cluster, "schemaName=PUBLIC; durationMin=1000; sql=" + sql, 0, executions);
      assertThat(found(cluster).contains("missing-index")).isEqualTo(executions == 3);
      assertThat(found(cluster)).doesNotContain("slow-statements");
    }
  }

  /** Has a statement executed some times before and during the observation. */
  private static void execute(ObservedCluster cluster, String row, int before, int times) {
    cluster
        .views
        .get(Observation.STATEMENTS)
        .addAll(executed(row, before + times).since(executed(row, before)));
  }

  private static Statements executed(String row, int times) {
    Map<String, String> values = ObservedCluster.row(row + "; executions=" + times);
    return new Statements(times == 0 ? List.of() : List.of(new Row("shop", values)), List.of());
  }

  private static ObservedCluster searched(String sql, double rows, int millis) {
    ObservedCluster cluster =
        new ObservedCluster().metric("cache.orders.OffHeapPrimaryEntriesCount", rows, rows);
    table(cluster, "ORDERS", "orders", "_KEY", "ID");
    cluster.view(
        Observation.COLUMNS,
        "tableName=ORDERS; schemaName=PUBLIC; columnName=CUSTOMER; type=java.lang.String");
    for (String columns : List.of("\"_KEY\" ASC", "\"CUSTOMER\" DESC, \"N\" ASC")) {
      cluster.view(Observation.INDEXES, "tableName=ORDERS; schemaName=PUBLIC; columns=" + columns);
    }
    String row = "schemaName=PUBLIC; executions=100; durationTotal=%d; sql=%s";
    cluster.view(Observation.STATEMENTS, row.formatted(millis, sql));
    cluster.view(Observation.STATEMENTS, row.formatted(500, "select 1"));
    return cluster;
  }

  @Test
  void statementsThatNobodyKnowsAreNotHealthy() {
    List<String> ofStatements =
        List.of("sql-literals", "non-collocated-join", "missing-index", "slow-statements");
    ObservedCluster cluster = new ObservedCluster();
    assertThat(report(cluster).healthy()).containsAll(ofStatements);
    cluster.unread.add("shop");
    assertThat(report(cluster).healthy()).doesNotContainAnyElementsOf(ofStatements);
    assertThat(report(cluster).unjudged().get("missing-index").values())
        .containsEntry("clients", Value.names(List.of("shop")));
    ObservedCluster found = searched("select * from ORDERS where NOTE = ?", 50_000, 400);
    found.unread.add("shop");
    assertThat(found(found)).containsExactly("missing-index");
    ObservedCluster forgetful = new ObservedCluster();
    forgetful.configuration.put("SqlConfiguration.SqlQueryHistorySize", "0");
    assertThat(report(forgetful).unjudged()).containsKeys("sql-literals", "missing-index");
  }

  @Test
  void statementsThatDifferInLiteralsAreOne() {
    ObservedCluster cluster = new ObservedCluster();
    for (int i = 0; i < 60; i++) {
      assertThat(found(cluster).contains("sql-literals")).isEqualTo(i >= 50);
      String sql = "select * from T where id = %1$d and n = 'a\'\'%1$d'".formatted(i);
      cluster.view(Observation.STATEMENTS, "sql=" + sql);
    }
    assertThat(found(cluster)).containsExactly("sql-literals");
  }
}
