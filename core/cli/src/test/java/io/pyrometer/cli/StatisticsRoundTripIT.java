package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrometer.cli.Pyrometer.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A workload that a stock cluster records is repeated by the experiment that is made of the files.
 * That one is recorded by the same cluster.
 */
@Tag("extended")
class StatisticsRoundTripIT {
  private static final String EXPERIMENT =
      """
      pyrometer: 1
      name: recorded
      question: What does each operation take?
      grid: {driver: ignite, %s}
      workload:
        records: 5000
      %s
        rate: %d
        threads: 3 # as the statistics of so low a rate say: they do not name threads
        arrival: poisson
      """;

  private static final String SQL =
      """
        record:
          name: Item
          fields:
            - {name: customer, type: long, max: 99}
            - {name: price, type: long, max: 4999}
        path: sql-select
        sql: code
        indexes: 1
        queries: |
          -- name: of-customer
          -- weight: 3
          -- params: 0..99
          SELECT id, price FROM Item WHERE customer = ?;
          -- name: point
          -- weight: 2
          SELECT price FROM Item WHERE id = ?;
          -- name: scan
          -- params: 0..4900, previous+9
          SELECT COUNT(*) FROM Item WHERE price BETWEEN ? AND ?;
      """;

  /** A machine that is busy with other work may have changed the rate. */
  private static final Pattern STAGES = Pattern.compile("(?s)stages:.*?(?=\\n  arrival)");

  private static final Pattern QUERY =
      Pattern.compile("-- name: (\\S+)\\n(?:--.*\\n)*\\n?([^-]*?);");

  @TempDir Path folder;

  @Test
  void theMixOfOperationsComesBack() throws Exception {
    String mix =
        """
          record: stock-order
          path: mixed
          mix: {get: 70%, put: 20%, get-all: 5%, remove: 5%}
          batch: 100
        """;
    assertThat(repeat(mix, 200)).containsOnlyKeys("get", "put", "get-all", "remove");
  }

  @Test
  void transfersComeBack() throws Exception {
    String transfers =
        """
          record: stock-order
          path: transfer
          atomicity: TRANSACTIONAL
        """;
    assertThat(repeat(transfers, 50)).containsOnlyKeys("transfer");
  }

  @Test
  void queriesComeBack() throws Exception {
    assertThat(repeat(SQL, 50)).hasSize(3);
  }

  /** What was recorded of an operation. */
  private record Recorded(double rate, double p50, double p99) {}

  /** Returns what was recorded of the workload by operation, or by the text of a query. */
  private Map<String, Recorded> repeat(String workload, int rate) throws Exception {
    Path statistics = record("run", EXPERIMENT.formatted("nodes: 2", workload, rate));
    Pyrometer sampler = new Pyrometer(folder);
    Ended sample =
        sampler.run("sample", "--statistics", statistics.toString(), "--records", "5000");
    assertThat(sample.code()).isZero();
    Files.writeString(folder.resolve("like.yaml"), sample.out());
    assertThat(sampler.run("validate", "like.yaml").code()).isZero();
    Map<String, Recorded> first = operations(statistics);
    String again = STAGES.matcher(sample.out()).replaceFirst("rate: " + Math.round(rate(first)));
    Map<String, Recorded> second = operations(record("again", again));
    first.forEach((operation, of) -> System.out.println(row(operation, of, second.get(operation))));
    assertThat(rate(first)).isCloseTo(rate, withinPercentage(30));
    assertThat(rate(second)).isCloseTo(rate(first), withinPercentage(30));
    assertThat(second).containsOnlyKeys(first.keySet());
    first.forEach(
        (operation, of) ->
            assertThat(second.get(operation).rate / rate(second))
                .as(operation)
                .isCloseTo(of.rate / rate(first), within(0.1)));
    return first;
  }

  /** A row of the table in lab/statistics-round-trip.md, with times in microseconds. */
  private static String row(String operation, Recorded one, Recorded other) {
    return "| %s | %.1f | %.1f | %.0f | %.0f | %.0f | %.0f |"
        .formatted(operation, one.rate, other.rate, one.p50, other.p50, one.p99, other.p99);
  }

  /** Runs an experiment on a new cluster and returns the folder of its statistics. */
  private Path record(String name, String experiment) throws Exception {
    Path own = Files.createDirectories(folder.resolve(name));
    Pyrometer runner = new Pyrometer(own);
    Pyrometer observer = new Pyrometer(Files.createDirectories(own.resolve("doctor")));
    try (TheirCluster theirs = TheirCluster.start(own, 2, 256 << 20, "512m", false)) {
      assertNeedsYes(observer, theirs);
      String grid = "attach: \"%s\", agent-jvm-args: -XX:TieredStopAtLevel=1";
      Files.writeString(
          own.resolve("recorded.yaml"),
          experiment.replaceFirst("nodes: \\d", grid.formatted(theirs.address)));
      List<String> command = new ArrayList<>(List.of("run", "recorded.yaml", "--yes"));
      command.addAll(List.of("--blocks", "1", "--set", "measure=200s", "--set", "warm-up=3s"));
      command.addAll(List.of("--set", "common-warm-up=5s"));
      Process run = runner.start(command.toArray(String[]::new));
      Pyrometer.await(
          "its cache",
          () ->
              !run.isAlive()
                  || theirs.started().stream().anyMatch(cache -> cache.startsWith("pyrometer-")));
      TimeUnit.SECONDS.sleep(60); // at these rates servers compile slowly
      Ended doctor =
          observer.run("doctor", theirs.address, "--statistics", "60s", "--yes", "--out", "runs");
      assertThat(doctor.err()).as(runner.text("out.txt") + runner.text("err.txt")).isEmpty();
      assertThat(doctor.out().lines())
          .hasSizeLessThanOrEqualTo(40)
          .allMatch(line -> line.length() <= 100);
      assertThat(run.isAlive()).isTrue();
      run.destroy();
      Pyrometer.await("its end", () -> !run.isAlive());
    }
    return observer.runFolder();
  }

  private static void assertNeedsYes(Pyrometer observer, TheirCluster theirs) throws Exception {
    Ended refused = observer.run("doctor", theirs.address, "--statistics", "10s");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--yes").hasLineCount(1);
  }

  private Map<String, Recorded> operations(Path statistics) throws Exception {
    Ended sample =
        new Pyrometer(folder).run("sample", "--statistics", statistics.toString(), "--json");
    JsonNode json = new ObjectMapper().readTree(sample.out());
    Map<String, String> texts = new TreeMap<>();
    for (MatchResult query :
        QUERY.matcher(json.at("/workload/queries").asText()).results().toList()) {
      texts.put(query.group(1), query.group(2).strip());
    }
    Map<String, Recorded> operations = new TreeMap<>();
    for (JsonNode note : json.at("/notes")) {
      if (note.at("/id").asText().equals("operation")) {
        JsonNode values = note.at("/values");
        String name = values.at("/operation/name").asText();
        operations.put(
            texts.getOrDefault(name, name),
            new Recorded(
                values.at("/rate/rate").asDouble(),
                values.at("/p50/duration").asDouble(),
                values.at("/p99/duration").asDouble()));
      }
    }
    return operations;
  }

  private static double rate(Map<String, Recorded> operations) {
    return operations.values().stream().mapToDouble(each -> each.rate).sum();
  }
}
