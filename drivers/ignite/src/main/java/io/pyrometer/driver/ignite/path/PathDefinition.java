package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.LoadThread;
import io.pyrometer.protocol.PathDescription;

/**
 * A kind of access path: what it is, and how it is opened for a load thread.
 *
 * @param cache what it asks of its trial's cache
 */
public record PathDefinition(PathDescription description, Opening opening, Cache cache) {

  /** What the path asks of its trial's cache. */
  public enum Cache {
    ANY,
    /** SQL can query it. */
    SQL,
    /** The same by names without quotes, with the key as {@code id} and a table of details. */
    TABLES,
    /** Clients keep what they fetched. */
    NEAR,
    /** It is not Pyrometer's: nothing is created, filled, changed or removed. */
    EXISTING;

    /** Whether it is Pyrometer's own, which a trial may create, fill, change and remove. */
    public boolean isOurs() {
      return this != EXISTING;
    }
  }

  /** Opens a path for one load thread. */
  @FunctionalInterface
  public interface Opening {
    AccessPath open(PathContext context, LoadThread lane);
  }

  PathDefinition(PathDescription description, Opening opening) {
    this(description, opening, Cache.ANY);
  }
}
