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
  public static final List<PathDefinition> ALL =
      Stream.of(
              List.of(
                  Put.DEFINITION,
                  PutAsync.DEFINITION,
                  PutAll.DEFINITION,
                  PutAllAsync.DEFINITION,
                  PutAllDoubleBuffer.DEFINITION),
              Streamers.DEFINITIONS,
              List.of(WriterPath.DEFINITION, WriterPath.THIN, ContinuousQueryPath.DEFINITION),
              List.of(Put.THIN, PutAsync.THIN, PutAll.THIN, PutAllAsync.THIN),
              List.of(SqlMerge.ONE, SqlMerge.BATCH, ServerPutAll.ONE, ServerPutAll.ALL),
              List.of(Get.DEFINITION, Get.NEAR, GetAll.DEFINITION, Get.THIN, GetAll.THIN),
              List.of(
                  Scan.DEFINITION,
                  SqlAggregate.DEFINITION,
                  SqlSelect.DEFINITION,
                  Compute.DEFINITION,
                  ComputeByPartition.DEFINITION),
              ReadExisting.DEFINITIONS,
              List.of(Mixed.DEFINITION, Mixed.THIN),
              List.of(Transfer.DEFINITION, Transfer.INVOKE),
              List.of(UpdatePut.DEFINITION, UpdateInvoke.DEFINITION, UpdateInvokeAll.DEFINITION))
          .flatMap(List::stream)
          .toList();

  private AccessPaths() {}

  /**
   * Loads what a trial names beside its record.
   *
   * @throws GridException if a class or file is missing or does not fit
   */
  public static void loadClasses(TrialSpec trial) {
    if (trial.path().equals(Streamers.WITH_RECEIVER)) {
      StreamReceiver<Long, Object> unused = UserReceiver.of(trial.settings());
    } else if (trial.settings().has(QueryFile.SETTING)) {
      List<Query> unused = QueryFile.of(trial.settings());
    }
  }

  /**
   * @throws GridException if there is none of this name
   */
  public static PathDefinition named(String name) {
    return ALL.stream()
        .filter(kind -> kind.description().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new GridException("Ignite has no access path '" + name + "'."));
  }
}
