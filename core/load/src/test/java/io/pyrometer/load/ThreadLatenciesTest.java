package io.pyrometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.HdrHistogram.Histogram;

final class ThreadLatenciesTest {

  @Property
  void takesWhatAHistogramWouldHoldSinceTheLastTime(
      @ForAll List<@LongRange(max = 86_400_000_000_000L) Long> earlier,
      @ForAll List<@LongRange(max = 86_400_000_000_000L) Long> later) {
    ThreadLatencies latencies = new ThreadLatencies();
    earlier.forEach(latencies::record);
    latencies.moveTo(new Histogram(Recording.DIGITS));
    later.forEach(latencies::record);
    Histogram taken = new Histogram(Recording.DIGITS);
    latencies.moveTo(taken);

    Histogram expected = new Histogram(Recording.DIGITS);
    later.forEach(expected::recordValue);
    assertThat(counts(taken)).isEqualTo(counts(expected));
  }

  private static List<List<Long>> counts(Histogram histogram) {
    List<List<Long>> counts = new ArrayList<>();
    histogram
        .recordedValues()
        .forEach(
            value ->
                counts.add(
                    List.of(
                        histogram.lowestEquivalentValue(value.getValueIteratedTo()),
                        value.getCountAtValueIteratedTo())));
    return counts;
  }
}
