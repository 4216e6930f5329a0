package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A benchmark under JMH from the file of the experiment to the report. */
class BenchmarkIT extends RunFixture {

  @Test
  void aBoundedCacheIsLoadedAndItsHitRateIsReported() throws Exception {
    write(
        "mine.yaml",
        """
        pyrometer: 1
        name: mine
        question: How fast does it load?
        grid: {driver: guava}
        workload:
          benchmark: load-zipf
          records: 1000
          key-range: 500%
          iterations: 1
          warm-up-iterations: 0
          measure: 200ms
          fork-heap: 64m
          common-warm-up: 0s
        blocks: 1
        analyses: [ranking, benchmarks]
        """);
    Pyrometer.Ended ended = new Pyrometer(folder).run("run", "mine.yaml");
    assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
    Path run = new Pyrometer(folder).runFolder();
    try (Stream<String> lines = Files.lines(run.resolve("journal.jsonl"))) {
      JsonNode trial =
          new ObjectMapper().readTree(lines.reduce((first, last) -> last).orElseThrow());
      assertThat(trial.at("/result/outcome").asText()).isEqualTo("OK");
      assertThat(trial.at("/metrics/hit-rate/value").asDouble()).isBetween(1.0, 99.0);
      assertThat(run.resolve(trial.at("/artefacts/0/file").asText())).isNotEmptyFile();
    }
  }
}
