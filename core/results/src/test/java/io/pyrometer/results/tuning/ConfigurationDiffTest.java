package io.pyrometer.results.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.results.tuning.TuningResult.ConfigurationDiff;
import io.pyrometer.results.tuning.TuningResult.ConfigurationDiff.Change;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigurationDiffTest {
  @Test
  void settingsStandWhereTheFileHasThemAndOptionsHaveTheProductsNames() {
    SettingDescription page =
        SettingDescription.property("properties.a.pageSize", Optional.empty());
    ConfigurationDiff diff =
        new ConfigurationDiff(
            List.of(
                new Change(CoreSettings.THREADS.description(), "1", "4"),
                new Change(page, "default", "8192")));
    assertThat(diff.yaml())
        .isEqualTo(
            """
             grid:
            -  # properties.a.pageSize: default
            +  properties.a.pageSize: 8192
             workload:
            -  # threads: 1
            +  threads: 4""");
  }
}
