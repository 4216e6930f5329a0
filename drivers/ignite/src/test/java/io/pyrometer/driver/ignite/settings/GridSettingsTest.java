package io.pyrometer.driver.ignite.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.IgniteDriver;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.Settings;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guarantees of treatments by declaration. */
class GridSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "get, PRIMARY_SYNC, false, true",
    "get, PRIMARY_SYNC, true, false",
    "get, FULL_SYNC, true, true",
    "near-mixed, PRIMARY_SYNC, false, false",
    "near-mixed, PRIMARY_SYNC, true, false",
    "near-mixed, FULL_SYNC, false, true",
    "near-mixed, FULL_ASYNC, false, false",
  })
  void aNearCacheIsCurrentWhereWritesWaitForAllCopies(
      String path, String synchronisation, boolean readFromBackup, boolean current) {
    Settings settings =
        new Settings(
            Map.of(
                "path", path,
                "synchronisation", synchronisation,
                "read-from-backup", readFromBackup));
    assertThat(
            new IgniteDriver()
                .describe()
                .guarantees(settings, 3)
                .contains(Requirement.NO_STALE_READS))
        .isEqualTo(current);
  }

  @ParameterizedTest
  @CsvSource({"FULL_SYNC, true", "PRIMARY_SYNC, true", "FULL_ASYNC, false"})
  void writesThatNoCopyAcknowledgesAreNotInOrder(String synchronisation, boolean ordered) {
    Settings settings = new Settings(Map.of("path", "put", "synchronisation", synchronisation));
    assertThat(new IgniteDriver().describe().guarantees(settings, 3).contains(Requirement.ORDERED))
        .isEqualTo(ordered);
  }
}
