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
 * @param operations under which its calls are recorded, unless the settings mix others; empty where
 *     only a trial can tell
 */
public record PathDescription(
    String name,
    Job job,
    boolean plainest,
    String summary,
    Optional<Guarantee> guarantee,
    List<SettingDescription> settings,
    boolean onServers,
    List<String> operations) {

  /** A path whose classes stay in the client, and whose calls have its own name. */
  public PathDescription(
      String name,
      Job job,
      boolean plainest,
      String summary,
      Optional<Guarantee> guarantee,
      List<SettingDescription> settings) {
    this(name, job, plainest, summary, guarantee, settings, false, List.of(name));
  }

  /** The guarantee with a trial's settings: a mix with batches writes none as a whole. */
  public Optional<Guarantee> guarantee(Settings trial) {
    boolean batches =
        trial.find(PathSettings.MIX).filter(mix -> mix.byName().containsKey("put-all")).isPresent();
    return batches
        ? guarantee.map(one -> new Guarantee(one.overwrites(), one.ordered(), one.durable(), false))
        : guarantee;
  }

  /** The operations as which the calls of a trial are recorded; empty where only it can tell. */
  public List<String> operations(Settings trial) {
    return trial
        .find(PathSettings.MIX)
        .map(mix -> List.copyOf(mix.byName().keySet()))
        .orElse(operations);
  }
}
