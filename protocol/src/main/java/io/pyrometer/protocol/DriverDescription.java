package io.pyrometer.protocol;

import java.util.List;

/**
 * A driver as the coordinator knows it, which never loads the driver's classes.
 *
 * @param capabilities what grids of this product can do here: {@code nodes}, {@code attach}, {@code
 *     config} …
 * @param jvmFlags what node and agent JVMs need, by the JDK's feature version
 * @param settings those that hold for every path of the driver
 */
public record DriverDescription(
    String name,
    String product,
    String version,
    String summary,
    List<String> capabilities,
    List<JvmFlags> jvmFlags,
    List<SettingDescription> settings,
    List<PathDescription> paths) {

  /** Flags needed from a JDK's feature version on. */
  public record JvmFlags(int fromJdk, List<String> flags) {}
}
