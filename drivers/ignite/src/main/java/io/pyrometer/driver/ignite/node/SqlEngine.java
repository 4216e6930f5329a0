package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.Settings;
import org.apache.ignite.calcite.CalciteQueryEngineConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.indexing.IndexingQueryEngineConfiguration;

/** The SQL engine of a node. The one of H2 is there in any case: it keeps the indexes. */
final class SqlEngine {
  private SqlEngine() {}

  static void configure(IgniteConfiguration configuration, Settings settings) {
    if (settings.get(GridSettings.SQL_ENGINE).equals("calcite")) {
      configuration
          .getSqlConfiguration()
          .setQueryEnginesConfiguration(
              new CalciteQueryEngineConfiguration().setDefault(true),
              new IndexingQueryEngineConfiguration());
    }
  }
}
