package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Samples;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether a trial settled, and from which sample on. {@link Mser5} finds slow drifts and {@link
 * Pelt} late jumps; where either calls a series unsettled, {@link Drift} decides by how much its
 * last quarter still differs from the one before, since both take noise alone for movement in one
 * flat series of ten. Samples that a pause has made outlying are replaced first. Fewer than half of
 * the launches of a virtual machine reach a steady peak (Barrett and others, Virtual machine warmup
 * blows hot and cold, 2017), so 'never' is a regular answer.
 *
 * @param settled whether there is a steady part of at least half of the window
 * @param truncation how many samples to drop from the front; where nothing settled, the cut that
 *     leaves the least spread
 * @param steadyMean the mean of the samples after the cut, pauses included
 * @param shape how throughput went
 * @param lastQuarter the ratio of the last quarter of the samples to the one before
 */
public record SteadyState(
    boolean settled, int truncation, double steadyMean, Shape shape, Estimate lastQuarter) {

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

  /**
   * Judges a series.
   *
   * @param samples throughput at even times, at least 40
   * @throws io.pyrometer.analysis.BadDataException if there are fewer, or one is not finite
   */
  public static SteadyState of(double[] samples) {
    Samples.checked(samples, Mser5.LEAST_SAMPLES, "the time series");
    double[] calm = Drift.withoutPauses(samples);
    Mser5 mser5 = Mser5.of(calm);
    List<Segment> segments = Pelt.segments(calm);
    int steadyFrom = steadyFrom(segments);
    Estimate drift = Drift.lastQuarter(calm);
    boolean atOnce = mser5.settled() && 2 * (samples.length - steadyFrom) >= samples.length;
    boolean settled = atOnce ? !Drift.moves(drift) : Drift.still(drift);
    int rest = Drift.differs(calm) ? samples.length / 2 : 0;
    int truncation =
        !settled ? mser5.truncation() : atOnce ? Math.max(mser5.truncation(), steadyFrom) : rest;
    double[] kept = Arrays.copyOfRange(samples, truncation, samples.length);
    double mean = Samples.mean(kept);
    Shape shape =
        !settled
            ? Shape.UNSETTLED
            : atOnce ? shape(segments, steadyFrom, mean) : shape(segments, rest, mean);
    return new SteadyState(settled, truncation, mean, shape, drift);
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
          case UNSETTLED -> unsettled(mean);
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

  private String unsettled(String mean) {
    String quarter =
        "its last quarter differs from the one before by %s (%s interval %s to %s)"
            .formatted(
                Figures.change(lastQuarter.value()),
                Figures.percent(lastQuarter.confidence()),
                Figures.change(lastQuarter.low()),
                Figures.change(lastQuarter.high()));
    return Drift.moves(lastQuarter)
        ? "The trial had not settled: %s, so its mean of %s is not the steady state's."
            .formatted(quarter, mean)
        : "The trial moves between levels: %s, so how long it would hold its mean of %s is not known."
            .formatted(quarter, mean);
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%s s", Figures.plain(seconds));
  }
}
