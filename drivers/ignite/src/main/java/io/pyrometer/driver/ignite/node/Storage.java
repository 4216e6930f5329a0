package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TelemetryKind;
import java.nio.file.Path;
import org.apache.ignite.configuration.DataPageEvictionMode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.SystemDataRegionConfiguration;
import org.apache.ignite.configuration.WALMode;

/** The memory of a server node, and its files where the data outlive the process. */
final class Storage {
  private static final long MIB = 1 << 20;

  private Storage() {}

  static DataStorageConfiguration of(Settings settings, String workFolder) {
    long region = settings.get(GridSettings.REGION);
    boolean persistent = settings.get(GridSettings.PERSISTENCE);
    DataStorageConfiguration storage =
        new DataStorageConfiguration()
            .setSystemDataRegionConfiguration(
                new SystemDataRegionConfiguration().setInitialSize(10 * MIB).setMaxSize(64 * MIB))
            .setDefaultDataRegionConfiguration(
                new DataRegionConfiguration()
                    .setName("default")
                    .setInitialSize(Math.min(region, 64 * MIB))
                    .setMaxSize(region)
                    .setPageEvictionMode(
                        DataPageEvictionMode.valueOf(settings.get(GridSettings.PAGE_EVICTION)))
                    .setPersistenceEnabled(persistent));
    return persistent ? files(storage, settings, Path.of(workFolder).toAbsolutePath()) : storage;
  }

  @SuppressWarnings("deprecation") // nothing else switches the metrics of checkpoints
  private static DataStorageConfiguration files(
      DataStorageConfiguration storage, Settings settings, Path folder) {
    return storage
        .setMetricsEnabled(settings.get(CoreSettings.TELEMETRY).contains(TelemetryKind.GRID.id()))
        .setWalMode(WALMode.valueOf(settings.get(GridSettings.WAL_MODE)))
        .setWalSegments(settings.get(GridSettings.WAL_SEGMENTS))
        .setStoragePath(folder.resolve("storage").toString())
        .setWalPath(folder.resolve("wal").toString())
        .setWalArchivePath(folder.resolve("wal-archive").toString());
  }
}
