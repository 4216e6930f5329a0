package io.pyrometer.analysis.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Golden;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private static final JsonNode GOLDEN = Golden.json("coordinated-omission.json");

  private static Histogram histogram() {
    return new Histogram(1, 3_600_000_000L, 3);
  }

  private static LatencyCounts counts(Histogram histogram) {
    Map<Long, Long> counts = new TreeMap<>();
    histogram
        .recordedValues()
        .forEach(v -> counts.put(v.getValueIteratedTo(), v.getCountAddedInThisIterationStep()));
    return Counts.of(counts);
  }

  @Test
  void rawPercentilesAreThoseOfTheVectors() {
    Histogram histogram = histogram();
    histogram.recordValueWithCount(1000, 10_000);
    histogram.recordValue(100_000_000);
    LatencyCounts raw = counts(histogram);
    assertThat(raw.count()).isEqualTo(GOLDEN.get("raw_count").asLong());
    GOLDEN
        .get("raw")
        .properties()
        .forEach(
            e ->
                assertThat(raw.percentile(Double.parseDouble(e.getKey())))
                    .isEqualTo(e.getValue().asLong()));
  }

  @Test
  void histogramsAreAddedAndPercentilesNeverAveraged() {
    Histogram a = histogram();
    Histogram b = histogram();
    for (int i = 1; i <= 10_000; i++) {
      a.recordValue(i);
    }
    for (int i = 100; i <= 100_000; i += 100) {
      b.recordValue(i);
    }
    JsonNode merge = GOLDEN.get("merge");
    LatencyCounts x = counts(a);
    LatencyCounts y = counts(b);
    LatencyCounts both = LatencyCounts.merged(List.of(x, y));
    assertThat(x.percentile(99)).isEqualTo(merge.get("p99_A").asLong());
    assertThat(y.percentile(99)).isEqualTo(merge.get("p99_B").asLong());
    assertThat(both.percentile(99)).isEqualTo(merge.get("p99_merged").asLong());
    double average = (x.percentile(99) + y.percentile(99)) / 2.0;
    assertThat(average).isCloseTo(merge.get("average_of_p99_WRONG").asDouble(), within(0.5));
    assertThat((double) both.percentile(99)).isGreaterThan(1.5 * average);
    assertThat(both.count()).isEqualTo(merge.get("count").asLong());
  }

  @Test
  void aPercentileNeedsTenOperationsBeyondIt() {
    assertThat(Percentiles.samplesNeeded(50)).isEqualTo(20);
    assertThat(Percentiles.samplesNeeded(90)).isEqualTo(100);
    assertThat(Percentiles.samplesNeeded(99)).isEqualTo(1_000);
    assertThat(Percentiles.samplesNeeded(99.9)).isEqualTo(10_000);
    assertThat(Percentiles.samplesNeeded(99.99)).isEqualTo(100_000);
    assertThat(Percentiles.samplesNeeded(10)).isEqualTo(100);
    assertThatThrownBy(() -> Percentiles.samplesNeeded(100)).isInstanceOf(BadDataException.class);
  }

  private static Optional<Estimate> p99(List<LatencyCounts> replicates) {
    return Optional.ofNullable(
        Percentiles.estimates(replicates, LatencyCounts.merged(replicates), List.of(99.0), "µs")
            .get(99.0));
  }

  @Test
  void replicatesThatAgreeHaveAnIntervalThatHoldsTheirPercentile() {
    for (long micros = 1; micros <= 2_000; micros++) {
      LatencyCounts block = Counts.of(Map.of(micros, 5_000L));
      assertThat(p99(List.of(block, block)).orElseThrow().contains(micros)).isTrue();
    }
  }

  /** Student's t of 2 degrees by the spread of ln(1 + p99) of three blocks, around that of all. */
  @Test
  void theIntervalIsThatOfTheBlocksOwnPercentiles() {
    Estimate p99 = p99(List.of(all(1_000, 100), all(1_000, 110), all(1_000, 121))).orElseThrow();
    assertThat(p99.value()).isEqualTo(121);
    assertThat(p99.low()).isCloseTo(95.48558, within(1e-3));
    assertThat(p99.high()).isCloseTo(153.26139, within(1e-3));
  }

  private static LatencyCounts all(long operations, long latency) {
    return Counts.of(Map.of(latency, operations));
  }

  @Test
  void anIntervalHoldsThePercentileAndNothingBelowZero() {
    LatencyCounts usual = all(1_000, 100);
    Estimate one = p99(List.of(usual, usual, usual, usual, all(1_000_000, 50))).orElseThrow();
    assertThat(one.value()).isEqualTo(50);
    assertThat(one.contains(50)).isTrue();
    assertThat(one.low()).isPositive();
    LatencyCounts none = all(1_000, 0);
    assertThat(p99(List.of(none, all(1_000, 1))).orElseThrow().low()).isZero();
  }

  @Test
  void aPercentileWithoutEnoughOperationsIsNotShown() {
    assertThat(p99(Collections.nCopies(5, all(199, 100)))).isEmpty();
    assertThat(p99(Collections.nCopies(5, all(200, 100))).orElseThrow().replicates()).isEqualTo(5);
    assertThat(p99(List.of(all(2_000, 100))).orElseThrow().hasInterval()).isFalse();
  }

  @Test
  void nothingMeasuredIsRefused() {
    LatencyCounts none = Counts.of(Map.of());
    assertThatThrownBy(() -> none.percentile(50)).isInstanceOf(BadDataException.class);
    assertThatThrownBy(() -> LatencyCounts.merged(List.of())).isInstanceOf(BadDataException.class);
  }
}
