package io.pyrometer.coordinator.telemetry;

import io.pyrometer.coordinator.testbed.cluster.Cluster;
import io.pyrometer.coordinator.testbed.host.ManagedProcess;
import io.pyrometer.coordinator.time.Time;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A worker process of a trial, as telemetry devices see it. */
public interface TelemetryTarget {

  /** Its name, unique in the trial, such as {@code node-0}. */
  String process();

  /** What its kind is called in the plural, such as {@code nodes} or {@code agents}. */
  String role();

  /** A folder on its host in which it may write. */
  String folder();

  /** The nodes and agents of a cluster. */
  static List<TelemetryTarget> of(Cluster cluster) {
    return Stream.concat(cluster.nodes().stream(), cluster.agents().stream())
        .map(
            process -> (TelemetryTarget) new InCluster(process, cluster.spec().workFolder(process)))
        .toList();
  }

  /** A process of a cluster. */
  record InCluster(ManagedProcess managed, String folder) implements TelemetryTarget {
    @Override
    public String process() {
      return managed.name();
    }

    @Override
    public String role() {
      return managed.kind() + "s";
    }

    @Override
    public CompletableFuture<Answer> send(Command command) {
      return managed.send(command);
    }

    @Override
    public Time time() {
      return managed.time();
    }
  }

  /** Sends a command; the future fails where the process is gone. */
  CompletableFuture<Answer> send(Command command);

  /** What waits for its answers. */
  default Time time() {
    return Time.SYSTEM;
  }
}
