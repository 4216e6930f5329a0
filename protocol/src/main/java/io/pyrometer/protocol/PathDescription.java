package io.pyrometer.protocol;

import java.util.List;
import java.util.Optional;

/**
 * An access path as its driver describes it.
 *
 * @param plainest the path that others of its job are compared with
 * @param guarantee for paths that write
 * @param settings those that this path alone understands, with the path's own initial values
 */
public record PathDescription(
    String name,
    Job job,
    boolean plainest,
    String summary,
    Optional<Guarantee> guarantee,
    List<SettingDescription> settings) {}
