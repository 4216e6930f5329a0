package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A benchmark under JMH from the file of the experiment to the report. */
class BenchmarkIT {
  private static final int CAPACITY = 40;

  @TempDir Path folder;

  @Test
  void aTraceFileIsAnsweredByACacheBesideTheOptimumOfTheWholeTrace() throws Exception {
    // A cyclic scan of twice the capacity, after a comment and with a second word.
    List<String> trace =
        IntStream.range(0, 4_000).mapToObj(i -> "key%d 7".formatted(i % (2 * CAPACITY))).toList();
    Files.write(
        folder.resolve("mine.trace"),
        Stream.concat(Stream.of("# a cyclic scan"), trace.stream()).toList());
    Files.writeString(
        folder.resolve("mine.yaml"),
        """
        pyrometer: 1
        name: mine
        question: How well does it evict on my trace?
        grid: {driver: guava}
        workload:
          benchmark: evict
          trace: file
          trace-file: mine.trace
          capacity: 40
          iterations: 1
          warm-up-iterations: 0
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
      // LRU never hits in a cyclic scan; the optimum keeps 39 or 40 of the 80 keys.
      assertThat(trial.at("/metrics/hit-ratio.lru/value").asDouble()).isZero();
      assertThat(trial.at("/metrics/hit-ratio.optimum/value").asDouble()).isBetween(48.0, 50.0);
      assertThat(trial.at("/metrics/hit-ratio/value").asDouble()).isBetween(0.0, 50.0);
      assertThat(run.resolve(trial.at("/artefacts/0/file").asText())).isNotEmptyFile();
    }
    assertThat(run.resolve("report.html")).content().contains("Eviction quality");
  }
}
