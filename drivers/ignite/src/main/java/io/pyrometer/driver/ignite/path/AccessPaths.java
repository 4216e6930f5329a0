package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.GridException;
import io.pyrometer.driver.ignite.sql.Query;
import io.pyrometer.driver.ignite.sql.QueryFile;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ignite.stream.StreamReceiver;

/** Every access path of the driver. */
public final class AccessPaths {
  public static final List<IgnitePath> ALL =
      Stream.of(
              CachePaths.WRITES,
              Streamers.DEFINITIONS,
              WriterPaths.DEFINITIONS,
              List.of(ContinuousQueryPath.DEFINITION),
              List.of(ServerPutAll.ONE, ServerPutAll.ALL),
              SqlPaths.DEFINITIONS,
              CachePaths.READS,
              ReadExisting.DEFINITIONS,
              CachePaths.MIXES,
              ChangePaths.DEFINITIONS)
          .flatMap(List::stream)
          .toList();

  private AccessPaths() {}

  /**
   * Loads what a trial names besides its record.
   *
   * @throws GridException if a class or file is missing or does not fit
   */
  public static void loadClasses(TrialSpec trial) {
    if (trial.path().equals(Streamers.WITH_RECEIVER)) {
      StreamReceiver<Long, Object> unused = Streamers.receiver(trial.settings());
    } else if (trial.settings().has(QueryFile.SETTING)) {
      List<Query> unused = QueryFile.of(trial.settings());
    }
  }

  /**
   * Finds a path by its name.
   *
   * @throws GridException if there is none
   */
  public static IgnitePath named(String name) {
    return ALL.stream()
        .filter(path -> path.description().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new GridException("Ignite has no access path '" + name + "'."));
  }
}
