package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;

/**
 * A driver as the coordinator knows it, which never loads the driver's classes.
 *
 * @param capabilities what grids of this product can do here: {@code nodes}, {@code attach}, {@code
 *     config} …
 * @param jvmFlags what node and agent JVMs need, by the JDK's feature version
 * @param settings those that hold for every path of the driver
 * @param memory what a server process needs beside its heap, added up
 */
public record DriverDescription(
    String name,
    String product,
    String version,
    String summary,
    List<String> capabilities,
    List<JvmFlags> jvmFlags,
    List<SettingDescription> settings,
    List<PathDescription> paths,
    List<MemoryNeed> memory) {

  /** Runs of older versions describe no memory. */
  public DriverDescription {
    memory = memory == null ? List.of() : List.copyOf(memory);
  }

  /** Flags needed from a JDK's feature version on. */
  public record JvmFlags(int fromJdk, List<String> flags) {}

  /**
   * A part of the memory that a server process needs.
   *
   * @param setting name of the setting that it follows, in bytes
   * @param share of that setting, 0…1 or more
   * @param atLeast bytes, but never more than the setting's value
   * @param when name of the flag without which the part is not needed; empty for always
   */
  public record MemoryNeed(String setting, double share, long atLeast, Optional<String> when) {

    /** The whole of a setting. */
    public static MemoryNeed of(String setting) {
      return new MemoryNeed(setting, 1, 0, Optional.empty());
    }

    private long bytes(Settings settings) {
      boolean needed = when.map(flag -> settings.has(flag) && settings.flag(flag)).orElse(true);
      if (!needed || !settings.has(setting)) {
        return 0;
      }
      long whole = settings.number(setting);
      return Math.max(Math.min(whole, atLeast), (long) (whole * share));
    }
  }

  /** Bytes that a server process needs beside its JVM's heap, with these complete settings. */
  public long serverMemory(Settings complete) {
    return memory.stream().mapToLong(need -> need.bytes(complete)).sum();
  }

  /** Whether grids of this product have server nodes that Pyrometer can start. */
  public boolean startsServers() {
    return capabilities.contains("nodes");
  }

  /** The path of this name; empty if the driver has none. */
  public Optional<PathDescription> path(String name) {
    return paths.stream().filter(path -> path.name().equals(name)).findFirst();
  }
}
