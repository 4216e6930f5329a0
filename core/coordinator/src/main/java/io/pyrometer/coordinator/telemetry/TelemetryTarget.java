package io.pyrometer.coordinator.telemetry;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.process.ManagedProcess;
import io.pyrometer.protocol.TelemetryKind;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A worker process of a trial, as telemetry devices see it.
 *
 * @param folder on its host in which it may write
 * @param devices the names of those that can record it; empty for all
 */
public record TelemetryTarget(ManagedProcess worker, String folder, Set<String> devices) {
  /** The devices that need no recorder in the process itself. */
  private static final Set<String> FROM_OUTSIDE =
      Set.of(TelemetryKind.GC.id(), TelemetryKind.GRID.id());

  public static List<TelemetryTarget> of(Cluster cluster) {
    // A server of others is recorded on the host of the agent that watches it.
    String watching = cluster.member().map(cluster.spec()::workFolder).orElse("");
    return Stream.concat(
            Stream.concat(cluster.nodes().stream(), cluster.agents().stream())
                .map(each -> new TelemetryTarget(each, cluster.spec().workFolder(each), Set.of())),
            cluster.attached().processes().stream()
                .map(each -> new TelemetryTarget(each, watching + "/" + each.name(), FROM_OUTSIDE)))
        .toList();
  }

  /** Its name, unique in the trial, such as {@code node-0}. */
  public String process() {
    return worker.name();
  }

  /** The plural of its kind, such as {@code nodes} or {@code agents}. */
  public String role() {
    return worker.kind() + "s";
  }

  boolean recordsOn(String device) {
    return devices.isEmpty() || devices.contains(device);
  }
}
