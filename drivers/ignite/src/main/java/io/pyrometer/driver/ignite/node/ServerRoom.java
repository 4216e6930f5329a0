package io.pyrometer.driver.ignite.node;

import io.pyrometer.driver.GridRoom;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.IgniteNodeAttributes;

/**
 * The room in the default data regions of a grid's servers, which need no class of Pyrometer's for
 * it: their configuration is an attribute of each node, and a task of Ignite's own reads what is
 * used.
 */
public final class ServerRoom {
  /** Prefix of the registries of data regions. */
  static final String REGISTRY = "io.dataregion.";

  private ServerRoom() {}

  /** Room of all servers, without what a server of another version does not report. */
  public static GridRoom of(Ignite ignite) {
    Collection<ClusterNode> servers = ignite.cluster().forServers().nodes();
    OptionalLong heap =
        servers.stream().mapToLong(server -> server.metrics().getHeapMemoryMaximum()).min();
    long free = 0;
    for (ClusterNode server : servers) {
      OptionalLong own = free(ignite, server);
      if (own.isEmpty()) {
        return new GridRoom(own, heap);
      }
      free += own.getAsLong();
    }
    return new GridRoom(OptionalLong.of(free), heap);
  }

  private static OptionalLong free(Ignite ignite, ClusterNode server) {
    Optional<DataStorageConfiguration> storage = storage(ignite, server);
    if (storage.isEmpty()) {
      return OptionalLong.empty();
    }
    DataRegionConfiguration region = storage.get().getDefaultDataRegionConfiguration();
    try {
      String used = REGISTRY + region.getName() + ".TotalUsedSize";
      return !region.isPersistenceEnabled()
              && new ServerMetrics(ignite, server).values(used).get(used) instanceof Number bytes
          ? OptionalLong.of(region.getMaxSize() - bytes.longValue())
          : OptionalLong.empty();
    } catch (IgniteException | LinkageError otherVersion) {
      return OptionalLong.empty();
    }
  }

  /** The memory and storage of a server; empty where one of another version does not tell. */
  public static Optional<DataStorageConfiguration> storage(Ignite ignite, ClusterNode server) {
    byte[] bytes = server.attribute(IgniteNodeAttributes.ATTR_DATA_STORAGE_CONFIG);
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ((IgniteEx) ignite).context().marshallerContext().jdkMarshaller().unmarshal(bytes, null));
    } catch (IgniteCheckedException otherVersion) {
      return Optional.empty();
    }
  }

  /** All regions that hold data of caches, the default one first. */
  public static Stream<DataRegionConfiguration> regions(DataStorageConfiguration storage) {
    return Stream.concat(
        Stream.of(storage.getDefaultDataRegionConfiguration()),
        storage.getDataRegionConfigurations() == null
            ? Stream.of()
            : Stream.of(storage.getDataRegionConfigurations()));
  }
}
