package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.AccessPath;
import io.pyrometer.load.Lane;
import io.pyrometer.protocol.PathDescription;

/**
 * A kind of access path: what it is, and how it is opened for a load thread.
 *
 * @param sql whether the cache must be one that SQL can query
 */
public record Kind(PathDescription description, Opening opening, boolean sql) {

  /** Opens a path for one load thread. */
  @FunctionalInterface
  public interface Opening {
    AccessPath open(Surroundings surroundings, Lane lane);
  }

  Kind(PathDescription description, Opening opening) {
    this(description, opening, false);
  }
}
