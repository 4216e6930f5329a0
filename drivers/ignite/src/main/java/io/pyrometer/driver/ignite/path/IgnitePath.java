package io.pyrometer.driver.ignite.path;

import io.pyrometer.driver.FunctionPath;
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

  /** Operations have no name of the kind of client, whose cache it reads or the way of waiting. */
  public IgnitePath {
    description =
        description.recordedAs(
            description.operations().stream()
                .map(name -> name.replaceFirst("^(thin-)?(near-|existing-)?", ""))
                .map(name -> name.replaceFirst("-async$", ""))
                .toArray(String[]::new));
  }

  IgnitePath(PathDescription description, Function<IgniteTrial, FunctionPath> opening) {
    this(description, opening, Cache.ANY);
  }
}
