package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import java.util.concurrent.CompletableFuture;

/** A worker process of a trial, as telemetry devices see it. */
public interface TelemetryTarget {

  /** Its name, unique in the trial, such as {@code node-0}. */
  String process();

  /** What its kind is called in the plural, such as {@code nodes} or {@code agents}. */
  String role();

  /** A folder on its host in which it may write. */
  String folder();

  /** Sends a command; the future fails where the process is gone. */
  CompletableFuture<Answer> send(Command command);
}
