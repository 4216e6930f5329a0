package io.pyrometer.jmh;

import io.pyrometer.protocol.TrialSpec;
import java.util.List;

/**
 * Settings that the JVM of a benchmark runs with.
 *
 * @param servers host:port of each server's first port; empty for a cache within the JVM
 * @param clientAddresses host:port where the servers said that clients connect
 * @param folder where the JVM may write; its report is left there
 */
public record BenchmarkSpec(
    TrialSpec trial, List<String> servers, List<String> clientAddresses, String folder) {

  /** The benchmark that the trial's path is. */
  public Benchmark benchmark() {
    return Benchmark.ofPath(trial.path())
        .orElseThrow(() -> new IllegalArgumentException("'" + trial.path() + "' is no benchmark."));
  }
}
