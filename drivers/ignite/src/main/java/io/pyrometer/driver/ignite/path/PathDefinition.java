package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.AccessPath;
import io.pyrometer.protocol.PathDescription;
import java.util.function.Function;

/**
 * A kind of access path: what it is, and how it is opened for a load thread.
 *
 * @param cache what it asks of its trial's cache
 */
public record PathDefinition(
    PathDescription description, Function<PathContext, AccessPath> opening, Cache cache) {

  /** What a path asks of its trial's cache. */
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

  PathDefinition(PathDescription description, Function<PathContext, AccessPath> opening) {
    this(description, opening, Cache.ANY);
  }
}
