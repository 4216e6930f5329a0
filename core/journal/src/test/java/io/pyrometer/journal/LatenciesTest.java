package io.pyrometer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.LatencyCounts.Timing;
import io.pyrometer.protocol.Answer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatenciesTest {

  private static final long START = 1_700_000_000_000L;

  /** Two agents; in the second second no read ended at either. */
  private static final Latencies MERGED =
      Latencies.merged(
          List.of(
              finished(
                  interval(0, 1.02, Map.of("get", histogram(1, 2), "put", histogram(10))),
                  interval(1.02, 2.05, Map.of("put", histogram(20, 30))),
                  interval(2.05, 2.5, Map.of("get", histogram(3)))),
              finished(
                  interval(0, 1.06, Map.of("get", histogram(4))),
                  interval(1.06, 2.01, Map.of("put", histogram(40))),
                  interval(2.01, 2.49, Map.of("get", histogram(5), "put", histogram(50))))));

  @TempDir Path folder;

  @Test
  void agentsAreAddedSecondBySecond() {
    assertThat(MERGED.intervals()).hasSize(3);
    assertThat(histograms(MERGED.intervals().get(0)))
        .isEqualTo(Map.of("get", histogram(1, 2, 4), "put", histogram(10)));
    assertThat(histograms(MERGED.intervals().get(1)))
        .isEqualTo(Map.of("put", histogram(20, 30, 40)));
    assertThat(histograms(MERGED.intervals().get(2)))
        .isEqualTo(Map.of("get", histogram(3, 5), "put", histogram(50)));
  }

  @Test
  void anAgentWithCoarserIntervalsTakesTheOthersIn() {
    Latencies merged =
        Latencies.merged(
            List.of(
                finished(
                    interval(0, 1, Map.of("get", histogram(1))),
                    interval(1, 2, Map.of("get", histogram(2))),
                    interval(2, 3, Map.of("get", histogram(3)))),
                finished(
                    interval(0, 2, Map.of("get", histogram(4))),
                    interval(2, 3, Map.of("get", histogram(5))))));
    assertThat(merged.intervals()).hasSize(2);
    assertThat(merged.intervals().get(0).of("get")).contains(histogram(1, 2, 4));
    assertThat(merged.intervals().get(1).of("get")).contains(histogram(3, 5));
  }

  @Test
  void theIntervalsAddUpToTheWhole() {
    assertThat(MERGED.byOperation())
        .isEqualTo(Map.of("get", histogram(1, 2, 3, 4, 5), "put", histogram(10, 20, 30, 40, 50)));
    assertThat(MERGED.summary().get("get").count()).isEqualTo(5);
  }

  @Test
  void theLogGivesTheIntervalsBack() {
    Path log = folder.resolve("trial.hlog");
    MERGED.write(log, START);
    Latencies read = Latencies.read(log);
    assertThat(read.intervals()).hasSize(3);
    for (int i = 0; i < 3; i++) {
      Latencies.Interval expected = MERGED.intervals().get(i);
      Latencies.Interval found = read.intervals().get(i);
      assertThat(histograms(found)).isEqualTo(histograms(expected));
      assertThat(found.fromSeconds()).isEqualTo(expected.fromSeconds());
      assertThat(found.toSeconds())
          .isBetween(expected.toSeconds() - 1e-6, expected.toSeconds() + 1e-6);
    }
  }

  @Test
  void countsAreOfAllIntervalsTogetherAndOfNoneWhereThereIsNoLog() {
    Path log = folder.resolve("trial.hlog");
    MERGED.write(log, START);
    Map<String, LatencyCounts> counts = Latencies.counts(log, Timing.SENT);
    assertThat(counts.get("put").counts())
        .isEqualTo(Map.of(10L, 1L, 20L, 1L, 30L, 1L, 40L, 1L, 50L, 1L));
    assertThat(Latencies.counts(folder.resolve("absent.hlog"), Timing.SENT)).isEmpty();
    assertThatThrownBy(() -> Latencies.read(folder.resolve("absent.hlog")))
        .isInstanceOf(RunException.class);
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
    Files.writeString(log, "Tag=put,0.000,1.000,1.0," + encode(histogram) + "\n");
    assertThat(Latencies.counts(log, Timing.SENT).get("put").counts()).isEqualTo(expected);
  }

  /** The reference reader of the HdrHistogram project stands for other tools. */
  @Test
  void otherToolsReadOneTaggedLineForEachOperationAndSecond() throws FileNotFoundException {
    Path log = folder.resolve("trial.hlog");
    MERGED.write(log, START);
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
        .containsExactly("get 0 3", "put 0 1", "put 1020 3", "get 2050 2", "put 2050 1");
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
            + encode(histogram(1, 2))
            + "\n");
    assertThat(Latencies.read(log).byOperation()).isEqualTo(Map.of("put", histogram(1, 2)));
  }

  @Test
  void aBrokenLogIsNamedInOneSentence() throws Exception {
    Path log = folder.resolve("broken.hlog");
    String whole = encode(histogram(1, 2));
    for (String broken : List.of("notahistogram", "", "AAAA", whole.substring(0, 40))) {
      Files.writeString(log, "Tag=put,0.000,1.000,1.0," + broken + "\n");
      assertThatThrownBy(() -> Latencies.read(log))
          .isInstanceOf(RunException.class)
          .hasMessageContaining(log.toString());
      assertThatThrownBy(() -> Latencies.counts(log, Timing.SENT))
          .isInstanceOf(RunException.class)
          .hasMessageContaining(log.toString());
    }
  }

  private static Map<String, Histogram> histograms(Latencies.Interval interval) {
    return interval.compressed().keySet().stream()
        .collect(
            java.util.stream.Collectors.toMap(
                operation -> operation, operation -> interval.of(operation).orElseThrow()));
  }

  private static Histogram histogram(long... nanos) {
    Histogram histogram = new Histogram(3);
    Arrays.stream(nanos).forEach(histogram::recordValue);
    return histogram;
  }

  private static Answer.Interval interval(double from, double to, Map<String, Histogram> by) {
    return new Answer.Interval(
        from,
        to,
        by.entrySet().stream()
            .collect(
                java.util.stream.Collectors.toMap(Map.Entry::getKey, e -> encode(e.getValue()))));
  }

  private static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  private static Answer.Finished finished(Answer.Interval... intervals) {
    return new Answer.Finished(
        2.5, 10, 10, 0, 0, List.of(), List.of(intervals), 0, Optional.empty());
  }
}
