package io.pyrometer.driver.ignite.node;

import io.pyrometer.protocol.Settings;
import org.apache.ignite.calcite.CalciteQueryEngineConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.indexing.IndexingQueryEngineConfiguration;

/** The SQL engine of a node. The one of H2 is there in any case: it keeps the indexes. */
final class SqlEngine {
  private static final String SETTING = "sql-engine";

  private SqlEngine() {}

  static void configure(IgniteConfiguration configuration, Settings settings) {
    if (settings.has(SETTING) && settings.text(SETTING).equals("calcite")) {
      configuration
          .getSqlConfiguration()
          .setQueryEnginesConfiguration(
              new CalciteQueryEngineConfiguration().setDefault(true),
              new IndexingQueryEngineConfiguration());
    }
  }
}
