package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.BadDataException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResultsSiteTest {
  private static final Pattern DATA = Pattern.compile("id=\"data\">([A-Za-z0-9+/=]*)</script>");

  @TempDir Path folder;

  private String html() throws IOException {
    ResultsSite.write(folder);
    return Files.readString(folder.resolve("index.html"));
  }

  /** The results in the page, the newest first. */
  private JsonNode shown() throws IOException {
    Matcher data = DATA.matcher(html());
    assertThat(data.find()).isTrue();
    byte[] bytes = Base64.getDecoder().decode(data.group(1));
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return unpacked(SampleResults.JSON.readTree(in));
    }
  }

  /** With the cells of columns in their rows again, as the page's script has them. */
  private static JsonNode unpacked(JsonNode data) {
    int at = 0;
    for (JsonNode result : data.path("results")) {
      int count = result.path("rows").asInt();
      ArrayNode rows = ((ObjectNode) result).putArray("rows");
      for (int i = 0; i < count; i++, at++) {
        ObjectNode row = rows.addObject();
        for (Map.Entry<String, JsonNode> column : data.path("columns").properties()) {
          JsonNode cell = column.getValue().path(at);
          if (cell.isTextual()) {
            for (String text : cell.asText().split("\t", -1)) {
              row.withArray(column.getKey()).add(text);
            }
          } else if (cell.asInt() >= 0) {
            row.set(column.getKey(), data.path("table").path(cell.asInt()));
          }
        }
      }
    }
    return data.path("results");
  }

  private static ObjectNode result(String id) {
    return SampleResults.result(id, "2026-11-25", "AMD EPYC");
  }

  @Test
  void aFigureStandsWithItsInterval() throws IOException {
    ObjectNode result = result("a");
    ObjectNode row = SampleResults.row(result, "put-all", 200_000, 50);
    SampleResults.write(folder, result);
    assertThat(ResultsSite.write(folder)).isEqualTo(1);
    JsonNode shown = shown().path(0).path("rows").path(0);
    assertThat(shown.path("rate")).hasToString("[\"200 k\",\"[180 k, 220 k]\"]");
    assertThat(shown.path("ratio")).hasToString("[\"50×\",\"[45×, 55×], to put\"]");
    assertThat(shown.path("cpu")).hasToString("[\"5\",\"[4.5, 5.5]\"]");
    SampleResults.oneBlock(row.withObject("throughput"));
    SampleResults.write(folder, result);
    assertThat(shown().path(0).path("rows").path(0).path("rate"))
        .hasToString("[\"200 k\",\"one block\"]");
  }

  @Test
  void latencyInAnOpenLoopStandsWithItsRateAndWithoutARatioOfThroughput() throws IOException {
    ObjectNode result = result("a");
    ObjectNode row = SampleResults.row(result, "mixed", 490, 1);
    ((ObjectNode) result.at("/results/rankings/0")).put("rate", 500);
    row.putObject("offered").put("least", 0.71);
    for (String operation : List.of("get", "put")) {
      ObjectNode latency = row.withArray("latencies").addObject().put("operation", operation);
      double micros = operation.equals("get") ? 1000 : 2000;
      SampleResults.estimate(latency.putObject("percentiles").putObject("P99"), micros, "µs");
    }
    SampleResults.write(folder, result);
    JsonNode shown = shown().path(0).path("rows").path(0);
    assertThat(shown.path("p99").path(1)).hasToString("\"[1.8 ms, 2.2 ms], put at 500 calls/s\"");
    assertThat(shown.path("offered").asDouble()).isEqualTo(500);
    assertThat(shown.has("ratio")).isFalse();
    assertThat(shown.path("marks")).hasToString("[\"rate missed: 71 %\"]");
  }

  @Test
  void guaranteesAreThoseThatAreLeftAndThoseThatProbesRefuted() throws IOException {
    ObjectNode result = result("a");
    ObjectNode row = SampleResults.row(result, "streamer", 200_000, 50);
    SampleResults.probe(row, "order", 79, 400);
    SampleResults.probe(row, "kill", 5, 2000);
    SampleResults.probe(row, "read", 0, 54);
    SampleResults.write(folder, result);
    JsonNode shown = shown().path(0).path("rows").path(0);
    assertThat(shown.path("kept")).hasToString("[\"overwrites\",\"no stale reads\"]");
    assertThat(shown.path("refuted")).hasToString("[\"order: 79 of 400 stale or lost\"]");
    assertThat(shown.path("probes"))
        .as("what was not claimed is not refuted, and 54 reads are too few")
        .hasToString("[\"kill: 5 of 2,000 stale or lost\",\"read: not tested\"]");
  }

  @Test
  void aProductIsTheOneThatTheLabelNames() throws IOException {
    ObjectNode result = result("a");
    result.withObject("versions").put("Apache Grid 3", "3.0").put("Hazelcast", "5.5");
    for (String label : List.of("Hazelcast set", "grid put · grid", "Grid 3 put", "set")) {
      SampleResults.row(result, label, 1000, 1);
    }
    SampleResults.write(folder, result);
    JsonNode rows = shown().path(0).path("rows");
    assertThat(rows.path(0).path("products")).hasToString("[\"Hazelcast 5.5\"]");
    assertThat(rows.path(1).path("products")).hasToString("[\"Apache Grid 2.17.0\"]");
    assertThat(rows.path(2).path("products")).hasToString("[\"Apache Grid 3 3.0\"]");
    assertThat(rows.path(3).path("products")).hasSize(3);
  }

  @Test
  void theFiguresOfEachTextHaveATableOfTheirOwnAndNoInterval() throws IOException {
    ObjectNode text = SampleResults.text("a");
    text.withObject("published")
        .withArray("figures")
        .addObject()
        .put("label", "put-all")
        .put("ratio", 0.45)
        .put("baseline", "put");
    SampleResults.write(folder, text);
    ObjectNode other = SampleResults.text("b");
    other.withObject("published").put("source", "https://example.org/b");
    SampleResults.write(folder, other);
    JsonNode shown = shown();
    assertThat(shown.path(0).path("machine").asText()).endsWith(": https://example.org/a");
    assertThat(shown.path(1).path("machine").asText()).endsWith(": https://example.org/b");
    JsonNode rows = shown.path(0).path("rows");
    assertThat(rows.path(0).path("rate")).hasToString("[\"4,730\",\"records/s, no interval\"]");
    assertThat(rows.path(1).path("ratio")).hasToString("[\"0.45×\",\"to put, no interval\"]");
    assertThat(rows).allMatch(row -> row.path("marks").path(0).asText().startsWith("published"));
    assertThat(html()).contains(">3 figures of 2 texts.<");
  }

  @Test
  void aLicenceThatRestrictsBenchmarksNeedsThePermissionOfTheVendor() throws IOException {
    SampleResults.write(folder, result("a"));
    Path table = folder.resolve(ResultsSite.LICENCES);
    Files.writeString(table, "Apache Grid\trestricted: section 3\n");
    assertThatThrownBy(this::html)
        .isInstanceOf(BadDataException.class)
        .hasMessage(
            "The licence of Apache Grid restricts the publication of benchmarks: remove a.json, or"
                + " note its vendor's permission in licences.tsv.");
    Files.writeString(table, "Apache Grid\tpermitted by the vendor & friends\n");
    assertThat(html())
        .contains("<dt>Apache Grid</dt><dd>permitted by the vendor &amp; friends</dd>");
    Files.delete(table);
    assertThat(html()).contains("products that are not listed were not checked");
  }

  /** The second result has its own date, machine, ratio and throughput. */
  @ParameterizedTest
  @CsvSource({
    "2026-11-24, AMD EPYC, 55, true",
    "2026-11-25, Intel Xeon, 45, true",
    "2026-11-25, AMD EPYC, 50, false",
    "2026-11-24, AMD EPYC, 70, false"
  })
  void aRatioIsRepeatedWhereOneOfAnotherDateOrMachineOverlaps(
      String date, String cpu, double ratio, boolean repeated) throws IOException {
    ObjectNode first = result("a");
    SampleResults.row(first, "put-all", 200_000, 50);
    ObjectNode second = SampleResults.result("b", date, cpu);
    // Throughput counts neither for nor against a repetition.
    SampleResults.row(second, "put-all", repeated ? 3_000 : 200_000, ratio);
    SampleResults.write(folder, first);
    SampleResults.write(folder, second);
    for (JsonNode result : shown()) {
      assertThat(result.path("rows").path(0).path("repeated").asBoolean()).isEqualTo(repeated);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"experiment", "label", "baseline", "version", "block"})
  void whatDiffersIsNotARepetition(String what) throws IOException {
    ObjectNode first = result("a");
    SampleResults.row(first, "put-all", 200_000, 50);
    ObjectNode second = SampleResults.result("b", "2026-11-24", "AMD EPYC");
    ObjectNode row = SampleResults.row(second, "put-all", 200_000, 50);
    switch (what) {
      case "experiment" -> second.put("experiment", "first-light");
      case "label" -> row.put("label", "putAll");
      case "baseline" -> ((ObjectNode) second.at("/results/rankings/0")).put("baseline", "get");
      case "version" -> second.withObject("versions").put("Apache Grid", "2.18.0");
      default -> SampleResults.oneBlock(row.withObject("ratio"));
    }
    SampleResults.write(folder, first);
    SampleResults.write(folder, second);
    for (JsonNode result : shown()) {
      assertThat(result.path("rows").path(0).has("repeated")).isFalse();
    }
  }

  @Test
  void aMachineIsItsCpuCoresAndMemory() throws IOException {
    ObjectNode other = SampleResults.result("b", "2026-11-24", "AMD EPYC");
    // Another kernel leaves a few megabytes more of the same memory.
    other.withObject("machine").put("memoryBytes", 25_281_000_000L).put("kernel", "6.8.0");
    ObjectNode larger = SampleResults.result("c", "2026-11-23", "AMD EPYC");
    larger.withObject("machine").put("cores", 4);
    SampleResults.write(folder, result("a"));
    SampleResults.write(folder, other);
    SampleResults.write(folder, larger);
    assertThat(shown().findValuesAsText("machine"))
        .containsExactly(
            "AMD EPYC, 2 cores, 24 GiB", "AMD EPYC, 2 cores, 24 GiB", "AMD EPYC, 4 cores, 24 GiB");
  }

  @Test
  void figuresOfATextHaveNoMachineAndNoInterval() throws IOException {
    SampleResults.write(folder, SampleResults.text("text"));
    JsonNode shown = shown().path(0);
    assertThat(shown.path("machine").asText()).contains("not reproducible here");
    assertThat(shown.path("rows").path(0).path("rate").path(1).asText())
        .isEqualTo("records/s, no interval");
    assertThat(html()).contains("<p class=\"about\">1 figure of 1 text.</p>");
  }

  @ParameterizedTest
  @CsvSource({
    "/, schema, 2, schema",
    "/, id, b, id",
    "/, id, ../a, id",
    "/, date, yesterday, date",
    "/, tuned, maybe, tuned",
    "/machine, cores, two, machine.cores",
    "/machine, cpu, , machine.cpu",
    "/evidence, folder, ../../etc, evidence.folder",
    "/evidence, folder, javascript:alert(1), evidence.folder",
    "/evidence/sha256, javascript:alert(1), 0, evidence.sha256",
    "/evidence/sha256, plan.json, 0, evidence.sha256",
    "/results, findings, none, results.findings",
    "/results/findings/0, severity, x onclick=, results.findings[0].severity",
    "/results/rankings/0/rows/0/throughput, value, fast,"
        + " results.rankings[0].rows[0].throughput.value",
    "/results/rankings/0/rows/0, throughput, , results.rankings[0].rows[0].throughput.value"
  })
  void anErrorNamesTheFileAndTheField(String at, String key, String value, String field)
      throws IOException {
    ObjectNode result = result("a");
    SampleResults.row(result, "put-all", 200_000, 50);
    ObjectNode parent = at.equals("/") ? result : (ObjectNode) result.at(at);
    parent.put(key, value);
    Path file = folder.resolve("a.json");
    Files.write(file, SampleResults.JSON.writeValueAsBytes(result));
    assertThatThrownBy(() -> ResultsSite.write(folder))
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith(file + ": '" + field + "' must be ");
    assertThat(folder.resolve("index.html")).doesNotExist();
  }

  @Test
  void anIntervalThatMissesItsValueIsAnErrorOfTheFile() throws IOException {
    ObjectNode result = result("a");
    SampleResults.row(result, "put-all", 200_000, 50).withObject("throughput").put("low", 3e5);
    SampleResults.write(folder, result);
    assertThatThrownBy(() -> ResultsSite.write(folder))
        .hasMessageContaining("a.json: 'results.rankings[0].rows[0].throughput' must be");
  }

  @Test
  void whatIsNoJsonOrNoFolderOfResultsIsSaid() throws IOException {
    assertThatThrownBy(() -> ResultsSite.write(folder)).hasMessageContaining("holds no result");
    assertThatThrownBy(() -> ResultsSite.write(folder.resolve("absent")))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("absent is not a folder");
    Files.writeString(folder.resolve("a.json"), "{\n\"schema\": 1,\n\"id\" \"a\"}");
    assertThatThrownBy(() -> ResultsSite.write(folder))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("a.json is not JSON, line 3: ");
    Files.writeString(folder.resolve("a.json"), "[]");
    assertThatThrownBy(() -> ResultsSite.write(folder)).hasMessageContaining("'schema' must be 1");
  }

  @Test
  void textsOfStrangersStandInTheDataAlone() throws IOException {
    String evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    ObjectNode result = result("a");
    result.put("experiment", evil).put("question", evil).put("command", evil);
    result.withObject("machine").put("cpu", evil);
    result.withObject("versions").put(evil, evil);
    result.withObject("configuration").put(evil, evil);
    SampleResults.row(result, evil, 1000, 1).withArray("marks").add(evil);
    SampleResults.write(folder, result);
    String html = html();
    assertThat(html).doesNotContain("alert(1)");
    assertThat(html.split("</script>", -1)).as("the page has two scripts").hasSize(3);
    assertThat(html)
        .containsPattern("default-src 'none'; script-src 'sha256-\\S+'; style-src 'sha256-\\S+';");
    assertThat(shown().path(0).path("rows").path(0).path("label").asText()).isEqualTo(evil);
  }

  /** 20 treatments a result, with figures that do not compress. */
  @Test
  void aThousandResultsFitIntoAMegabyte() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      ObjectNode result =
          SampleResults.result("r" + i, "2026-11-" + (10 + i % 20), "CPU " + i % 12);
      for (int file = 0; file < 20; file++) {
        result.withObject("evidence").withObject("sha256").put("f" + file, digest(random));
      }
      for (int finding = 0; finding < 3; finding++) {
        ((ArrayNode) result.at("/results/findings"))
            .addObject()
            .put("severity", "INFO")
            .put(
                "sentence",
                "path %d was fastest, %.1f times as fast as path %d."
                    .formatted(random.nextInt(20), 100 * random.nextDouble(), random.nextInt(20)));
      }
      for (int row = 0; row < 20; row++) {
        ObjectNode shown =
            SampleResults.row(
                result, "path " + row, 1e6 * random.nextDouble(), 100 * random.nextDouble());
        for (String figure : List.of("throughput", "ratio", "cpuMicros")) {
          ObjectNode estimate = shown.withObject(figure);
          double value = estimate.path("value").asDouble();
          estimate.put("low", value * (1 - random.nextDouble() / 5));
          estimate.put("high", value * (1 + random.nextDouble() / 5));
        }
        SampleResults.estimate(
            shown
                .withArray("latencies")
                .addObject()
                .put("operation", "put")
                .putObject("percentiles")
                .putObject("P99"),
            1e4 * random.nextDouble(),
            "µs");
      }
      SampleResults.write(folder, result);
    }
    assertTimeout(
        Duration.ofMinutes(1), () -> assertThat(ResultsSite.write(folder)).isEqualTo(1000));
    assertThat(Files.size(folder.resolve("index.html"))).isLessThan(1_000_000);
  }

  private static String digest(Random random) {
    return "%016x".formatted(random.nextLong()).repeat(4);
  }
}
