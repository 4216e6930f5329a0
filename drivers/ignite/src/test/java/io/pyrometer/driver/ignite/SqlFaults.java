package io.pyrometer.driver.ignite;

import static io.pyrometer.driver.ignite.PlantedFault.region;

import io.pyrometer.driver.ignite.PlantedFault.Servers;
import io.pyrometer.driver.ignite.PlantedFault.Setup;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Faults of tables and statements. */
final class SqlFaults {
  private static final int ITEMS = 30_000;
  private static final int TOWNS = 200;

  private SqlFaults() {}

  /** The servers do not know the statements of a thick client. */
  static final PlantedFault THICK_SEARCH =
      search("search by a thick client, whose statements no server knows", "")
          .load(
              (application, step) -> {
                application.sqlOfNode("select ID from ITEMS where CUSTOMER = ?", customer(step));
                TimeUnit.MILLISECONDS.sleep(10);
              });

  static final List<PlantedFault> ALL =
      List.of(
          search("search of a column without index by thin clients", "")
              .load(
                  (application, step) -> {
                    application.sql("select ID from ITEMS where CUSTOMER = ?", customer(step));
                    TimeUnit.MILLISECONDS.sleep(10);
                  }),
          THICK_SEARCH,
          byJdbc(
              "a function of an indexed column, by JDBC",
              "create index BY_CUSTOMER on ITEMS (CUSTOMER)",
              "select ID from ITEMS where upper(CUSTOMER) = upper(?)"),
          byJdbc(
              "UPDATE by a column without index, by JDBC",
              "",
              "update ITEMS set PRICE = PRICE + 1 where CUSTOMER = ?"),
          PlantedFault.of("slow-statements", "a query of all rows in their order, by JDBC")
              .setup(items(""))
              .load(
                  (application, step) -> {
                    application.jdbc(2, "select ID, CUSTOMER from ITEMS order by PRICE, CODE");
                    TimeUnit.MILLISECONDS.sleep(10);
                  }),
          join("join of tables without affinity key")
              .load(
                  (application, step) ->
                      application.expect(
                          5 * TOWNS, "select count(*) from PERSON p join TOWN t on p.TOWN = t.ID")),
          PlantedFault.of("sql-literals", "statements that differ only in their literals, by JDBC")
              .setup(SqlFaults::items)
              .load(
                  (application, step) ->
                      application.jdbc(2, "select PRICE from ITEMS where ID = " + step % ITEMS)),
          PlantedFault.of("thread-pools", "query pool of two threads under long queries")
              .servers(
                  Servers.of(
                      region(512, "") + "<property name=\"queryThreadPoolSize\" value=\"2\"/>"))
              .setup(items(""))
              .load(
                  (application, step) -> {
                    if (step % 2 == 0) {
                      application.sqlOfNode(
                          "select PRICE, count(*), max(CUSTOMER) from ITEMS group by PRICE");
                    } else {
                      application.sqlOfNode(
                          "select CUSTOMER from ITEMS where ID = ?", (int) (step % ITEMS));
                    }
                  })
              .threads(12));

  private static PlantedFault search(String planted, String index) {
    return PlantedFault.of("missing-index", planted).setup(items(index));
  }

  private static PlantedFault byJdbc(String planted, String index, String statement) {
    return search(planted, index)
        .load(
            (application, step) -> {
              application.jdbc(2, statement, customer(step));
              TimeUnit.MILLISECONDS.sleep(10);
            });
  }

  private static PlantedFault join(String planted) {
    return PlantedFault.of("non-collocated-join", planted)
        .setup(application -> towns(application, ""));
  }

  static String customer(long step) {
    return "customer " + step % (ITEMS / 10);
  }

  static void items(Application application) throws SQLException {
    application.sqlOfNode(
        "create table ITEMS (ID int primary key, CUSTOMER varchar, CODE varchar, PRICE int)"
            + " with \"backups=1\"");
    application.insert(
        "insert into ITEMS (ID, CUSTOMER, CODE, PRICE) values (?, ?, ?, ?)",
        ITEMS,
        id -> new Object[] {id, customer(id), "" + id, id % 1_000});
  }

  static Setup items(String index) {
    return application -> {
      items(application);
      if (!index.isEmpty()) {
        application.sqlOfNode(index);
      }
    };
  }

  /** Creates 200 towns with five persons each. */
  static void towns(Application application, String properties) throws SQLException {
    application.sqlOfNode(
        "create table TOWN (ID int primary key, NAME varchar) with \"backups=1\"");
    application.sqlOfNode(
        "create table PERSON (ID int, TOWN int, AGE int, primary key (ID, TOWN)) with \"backups=1%s\""
            .formatted(properties));
    application.insert(
        "insert into TOWN (ID, NAME) values (?, ?)", TOWNS, id -> new Object[] {id, "town " + id});
    application.insert(
        "insert into PERSON (ID, TOWN, AGE) values (?, ?, ?)",
        5 * TOWNS,
        id -> new Object[] {id, id % TOWNS, id % 90});
  }
}
