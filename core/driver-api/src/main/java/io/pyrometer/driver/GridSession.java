package io.pyrometer.driver;

import io.pyrometer.load.Records;
import io.pyrometer.protocol.CacheSample;
import io.pyrometer.protocol.GridDescription;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** An agent's connection to the grid; trials follow one another on it. */
public interface GridSession extends AutoCloseable {

  /** Configuration of the session, as it tells of it itself. */
  default Map<String, String> configuration() {
    return Map.of();
  }

  /**
   * Sets a trial up.
   *
   * @param creator whether to make the fresh cache; exactly one agent does, before the others join
   * @throws GridException with one sentence for the user
   */
  TrialSession open(TrialSpec trial, Records records, boolean creator);

  /**
   * Where the clients of trials opened from now on connect instead of the servers' own addresses.
   *
   * @param relays host:port, one before each server; empty for the servers themselves
   * @throws GridException if there are relays and the product's clients cannot go through them
   */
  default void useRelays(List<String> relays) {
    if (!relays.isEmpty()) {
      throw new GridException(
          "Clients of this product cannot use a relay: remove the settings client-….");
    }
  }

  /**
   * Looks at a cache that is in the grid already.
   *
   * @param records how many to look at, at most
   * @throws GridException with one sentence if there is no such cache, or it is empty
   */
  default CacheSample sample(String cache, int records) {
    throw new GridException("This driver cannot look at caches that are in the grid already.");
  }

  /**
   * Describes the grid, without changing anything.
   *
   * @param caches that are to be in it, described first and with the size of their records
   * @param paths whose clients are to be able to connect
   * @throws GridException with one sentence if one of the caches is not there, a client cannot
   *     connect, or the grid does not answer
   */
  default GridDescription describe(List<String> caches, List<String> paths) {
    OptionalInt count = servers();
    return new GridDescription(
        count.isPresent() ? Optional.of(count.getAsInt()) : Optional.empty(),
        Map.of(),
        List.of(),
        0);
  }

  /**
   * Observes the grid and looks for faults, without changing anything.
   *
   * @throws GridException with one sentence if the driver has no checks, or the grid does not
   *     answer
   */
  default HealthReport examine(Duration length) {
    throw new GridException("This driver has no checks of a grid.");
  }

  /**
   * Lets the grid record its own statistics for a while, and looks for faults in them. A recording
   * that was not on before is off afterwards, at the latest when the session is closed.
   *
   * @param folder to be made for copies of the files that nodes on this machine recorded
   * @throws GridException with one sentence if the product records none, or they cannot be read
   */
  default HealthReport examineStatistics(Duration length, String folder) {
    throw new GridException("This driver records no statistics.");
  }

  /**
   * How many servers form the grid at this moment, as this session sees them.
   *
   * @return empty where there are no servers, or the product does not tell
   * @throws GridException if the grid does not answer
   */
  default OptionalInt servers() {
    return OptionalInt.empty();
  }

  /** Room that the servers have at this moment. */
  default GridRoom room() {
    return GridRoom.UNKNOWN;
  }

  /**
   * Looks for what the servers of a grid that goes on tell of themselves; called once at most, and
   * by one agent alone.
   */
  default WatchedServers watch() {
    return WatchedServers.NONE;
  }

  /** The metrics that the product keeps in this process; empty where it keeps none. */
  default Optional<GridMetrics> metrics() {
    return Optional.empty();
  }

  @Override
  default void close() {}
}
