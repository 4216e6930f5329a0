package io.pyrometer.driver;

import io.pyrometer.protocol.Answer;
import java.util.List;
import java.util.Optional;

/**
 * The servers of a grid that Pyrometer did not start, as a session watches them from outside.
 *
 * @param servers in an order that lasts; empty where the product tells nothing of them
 * @param unknownUsage one sentence that says why what they use is not known; empty where each tells
 */
public record WatchedServers(List<WatchedServer> servers, Optional<String> unknownUsage) {
  public static final WatchedServers NONE =
      new WatchedServers(List.of(), Optional.of("the driver does not watch servers of others."));

  /** One of them. */
  public interface WatchedServer {

    /**
     * Resources that its process has used since it started, as far as it tells; no figure but CPU
     * time, time of collections, time since its start and processors is required.
     *
     * @throws GridException with one sentence if it does not answer
     */
    Answer.Used usage();

    /**
     * The process whose counters on the machine of this session say what it uses, in place of
     * {@link #usage()}; empty where the product tells, or the process is elsewhere.
     */
    default Optional<Long> processId() {
      return Optional.empty();
    }

    /**
     * Name that the servers of one machine have in common; empty for the machine of this session.
     */
    Optional<String> host();

    /**
     * The garbage collections since its start.
     *
     * @throws GridException with one sentence if it does not answer
     */
    Collections collections();

    /** The metrics that the product keeps in it. */
    GridMetrics metrics();
  }

  /**
   * Garbage collections.
   *
   * @param count of pauses
   * @param seconds that they took together
   */
  public record Collections(long count, double seconds) {}
}
