package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;

/**
 * An access path as its driver describes it.
 *
 * @param plainest the path that others of its job are compared with
 * @param guarantee for paths that write
 * @param settings those that this path alone understands, with the path's own initial values
 * @param onServers whether servers must have Pyrometer's classes, as those have that it starts
 */
public record PathDescription(
    String name,
    Job job,
    boolean plainest,
    String summary,
    Optional<Guarantee> guarantee,
    List<SettingDescription> settings,
    boolean onServers) {

  /** A path whose classes stay in the client. */
  public PathDescription(
      String name,
      Job job,
      boolean plainest,
      String summary,
      Optional<Guarantee> guarantee,
      List<SettingDescription> settings) {
    this(name, job, plainest, summary, guarantee, settings, false);
  }

  /** The same path as one that sends objects of Pyrometer's classes to the servers. */
  public PathDescription sendingClasses() {
    return new PathDescription(name, job, plainest, summary, guarantee, settings, true);
  }
}
