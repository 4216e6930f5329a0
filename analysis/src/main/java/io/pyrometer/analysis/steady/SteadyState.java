package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether a trial settled, and from which sample on. Both {@link Mser5} and {@link Pelt} must say
 * so: the first finds slow drifts, the second late jumps. Fewer than half of the launches of a
 * virtual machine reach a steady peak (Barrett and others, Virtual machine warmup blows hot and
 * cold, 2017), so 'never' is a regular answer.
 *
 * @param settled whether there is a steady part of at least half of the window
 * @param truncation how many samples to drop from the front; where nothing settled, the cut that
 *     leaves the least spread
 * @param steadyMean the mean of the samples after the cut
 * @param shape how throughput went
 * @param mser5 the verdict of the marginal standard error rule
 * @param segments the stretches that PELT found, for the plot
 */
public record SteadyState(
    boolean settled,
    int truncation,
    double steadyMean,
    Shape shape,
    Mser5 mser5,
    List<Segment> segments) {

  /** How throughput went over a trial. */
  public enum Shape {
    /** Steady from the first sample. */
    FLAT,
    /** It rose, then stayed. */
    WARM_UP,
    /** It fell, then stayed. */
    SLOW_DOWN,
    /** It never stayed. */
    UNSETTLED
  }

  /** Copies the list. */
  public SteadyState {
    segments = List.copyOf(segments);
  }

  /**
   * Judges a series.
   *
   * @param samples throughput at even times, at least 40
   * @throws io.pyrometer.analysis.BadDataException if there are fewer, or one is not finite
   */
  public static SteadyState of(double[] samples) {
    Mser5 mser5 = Mser5.of(samples);
    List<Segment> segments = Pelt.segments(samples);
    int steadyFrom = steadyFrom(segments);
    boolean settled = mser5.settled() && 2 * (samples.length - steadyFrom) >= samples.length;
    int truncation = settled ? Math.max(mser5.truncation(), steadyFrom) : mser5.truncation();
    double[] kept = Arrays.copyOfRange(samples, truncation, samples.length);
    double mean = Samples.mean(kept);
    Shape shape = settled ? shape(segments, steadyFrom, mean) : Shape.UNSETTLED;
    return new SteadyState(settled, truncation, mean, shape, mser5, segments);
  }

  /** Goes back from the last stretch while the means agree within 1 % or one standard deviation. */
  private static int steadyFrom(List<Segment> segments) {
    Segment last = segments.get(segments.size() - 1);
    double near = Math.max(0.01 * Math.abs(last.mean()), last.standardDeviation());
    int from = last.from();
    for (int i = segments.size() - 2; i >= 0; i--) {
      if (Math.abs(segments.get(i).mean() - last.mean()) > near) {
        break;
      }
      from = segments.get(i).from();
    }
    return from;
  }

  private static Shape shape(List<Segment> segments, int steadyFrom, double mean) {
    if (steadyFrom == 0) {
      return Shape.FLAT;
    }
    return segments.get(0).mean() < mean ? Shape.WARM_UP : Shape.SLOW_DOWN;
  }

  /**
   * The verdict in words.
   *
   * @param samplesPerSecond how many samples a second holds
   * @param unit of the samples, for example {@code ops/s}
   */
  public Finding finding(double samplesPerSecond, String unit) {
    double seconds = truncation / samplesPerSecond;
    String mean = Figures.plain(steadyMean) + " " + unit;
    String sentence =
        switch (shape) {
          case FLAT -> "The trial ran steadily from its start, at " + mean + ".";
          case WARM_UP -> "The trial warmed up for " + time(seconds) + ", then held " + mean + ".";
          case SLOW_DOWN ->
              "The trial slowed down for " + time(seconds) + ", then held " + mean + ".";
          case UNSETTLED ->
              "The trial never settled: its throughput still moved in the second half, so its mean"
                  + " of "
                  + mean
                  + " is not the steady state's.";
        };
    return new Finding(
        Finding.Kind.STEADY_STATE,
        settled ? Finding.Severity.INFO : Finding.Severity.WARNING,
        sentence,
        Map.of(),
        settled
            ? "A longer trial that moves again later."
            : "A longer warm-up, or a longer trial that does settle.");
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%s s", Figures.plain(seconds));
  }
}
