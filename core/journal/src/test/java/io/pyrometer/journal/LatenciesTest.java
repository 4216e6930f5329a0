package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.HistogramText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatenciesTest {

  private static final long START = 1_700_000_000_000L;

  /** Two agents; in the second second no read ended at either. */
  private static final List<Answer.Interval> TWO_AGENTS =
      List.of(
          interval(0, 1.02, Map.of("get", histogram(1, 2), "put", histogram(10))),
          interval(1.02, 2.05, Map.of("put", histogram(20, 30))),
          interval(2.05, 2.5, Map.of("get", histogram(3))),
          interval(0, 1.06, Map.of("get", histogram(4))),
          interval(1.06, 2.01, Map.of("put", histogram(40))),
          interval(2.01, 2.49, Map.of("get", histogram(5), "put", histogram(50))));

  @TempDir Path folder;

  private Path log(List<Answer.Interval> intervals) {
    Path log = folder.resolve("trial.hlog");
    Latencies.write(log, START, intervals.stream());
    return log;
  }

  @Test
  void agentsAreAddedSecondBySecond() {
    assertThat(counts(log(TWO_AGENTS)))
        .containsExactly(
            Map.of("get", List.of(1L, 2L, 4L), "put", List.of(10L)),
            Map.of("put", List.of(20L, 30L, 40L)),
            Map.of("get", List.of(3L, 5L), "put", List.of(50L)));
  }

  @Test
  void anAgentWithCoarserIntervalsTakesTheOthersIn() {
    Path log =
        log(
            List.of(
                interval(0, 1, Map.of("get", histogram(1))),
                interval(1, 2, Map.of("get", histogram(2))),
                interval(2, 3, Map.of("get", histogram(3))),
                interval(0, 2, Map.of("get", histogram(4))),
                interval(2, 3, Map.of("get", histogram(5)))));
    assertThat(counts(log))
        .containsExactly(Map.of("get", List.of(1L, 2L, 4L)), Map.of("get", List.of(3L, 5L)));
  }

  @Test
  void totalsAreOfAllIntervalsTogetherAndOfNoneWhereThereIsNoLog() {
    Map<String, LatencyCounts> totals = Latencies.totals(log(TWO_AGENTS));
    assertThat(totals.get("put").counts())
        .isEqualTo(Map.of(10L, 1L, 20L, 1L, 30L, 1L, 40L, 1L, 50L, 1L));
    assertThat(totals.get("get").count()).isEqualTo(5);
    assertThat(Latencies.totals(folder.resolve("absent.hlog"))).isEmpty();
    assertThatThrownBy(() -> Latencies.read(folder.resolve("absent.hlog")))
        .isInstanceOf(RunException.class);
  }

  /** The statistics as the HdrHistogram library computes them. */
  @Test
  void metricsAreThoseOfTheHistogram() {
    Random random = new Random(7);
    Histogram histogram = new Histogram(3);
    for (int i = 0; i < 2_000; i++) {
      histogram.recordValue((long) (1e6 * Math.exp(random.nextGaussian())));
    }
    Map<String, Metric> metrics =
        Latencies.metrics(Latencies.totals(log(List.of(interval(0, 1, Map.of("get", histogram))))));
    assertThat(metrics)
        .containsOnlyKeys(
            "latency.get.mean",
            "latency.get.p50",
            "latency.get.p90",
            "latency.get.p99",
            "latency.get.max");
    assertThat(metrics.get("latency.get.mean").value()).isEqualTo(histogram.getMean() / 1e3);
    assertThat(metrics.get("latency.get.p99").value())
        .isEqualTo(histogram.getValueAtPercentile(99) / 1e3);
    assertThat(metrics.get("latency.get.max").value()).isEqualTo(histogram.getMaxValue() / 1e3);
  }

  /** Histograms of all widths, precisions and units, against the library's own reading. */
  @Test
  void countsAreThoseThatTheLibraryReads() throws Exception {
    Random random = new Random(3);
    for (int i = 0; i < 60; i++) {
      int digits = random.nextInt(6);
      Histogram histogram = new Histogram(1L << random.nextInt(12), 1L << 50, digits);
      for (int k = random.nextInt(300); k > 0; k--) {
        long value = random.nextLong() >>> (14 + random.nextInt(50));
        histogram.recordValueWithCount(
            value, 1 + (random.nextLong() >>> (10 + random.nextInt(53))));
      }
      histogram.recordValue(random.nextInt(10));
      countsAreThoseOf(histogram);
    }
  }

  private void countsAreThoseOf(Histogram histogram) throws IOException {
    Path log = folder.resolve("trial.hlog");
    Map<Long, Long> expected = new HashMap<>();
    histogram
        .recordedValues()
        .forEach(b -> expected.put(b.getValueIteratedTo(), b.getCountAtValueIteratedTo()));
    Files.writeString(log, "Tag=put,0.000,1.000,1.0," + compressed(histogram) + "\n");
    assertThat(Latencies.totals(log).get("put").counts()).isEqualTo(expected);
  }

  /** The reference reader of the HdrHistogram project stands for other tools. */
  @Test
  void otherToolsReadOneTaggedLineForEachOperationAndSecond() throws FileNotFoundException {
    Path log = log(TWO_AGENTS);
    List<String> lines = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      for (EncodableHistogram next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        Histogram histogram = (Histogram) next;
        lines.add(
            "%s %d %d"
                .formatted(
                    histogram.getTag(),
                    histogram.getStartTimeStamp() - START,
                    histogram.getTotalCount()));
      }
      assertThat(reader.getStartTimeSec()).isEqualTo(START / 1e3);
    }
    assertThat(lines)
        .containsExactly(
            "get 0 1",
            "get 0 2",
            "put 0 1",
            "put 1020 2",
            "put 1060 1",
            "get 2010 1",
            "put 2010 1",
            "get 2050 1");
  }

  /** As written before version 0.2: one line an operation, absolute times, no base time. */
  @Test
  void logsWithOneLineAnOperationAreStillRead() throws Exception {
    Path log = folder.resolve("old.hlog");
    Files.writeString(
        log,
        "#[Histogram log format version 1.3]\n"
            + "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
            + "Tag=put,1700000000.000,2.500,0.001,"
            + compressed(histogram(1, 2))
            + "\n");
    assertThat(counts(log)).containsExactly(Map.of("put", List.of(1L, 2L)));
  }

  @Test
  void aBrokenLogIsNamedInOneSentence() throws Exception {
    Path log = folder.resolve("broken.hlog");
    String whole = compressed(histogram(1, 2));
    for (String broken : List.of("notahistogram", "", "AAAA", whole.substring(0, 40))) {
      Files.writeString(log, "Tag=put,0.000,1.000,1.0," + broken + "\n");
      assertThatThrownBy(() -> Latencies.read(log))
          .isInstanceOf(RunException.class)
          .hasMessageContaining(log.toString());
      assertThatThrownBy(() -> Latencies.totals(log))
          .isInstanceOf(RunException.class)
          .hasMessageContaining(log.toString());
    }
  }

  private static List<Map<String, List<Long>>> counts(Path log) {
    return Latencies.read(log).intervals().stream()
        .map(
            interval -> {
              Map<String, List<Long>> values = new HashMap<>();
              interval
                  .byOperation()
                  .forEach(
                      (operation, counts) ->
                          values.put(operation, List.copyOf(counts.counts().keySet())));
              return values;
            })
        .toList();
  }

  private static Histogram histogram(long... nanos) {
    Histogram histogram = new Histogram(3);
    Arrays.stream(nanos).forEach(histogram::recordValue);
    return histogram;
  }

  private static Answer.Interval interval(double from, double to, Map<String, Histogram> by) {
    Map<String, String> encoded = new HashMap<>();
    by.forEach((operation, histogram) -> encoded.put(operation, HistogramText.encode(histogram)));
    return new Answer.Interval(from, to, encoded);
  }

  private static String compressed(Histogram histogram) {
    return HistogramText.encode(histogram).replaceFirst(".*,", "");
  }
}
