package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The published 2^(6−2) experiment from its raw rows, one a client. */
final class PublishedFactorial {
  static final List<String> FACTORS =
      List.of(
          "nodes", "isPartionAware", "cacheIsPartioned", "isPerstistent", "cacheSize", "cpuCores");

  private PublishedFactorial() {}

  /** The rows of one run's clients share its block, so their mean is the response. */
  static List<Observation> observations() {
    List<Observation> observations = new ArrayList<>();
    for (Map<String, String> row : Golden.csv("/published/factorial-per-client.csv")) {
      Map<String, String> levels = new LinkedHashMap<>();
      FACTORS.forEach(factor -> levels.put(factor, row.get(factor)));
      double throughput = Double.parseDouble(row.get("throughput"));
      Map<String, Double> responses =
          Map.of(
              "throughput",
              throughput,
              "total",
              throughput * Double.parseDouble(row.get("nodes")),
              "reads",
              Double.parseDouble(row.get("avg_time_reads")),
              "writes",
              Double.parseDouble(row.get("avg_time_writes")));
      observations.add(new Observation(levels, "1", responses));
    }
    return observations;
  }

  static FactorialData perClient() {
    return of("throughput");
  }

  static FactorialData total() {
    return of("total");
  }

  /** One response of the rows: {@code throughput}, {@code total}, {@code reads}, {@code writes}. */
  static FactorialData of(String response) {
    return FactorialData.of(observations(), FACTORS, response);
  }
}
