package io.pyrometer.driver;

import java.util.OptionalLong;

/**
 * Room that the servers of a grid have, as far as the product tells.
 *
 * @param freeBytes what all servers together can still store, every copy counted; empty where
 *     nothing bounds it, such as with data on disk
 * @param heapBytes the largest heap of the server that has the smallest; empty for a server that is
 *     no JVM
 */
public record GridRoom(OptionalLong freeBytes, OptionalLong heapBytes) {

  /** Value for a product that does not tell. */
  public static final GridRoom UNKNOWN = new GridRoom(OptionalLong.empty(), OptionalLong.empty());
}
