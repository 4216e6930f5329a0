package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.GridException;
import java.util.List;
import java.util.stream.Stream;

/** Every access path of the driver. */
public final class Paths {
  public static final List<Kind> ALL =
      Stream.of(
              List.of(Put.KIND, PutAsync.KIND, PutAll.KIND, PutAllAsync.KIND),
              Streamers.KINDS,
              List.of(Writer.KIND, Writer.THIN),
              List.of(Put.THIN, PutAsync.THIN, PutAll.THIN, PutAllAsync.THIN),
              List.of(SqlMerge.ONE, SqlMerge.BATCH, ServerPutAll.ONE, ServerPutAll.ALL),
              List.of(Get.KIND, Get.NEAR, GetAll.KIND, Get.THIN, GetAll.THIN),
              List.of(Scan.KIND, SqlAggregate.KIND, Compute.KIND, ComputeByPartition.KIND),
              List.of(Mixed.KIND, Mixed.THIN),
              List.of(UpdatePut.KIND, UpdateInvoke.KIND, UpdateInvokeAll.KIND))
          .flatMap(List::stream)
          .toList();

  private Paths() {}

  /**
   * @throws GridException if there is none of this name
   */
  public static Kind named(String name) {
    return ALL.stream()
        .filter(kind -> kind.description().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new GridException("Ignite has no access path '" + name + "'."));
  }
}
