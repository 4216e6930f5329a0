package io.pyrometer.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files as {@code pyrometer publish} writes them. */
final class SampleResults {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final String DIGEST = "0123456789abcdef".repeat(4);

  private SampleResults() {}

  /** A run of three blocks without treatments. */
  static ObjectNode result(String id, String date, String cpu) {
    ObjectNode result =
        JSON.createObjectNode()
            .put("schema", 1)
            .put("id", id)
            .put("experiment", "writing-ladder")
            .put("question", "How much throughput does each step gain?")
            .put("date", date)
            .put("tuned", false)
            .put("command", "./pyrometer run writing-ladder")
            .put("trials", 90)
            .put("verified", 90)
            .put("blocks", 3);
    result.putObject("versions").put("Apache Grid", "2.17.0").put("Pyrometer", "0.1.0");
    result
        .putObject("machine")
        .put("cpu", cpu)
        .put("cores", 2)
        .put("memoryBytes", 25_276_502_016L)
        .put("kernel", "6.1.0");
    result.putObject("configuration").put("cache.mode", "PARTITIONED");
    result.putArray("unequalTerms").add("One product acknowledges earlier.");
    ObjectNode results = result.putObject("results");
    results
        .putArray("findings")
        .addObject()
        .put("severity", "NOTICE")
        .put("sentence", "Write with put-all.");
    ranking(results.putArray("rankings"), "write", 0);
    result.putObject("evidence").put("folder", id).putObject("sha256").put("plan.json", DIGEST);
    return result;
  }

  static ObjectNode ranking(ArrayNode rankings, String job, double rate) {
    ObjectNode ranking = rankings.addObject().put("job", job).put("part", "").put("rate", rate);
    ranking.put("baseline", "put").putArray("rows");
    return ranking;
  }

  /** Adds a treatment to the first ranking; its ratio has the interval [0.9, 1.1] times itself. */
  static ObjectNode row(ObjectNode result, String label, double throughput, double ratio) {
    ObjectNode row = ((ObjectNode) result.at("/results/rankings/0")).withArray("rows").addObject();
    row.put("label", label).put("isBaseline", false);
    estimate(row.putObject("throughput"), throughput, "records/s");
    estimate(row.putObject("ratio"), ratio, "");
    estimate(row.putObject("cpuMicros"), 1e6 / throughput, "µs");
    row.putArray("guarantees").add("overwrites").add("stale-reads");
    row.putObject("claimed").put("overwrites", true).put("ordered", true).put("durable", false);
    row.putArray("marks");
    return row;
  }

  static void estimate(ObjectNode node, double value, String unit) {
    node.put("value", value).put("low", 0.9 * value).put("high", 1.1 * value);
    node.put("confidence", 0.95).put("replicates", 3).put("unit", unit);
  }

  /** Makes an estimate one of a single block. */
  static void oneBlock(ObjectNode estimate) {
    double value = estimate.path("value").asDouble();
    estimate.put("low", value).put("high", value).put("confidence", 0).put("replicates", 1);
  }

  static void probe(ObjectNode row, String kind, int stale, int checked) {
    row.withObject("probes")
        .withArray("probes")
        .addObject()
        .put("probe", kind)
        .putObject("found")
        .put("checked", checked)
        .put("stale", stale)
        .put("lost", 0);
  }

  /** Figures of a text, without a run. */
  static ObjectNode text(String id) {
    ObjectNode result = result(id, "2021-03-02", "");
    result.remove(List.of("results", "evidence", "machine"));
    ObjectNode published = result.putObject("published").put("source", "https://example.org/a");
    published
        .putArray("figures")
        .addObject()
        .put("label", "put")
        .put("rate", 4726)
        .put("unit", "records/s");
    return result;
  }

  static Path write(Path folder, ObjectNode result) throws IOException {
    Path file = folder.resolve(result.path("id").asText() + ".json");
    Files.write(file, JSON.writeValueAsBytes(result));
    return file;
  }
}
