package io.pyrometer.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.journal.Metric.LatencyStatistic;
import io.pyrometer.protocol.Json;
import java.util.List;
import java.util.Map;

/**
 * Reads what version 1 of the run folder wrote as if version 2 had: a trial's line with its figures
 * side by side, a plan with one driver. Nothing is lost and nothing is made up; a line of version 1
 * has no artefacts but its histogram file.
 */
final class SchemaOne {
  private static final List<String> IDENTITY =
      List.of("ordinal", "block", "attempt", "levels", "job", "settings");
  private static final List<String> SUMMARY =
      List.of("name", "question", "factors", "analyses", "probes", "published");
  private static final List<String> TESTBED = List.of("config", "attach", "classPath", "hosts");

  private SchemaOne() {}

  /** A trial's line of version 1 in the form of version 2. */
  static JsonNode trial(JsonNode old) {
    ObjectNode trial = Json.LINES.createObjectNode();
    trial.put("schema", TrialRecord.SCHEMA);
    ObjectNode identity = trial.putObject("identity");
    identity.set("id", old.path("trial"));
    copy(old, identity, IDENTITY);
    copy(old, trial, List.of("started", "validity", "configuration"));
    copy(old, trial.putObject("result"), List.of("outcome", "why", "verification"));
    copy(old, trial.putObject("timeline"), List.of("phases", "warmUp", "samples", "measuredFrom"));
    ObjectNode counts = trial.putObject("counts");
    counts.set("seconds", old.path("measuredSeconds"));
    copy(old, counts, List.of("records", "calls", "failedCalls", "errors"));
    trial.set("metrics", Json.LINES.valueToTree(metrics(old)));
    ArrayNode artefacts = trial.putArray("artefacts");
    if (old.path("latency").size() > 0) {
      int attempt = old.path("attempt").asInt();
      artefacts
          .addObject()
          .put("kind", RunFolder.HISTOGRAM)
          .put("process", "")
          .put("file", RunFolder.histogramName(old.path("trial").asText(), attempt));
    }
    return trial;
  }

  private static Map<String, Metric> metrics(JsonNode old) {
    Map<String, Metric> metrics = new java.util.TreeMap<>();
    if (old.path("throughput").isNumber()) {
      metrics.put(
          Metric.THROUGHPUT, Metric.higherIsBetter(old.path("throughput").asDouble(), "records/s"));
    }
    if (old.path("cpuMicrosPerRecord").isNumber()) {
      metrics.put(
          Metric.CPU, Metric.lowerIsBetter(old.path("cpuMicrosPerRecord").asDouble(), "µs"));
    }
    old.path("cpuSecondsByProcess")
        .properties()
        .forEach(
            process ->
                metrics.put(
                    Metric.CPU_SECONDS_OF + process.getKey(),
                    Metric.neutral(process.getValue().asDouble(), "s")));
    for (Map.Entry<String, JsonNode> operation : old.path("latency").properties()) {
      for (LatencyStatistic statistic : LatencyStatistic.values()) {
        JsonNode value = operation.getValue().path(statistic.label().replace(".", ""));
        if (value.isNumber()) {
          metrics.put(
              Metric.latency(operation.getKey(), statistic),
              Metric.lowerIsBetter(value.asDouble(), "µs"));
        }
      }
    }
    return metrics;
  }

  /** A plan of version 1 in the form of version 2. */
  static JsonNode plan(JsonNode old) {
    ObjectNode plan = Json.LINES.createObjectNode();
    plan.put("schema", PlannedRun.SCHEMA);
    copy(old, plan, List.of("arguments", "seed", "blocks", "groups"));
    ObjectNode summary = plan.putObject("experiment");
    copy(old, summary, SUMMARY);
    summary.set("shortcomings", old.path("unsaid"));
    copy(old, plan.putObject("testbed"), TESTBED);
    plan.putObject("drivers").set(old.path("driver").path("name").asText(), old.path("driver"));
    return plan;
  }

  private static void copy(JsonNode from, ObjectNode to, List<String> keys) {
    for (String key : keys) {
      if (from.has(key)) {
        to.set(key, from.get(key));
      }
    }
  }
}
