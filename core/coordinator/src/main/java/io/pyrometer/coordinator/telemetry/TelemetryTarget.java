package io.pyrometer.coordinator.telemetry;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.TelemetryKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A worker process of a trial, as telemetry devices see it.
 *
 * @param process its name, unique in the trial, such as {@code node-0}
 * @param role the plural of its kind, such as {@code nodes} or {@code agents}
 * @param folder on its host in which it may write
 * @param devices the names of those that can record it; empty for all
 * @param send sends a command; the future fails if the process is gone
 * @param time waits for its answers
 */
public record TelemetryTarget(
    String process,
    String role,
    String folder,
    Set<String> devices,
    Function<Command, CompletableFuture<Answer>> send,
    Time time) {
  /** The devices that need no recorder in the process itself. */
  private static final Set<String> FROM_OUTSIDE =
      Set.of(TelemetryKind.GC.id(), TelemetryKind.GRID.id());

  public static List<TelemetryTarget> of(Cluster cluster) {
    return Stream.concat(
            Stream.concat(cluster.nodes().stream(), cluster.agents().stream())
                .map(each -> of(each, cluster.spec().workFolder(each), Set.of())),
            cluster.attached().processes().stream()
                .map(each -> of(each, folder(cluster, each), FROM_OUTSIDE)))
        .toList();
  }

  private static TelemetryTarget of(ManagedProcess process, String folder, Set<String> devices) {
    return new TelemetryTarget(
        process.name(), process.kind() + "s", folder, devices, process::send, process.time());
  }

  /** On the host of the agent that watches the server. */
  private static String folder(Cluster cluster, ManagedProcess attached) {
    String agents = cluster.member().map(cluster.spec()::workFolder).orElse("");
    return agents + "/" + attached.name();
  }

  boolean recordsOn(String device) {
    return devices.isEmpty() || devices.contains(device);
  }
}
