package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.HistogramText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class IntervalHistogramsTest {

  private static final List<String> OPERATIONS = List.of("get", "put");

  private final Recording one = new Recording(2, true);
  private final Recording other = new Recording(2, false);
  private final IntervalHistograms histograms =
      new IntervalHistograms(OPERATIONS, List.of(one, other));

  @Property(tries = 100)
  void theIntervalsAddUpToTheWhole(
      @ForAll @Size(min = 1, max = 300) List<@LongRange(max = 1L << 40) Long> nanos,
      @ForAll @IntRange(min = 1, max = 2_000) int millisBetweenCalls) {
    Histogram[] whole = {new Histogram(3), new Histogram(3)};
    histograms.restart(0);
    long now = 0;
    for (int i = 0; i < nanos.size(); i++) {
      (i % 3 == 0 ? one : other).ended(i % 2, nanos.get(i), 0, 0, 1);
      whole[i % 2].recordValue(nanos.get(i));
      now += TimeUnit.MILLISECONDS.toNanos(millisBetweenCalls);
      histograms.tick(now);
    }
    List<Answer.Interval> intervals = histograms.end(now);
    for (int operation = 0; operation < 2; operation++) {
      assertThat(sum(intervals, OPERATIONS.get(operation))).isEqualTo(whole[operation]);
    }
  }

  @Test
  void everySecondHasItsOwnCalls() throws Exception {
    histograms.restart(seconds(5));
    one.ended(0, 1_000, 0, 0, 1);
    histograms.tick(seconds(5.9));
    one.ended(0, 2_000, 0, 0, 1);
    histograms.tick(seconds(6.05));
    histograms.tick(seconds(7.02));
    one.ended(1, 3_000, 0, 0, 1);
    List<Answer.Interval> intervals = histograms.end(seconds(7.5));
    assertThat(intervals).extracting(Answer.Interval::fromSeconds).containsExactly(0.0, 1.05, 2.02);
    assertThat(intervals).extracting(Answer.Interval::toSeconds).containsExactly(1.05, 2.02, 2.5);
    assertThat(HistogramText.decode(intervals.get(0).histograms().get("get")).getTotalCount())
        .isEqualTo(2);
    assertThat(intervals.get(1).histograms()).isEmpty();
    assertThat(intervals.get(2).histograms()).containsOnlyKeys("put");
  }

  @Test
  void whatWasRecordedBeforeTheWindowIsForgotten() {
    histograms.restart(0);
    one.ended(0, 1_000, 0, 0, 1);
    histograms.tick(seconds(1));
    one.ended(0, 1_000, 0, 0, 1);
    histograms.restart(seconds(2));
    assertThat(histograms.end(seconds(2.5))).containsExactly(new Answer.Interval(0, 0.5, Map.of()));
  }

  @Test
  void aLongWindowHasABoundedNumberOfIntervalsAndLosesNoCall() {
    histograms.restart(0);
    int seconds = 4_000;
    for (int second = 1; second <= seconds; second++) {
      one.ended(0, second * 1_000L, 0, 0, 1);
      histograms.tick(seconds(second));
    }
    List<Answer.Interval> intervals = histograms.end(seconds(seconds));
    assertThat(intervals).hasSizeBetween(IntervalHistograms.MOST / 2, IntervalHistograms.MOST);
    assertThat(sum(intervals, "get").getTotalCount()).isEqualTo(seconds);
    double end = 0;
    for (Answer.Interval interval : intervals) {
      assertThat(interval.fromSeconds()).isEqualTo(end);
      end = interval.toSeconds();
    }
    assertThat(end).isEqualTo(seconds);
  }

  private static Histogram sum(List<Answer.Interval> intervals, String operation) {
    Histogram sum = new Histogram(3);
    for (Answer.Interval interval : intervals) {
      if (interval.histograms().containsKey(operation)) {
        sum.add(HistogramText.decode(interval.histograms().get(operation)));
      }
    }
    return sum;
  }

  private static long seconds(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
