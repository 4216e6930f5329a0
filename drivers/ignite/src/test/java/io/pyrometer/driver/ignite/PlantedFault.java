package io.pyrometer.driver.ignite;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ignite.cache.query.SqlFieldsQuery;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * A fault that is planted into a cluster of two servers: in their configuration, in the cache, or
 * in how an application uses it.
 *
 * @param name of the check that should find it, or of a cluster without faults, "healthy…"
 * @param properties of the servers' configuration
 * @param flags of their JVMs
 * @param cache changes the application's cache
 * @param load what the application does, again and again; the number of the step is given
 * @param threads of the application
 */
record PlantedFault(
    String name,
    String properties,
    String flags,
    UnaryOperator<CacheConfiguration<Object, Object>> cache,
    Step load,
    int threads) {
  static final String CACHE = "orders";
  private static final int KEYS = 20_000;

  /** One step of one thread of the application. */
  interface Step {
    void run(Application application, long step) throws Exception;
  }

  static final Step NOTHING = (application, step) -> TimeUnit.MILLISECONDS.sleep(100);

  static final Step MIX =
      (application, step) -> {
        Map<Object, Object> some = new TreeMap<>();
        for (int i = 0; i < 50; i++) {
          some.put(key(), value(100));
        }
        application.cache().putAll(some);
        application.cache().getAll(some.keySet());
      };

  static final String JOIN = "select count(*) from ORDERS o join CUSTOMER c on o.CUSTOMER = c.ID";

  /** Adds a row to each of two tables. */
  static void tables(Application application, long step, String properties) {
    if (step < 4) {
      for (String table : List.of("ORDERS", "CUSTOMER")) {
        application.sql(
            "create table if not exists %s (ID int, CUSTOMER int, NOTE int, primary key (ID, CUSTOMER)) with \"backups=1%s\""
                .formatted(table, properties));
      }
    }
    for (String table : List.of("ORDERS", "CUSTOMER")) {
      application.sql(
          "merge into %s (ID, CUSTOMER, NOTE) values (?, ?, ?)".formatted(table),
          (int) (step % 500),
          (int) (step % 50),
          1);
    }
  }

  /** Fills a table, and then searches it by a column without index. */
  static void search(Application application, long step, Consumer<SqlFieldsQuery> searching) {
    if (step < 4) {
      application.sql(
          "create table if not exists ITEMS (ID int primary key, CUSTOMER int) with \"backups=1\"");
    }
    if (step < 24) {
      application.sql(
          "merge into ITEMS (ID, CUSTOMER) values "
              + IntStream.range(0, 500)
                  .mapToObj(i -> "(%d, %d)".formatted(step * 500 + i, i))
                  .collect(Collectors.joining(", ")));
    } else {
      searching.accept(
          new SqlFieldsQuery("select ID from ITEMS where CUSTOMER = ?")
              .setArgs((int) (step % 500)));
    }
  }

  static void fill(Application application, long step, int records) {
    Map<Object, Object> some = new TreeMap<>();
    for (long i = 0; i < records; i++) {
      some.put(step * records + i, value(1_000));
    }
    application.cache().putAll(some);
  }

  static String region(int megabytes, String properties) {
    return storage("", megabytes, properties);
  }

  static String persistent(int megabytes, String storage, String region) {
    return storage(
        "<property name=\"metricsEnabled\" value=\"true\"/>" + storage,
        megabytes,
        "<property name=\"persistenceEnabled\" value=\"true\"/>" + region);
  }

  private static String storage(String storage, int megabytes, String region) {
    return """
        <property name="dataStorageConfiguration">
          <bean class="org.apache.ignite.configuration.DataStorageConfiguration">
            %s
            <property name="defaultDataRegionConfiguration">
              <bean class="org.apache.ignite.configuration.DataRegionConfiguration">
                <property name="maxSize" value="%d"/>
                <property name="initialSize" value="%d"/>
                %s
              </bean>
            </property>
          </bean>
        </property>
        """
        .formatted(storage, (long) megabytes << 20, Math.min(64L, megabytes) << 20, region);
  }

  static String ownClasses() {
    String path = System.getProperty("java.class.path");
    return "-cp " + path;
  }

  static Object key() {
    return (long) ThreadLocalRandom.current().nextInt(KEYS);
  }

  static Set<Object> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> key()).collect(Collectors.toSet());
  }

  static String value(int length) {
    return "x".repeat(length);
  }

  /** Long enough for what is called long, and for transactions to be seen. */
  java.time.Duration observed(java.time.Duration usual) {
    return switch (name) {
      case "long-transactions" -> java.time.Duration.ofSeconds(13);
      case "transactional-single-writes" -> java.time.Duration.ofSeconds(20);
      default -> usual;
    };
  }

  /** How many steps each thread makes before the cluster is observed. */
  int before() {
    return switch (name) {
      case "missing-index" -> 7;
      case "non-collocated-join", "healthy-sql", "healthy-distributed-joins" -> 2;
      case "uneven-load", "striped-pool", "hot-stripe", "skipped-keys" -> 100;
      default -> 0;
    };
  }

  boolean healthy() {
    return name.startsWith("healthy");
  }

  @Override
  public String toString() {
    return name;
  }
}
