package io.pyrometer.jmh;

import io.pyrometer.experiment.yaml.Catalogue;
import io.pyrometer.protocol.DataFactRules;
import io.pyrometer.protocol.DriverDescription;
import io.pyrometer.protocol.ServerDescription;
import java.util.List;
import java.util.stream.Stream;

/** Drivers and an experiment that exist for the tests alone. */
final class Caches {
  static final String EXPERIMENT =
      """
      pyrometer: 1
      name: caches
      question: Which cache is best?
      grid: {}
      workload: {common-warm-up: 0s}
      cases:
        populating: {benchmark: populate, records: 1000}
        loading: {benchmark: load-zipf, key-range: 500%}
      factors:
        cache:
          - {label: Map, set: {driver: map}}
          - {label: Bounded, set: {driver: bounded}}
          - {label: Small, set: {driver: bounded, records: 100}}
      design: {except: [{cache: Map, case: loading}]}
      blocks: 3
      analyses: [ranking, benchmarks]
      """;

  /** A map without a bound, to which others are compared, and a cache that has every benchmark. */
  static final Catalogue CATALOGUE =
      Catalogue.of(
          List.of(
              cache("map", true, Benchmark.POPULATE, Benchmark.READ),
              cache("bounded", false, Benchmark.values())));

  private Caches() {}

  private static DriverDescription cache(String name, boolean reference, Benchmark... benchmarks) {
    return new DriverDescription(
        name,
        name,
        "1.0",
        "A cache.",
        List.of(),
        ServerDescription.NO_PORTS,
        List.of(),
        List.of(),
        Stream.of(benchmarks).map(each -> each.description(reference)).toList(),
        List.of(),
        DataFactRules.NONE,
        List.of(),
        List.of());
  }
}
