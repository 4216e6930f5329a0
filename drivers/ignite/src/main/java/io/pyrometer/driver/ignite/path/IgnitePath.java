package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
import io.pyrometer.driver.ignite.settings.GridSettings;
import io.pyrometer.protocol.PathDescription;
import java.util.function.Function;

/**
 * An access path in one declaration: what it is, how a trial opens it for a load thread, and what
 * it needs of the trial's cache.
 */
public record IgnitePath(
    PathDescription description, Function<IgniteTrial, FunctionPath> opening, Cache cache) {

  /** Kind of cache that a path needs. */
  public enum Cache {
    ANY,
    /** SQL can query it. */
    SQL,
    /** Tables with names without quotes, with the key as {@code id} and a table of details. */
    TABLES,
    /** Clients keep what they fetched. */
    NEAR,
    /** It is not Pyrometer's: nothing is created, filled, changed or removed. */
    EXISTING;

    /** Returns whether it is Pyrometer's own, which a trial may create, fill, change and remove. */
    public boolean isOurs() {
      return this != EXISTING;
    }
  }

  /** A path as the driver declares it, on any cache. */
  IgnitePath(String name, Function<IgniteTrial, FunctionPath> opening) {
    this(GridSettings.DECLARED.path(name), opening, Cache.ANY);
  }

  /** Path that needs a cache of this kind. */
  IgnitePath on(Cache needed) {
    return new IgnitePath(description, opening, needed);
  }
}
