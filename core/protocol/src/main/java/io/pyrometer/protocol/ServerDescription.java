package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;

/**
 * How the servers of a product are started, as far as the coordinator has to know.
 *
 * @param nativeProcess whether a server is a process of its own that the worker's JVM starts and
 *     supervises; otherwise the server runs in the worker's JVM
 * @param ports the purpose of each port that a server needs, in the order in which the driver is
 *     given them; other servers find a server at its first port
 * @param startSeconds the longest time that one server may take to start
 * @param joinSeconds the longest time that started servers may take to form one grid
 * @param memory what a server needs beside the heap of the worker's JVM; the needs are added up
 * @param failOverSeconds how long clients may take to go on after a server was killed; the probe
 *     that kills one waits so long before it ends the writing
 * @param storage what bounds the records that one server holds; empty if nothing does
 */
public record ServerDescription(
    boolean nativeProcess,
    List<String> ports,
    double startSeconds,
    double joinSeconds,
    List<MemoryNeed> memory,
    double failOverSeconds,
    Optional<StorageLimit> storage) {

  /** How long clients of most products may take to go on after a server was killed. */
  public static final double USUAL_FAIL_OVER_SECONDS = 4;

  /**
   * A bound of the records of one server.
   *
   * @param setting in bytes
   * @param unless settings that lift the bound where they have another value than their default
   */
  public record StorageLimit(String setting, List<String> unless) {}

  /** The heap of a JVM that only supervises a native server. */
  public static final long SUPERVISOR_HEAP = 64L << 20;

  /** The description of products that start no servers, such as local caches. */
  public static final ServerDescription NO_PORTS =
      new ServerDescription(
          false, List.of(), 80, 60, List.of(), USUAL_FAIL_OVER_SECONDS, Optional.empty());

  /**
   * The heap of the worker's JVM in bytes.
   *
   * @param serverHeap the heap asked for where the server runs in that JVM
   */
  public long heapBytes(long serverHeap) {
    return nativeProcess ? SUPERVISOR_HEAP : serverHeap;
  }

  /** The bytes that one server needs beside the heap of the worker's JVM. */
  public long memoryBytes(Settings settings) {
    return memory.stream().mapToLong(need -> need.bytes(settings)).sum();
  }

  /**
   * Memory in proportion to a setting. A setting that is absent needs none.
   *
   * @param setting a setting in bytes
   * @param share of the setting's value
   * @param least bytes that are needed even where the share is less, though never more than the
   *     setting's value
   * @param onlyWith a flag without which nothing is needed; empty for always
   */
  public record MemoryNeed(String setting, double share, long least, Optional<String> onlyWith) {

    long bytes(Settings settings) {
      boolean off = onlyWith.isPresent() && !isOn(settings, onlyWith.get());
      if (off || !settings.has(setting)) {
        return 0;
      }
      long value = settings.number(setting);
      return Math.max(Math.min(value, least), (long) (share * value));
    }

    private static boolean isOn(Settings settings, String flag) {
      return settings.has(flag) && settings.flag(flag);
    }
  }
}
