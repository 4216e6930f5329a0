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
    Map<String, Double> first = repeat(mix, 200);
    assertThat(first).containsOnlyKeys("get", "put", "get-all", "remove");
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

  /** Returns what was recorded of the workload by operation, or by the text of a query. */
  private Map<String, Double> repeat(String workload, int rate) throws Exception {
    Path statistics = record("run", EXPERIMENT.formatted("nodes: 2", workload, rate));
    Pyrometer sampler = new Pyrometer(folder);
    Ended sample =
        sampler.run("sample", "--statistics", statistics.toString(), "--records", "5000");
    assertThat(sample.code()).isZero();
    Files.writeString(folder.resolve("like.yaml"), sample.out());
    assertThat(sampler.run("validate", "like.yaml").code()).isZero();
    Map<String, Double> first = operations(statistics);
    String again = STAGES.matcher(sample.out()).replaceFirst("rate: " + Math.round(rate(first)));
    Map<String, Double> second = operations(record("again", again));
    assertThat(rate(first)).isCloseTo(rate, withinPercentage(30));
    assertThat(rate(second)).isCloseTo(rate(first), withinPercentage(30));
    assertThat(second).containsOnlyKeys(first.keySet());
    first.forEach(
        (operation, of) ->
            assertThat(second.get(operation) / rate(second))
                .as(operation)
                .isCloseTo(of / rate(first), within(0.1)));
    return first;
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
      command.addAll(List.of("--blocks", "1", "--set", "measure=120s", "--set", "warm-up=3s"));
      command.addAll(List.of("--set", "common-warm-up=5s"));
      Process run = runner.start(command.toArray(String[]::new));
      Pyrometer.await(
          "its cache",
          () ->
              !run.isAlive()
                  || theirs.started().stream().anyMatch(cache -> cache.startsWith("pyrometer-")));
      TimeUnit.SECONDS.sleep(12);
      Ended doctor =
          observer.run("doctor", theirs.address, "--statistics", "40s", "--yes", "--out", "runs");
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

  private Map<String, Double> operations(Path statistics) throws Exception {
    Ended sample =
        new Pyrometer(folder).run("sample", "--statistics", statistics.toString(), "--json");
    JsonNode json = new ObjectMapper().readTree(sample.out());
    Map<String, String> texts = new TreeMap<>();
    for (MatchResult query :
        QUERY.matcher(json.at("/workload/queries").asText()).results().toList()) {
      texts.put(query.group(1), query.group(2).strip());
    }
    Map<String, Double> operations = new TreeMap<>();
    for (JsonNode note : json.at("/notes")) {
      if (note.at("/id").asText().equals("operation")) {
        JsonNode values = note.at("/values");
        String name = values.at("/operation/name").asText();
        operations.put(texts.getOrDefault(name, name), values.at("/rate/rate").asDouble());
      }
    }
    return operations;
  }

  private static double rate(Map<String, Double> operations) {
    return operations.values().stream().mapToDouble(each -> each).sum();
  }
}
