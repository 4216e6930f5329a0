package io.pyrometer.coordinator.telemetry;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A worker process of a trial, as telemetry devices see it.
 *
 * @param process its name, unique in the trial, such as {@code node-0}
 * @param role the plural of its kind, such as {@code nodes} or {@code agents}
 * @param folder on its host in which it may write
 * @param send sends a command; the future fails if the process is gone
 * @param time waits for its answers
 */
public record TelemetryTarget(
    String process,
    String role,
    String folder,
    Function<Command, CompletableFuture<Answer>> send,
    Time time) {

  /** The nodes and agents of a cluster. */
  public static List<TelemetryTarget> of(Cluster cluster) {
    return Stream.concat(cluster.nodes().stream(), cluster.agents().stream())
        .map(
            process ->
                new TelemetryTarget(
                    process.name(),
                    process.kind() + "s",
                    cluster.spec().workFolder(process),
                    process::send,
                    process.time()))
        .toList();
  }
}
