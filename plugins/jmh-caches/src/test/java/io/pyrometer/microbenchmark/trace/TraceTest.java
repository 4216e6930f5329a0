package io.pyrometer.microbenchmark.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.driver.GridException;
import io.pyrometer.protocol.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
  private static final int REQUESTS = 50_000;
  private static final int CAPACITY = 100;

  private static Trace trace(String name, long seed) {
    return Trace.of(
        new Settings(Map.of("trace", name, "requests", REQUESTS, "capacity", CAPACITY)),
        new SplittableRandom(seed));
  }

  private static int[] keys(Trace trace) {
    return IntStream.range(0, trace.requests()).map(trace::key).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"zipf", "scan", "loop", "shift"})
  void oneSeedGivesOneTrace(String name) {
    assertThat(keys(trace(name, 7))).isEqualTo(keys(trace(name, 7))).hasSize(REQUESTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zipf", "scan", "shift"})
  void anotherSeedGivesAnother(String name) {
    assertThat(keys(trace(name, 7))).isNotEqualTo(keys(trace(name, 8)));
  }

  @Test
  void theMostFrequentZipfKeyIsAboutTwiceAsFrequentAsTheSecond() {
    Map<Integer, Integer> counts = new HashMap<>();
    for (int key : keys(trace("zipf", 1))) {
      counts.merge(key, 1, Integer::sum);
    }
    int[] sorted = counts.values().stream().mapToInt(Integer::intValue).sorted().toArray();
    double ratio = (double) sorted[sorted.length - 1] / sorted[sorted.length - 2];
    assertThat(ratio).isBetween(1.8, 2.2);
  }

  @Test
  void scansCostLruHitsAndTheOptimumFew() {
    Trace scan = trace("scan", 1);
    double lru = (double) LeastRecentlyUsed.hits(scan, CAPACITY) / REQUESTS;
    double optimum = (double) Belady.hits(scan, CAPACITY) / REQUESTS;
    assertThat(optimum).isGreaterThan(lru * 1.2);
  }

  @Test
  void aLoopDefeatsLruAndNotTheOptimum() {
    Trace loop = trace("loop", 1);
    assertThat(loop.keys()).isEqualTo(2 * CAPACITY);
    assertThat(LeastRecentlyUsed.hits(loop, CAPACITY)).isZero();
    assertThat((double) Belady.hits(loop, CAPACITY) / REQUESTS).isBetween(0.45, 0.55);
  }

  @Test
  void aFileHasOneRequestALine(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("t"), "# a comment\nb 3\n\na,1\nb\tx\n7;\n");
    Trace trace = Trace.file(file, 100);
    assertThat(keys(trace)).containsExactly(0, 1, 0, 2);
    assertThat(trace.keys()).isEqualTo(3);
    assertThat(Trace.file(file, 2).requests()).isEqualTo(2);
  }

  @Test
  void aFileThatIsMissingOrEmptyIsOneSentence(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> Trace.file(folder.resolve("none"), 10))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("none cannot be read")
        .hasMessageContaining("trace-file");
    Path empty = Files.writeString(folder.resolve("empty"), "# nothing\n");
    assertThatThrownBy(() -> Trace.file(empty, 10))
        .isInstanceOf(GridException.class)
        .hasMessageContaining("holds no request");
  }
}
