package io.pyrometer.driver.ignite.settings;

import io.pyrometer.driver.Declarations;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.SettingKey;
import org.apache.ignite.internal.IgniteProperties;

/** The settings that hold for every path: of the nodes' processes, and of a trial's cache. */
public final class GridSettings {
  public static final Declarations DECLARED =
      Declarations.beside(GridSettings.class, IgniteProperties.get("ignite.version"));

  public static final SettingKey<String> PRODUCT_VERSION =
      DECLARED.text(DriverDescription.PRODUCT_VERSION);
  public static final SettingKey<Long> REGION = DECLARED.bytes("region");
  public static final SettingKey<Boolean> PERSISTENCE = DECLARED.flag("persistence");
  public static final SettingKey<String> ATOMICITY = DECLARED.text("atomicity");
  public static final SettingKey<String> CONCURRENCY = DECLARED.text("concurrency");
  public static final SettingKey<String> ISOLATION = DECLARED.text("isolation");
  public static final SettingKey<Double> TRANSACTION_TIMEOUT =
      DECLARED.seconds("transaction-timeout");
  public static final SettingKey<Integer> BACKUPS = DECLARED.integer("backups");
  public static final SettingKey<Integer> PARTITIONS = DECLARED.integer("partitions");
  public static final SettingKey<String> SQL = DECLARED.text("sql");
  public static final SettingKey<Integer> INDEXES = DECLARED.integer("indexes");
  public static final SettingKey<Double> TTL = DECLARED.seconds("ttl");
  public static final SettingKey<Integer> ON_HEAP_ENTRIES = DECLARED.integer("on-heap-entries");
  public static final SettingKey<String> PAGE_EVICTION = DECLARED.text("page-eviction");
  public static final SettingKey<String> SQL_ENGINE = DECLARED.text("sql-engine");
  public static final SettingKey<String> JMX = DECLARED.text("jmx");
  public static final SettingKey<String> JMX_ACCESS = DECLARED.text("jmx-access");
  public static final SettingKey<String> GC_LOGS = DECLARED.text("gc-logs");
  public static final SettingKey<String> VALUE_FORM = DECLARED.text("value-form");

  private GridSettings() {}
}
