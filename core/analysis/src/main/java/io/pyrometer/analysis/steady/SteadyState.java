package io.pyrometer.analysis.steady;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.steady.Pelt.Segment;
import java.util.List;

/**
 * Whether a trial settled, and from which sample on. {@link Mser5} finds slow drifts and {@link
 * Pelt} late jumps; where either calls a series unsettled, {@link Drift} decides by how much its
 * last quarter still differs from the one before, since both take noise alone for movement in one
 * flat series of ten. Outlying samples, as of GC pauses, are replaced first. Fewer than half of the
 * launches of a virtual machine reach a steady peak (Barrett and others, Virtual machine warmup
 * blows hot and cold, 2017), so 'never' is a regular answer.
 *
 * @param settled whether there is a steady part of at least half of the window
 * @param truncation how many samples to drop from the front; where nothing settled, the cut that
 *     leaves the least spread
 */
public record SteadyState(boolean settled, int truncation) {

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
    int steadyFrom = steadyFrom(Pelt.segments(calm));
    Estimate drift = Drift.lastQuarter(calm);
    boolean atOnce = mser5.settled() && 2 * (samples.length - steadyFrom) >= samples.length;
    if (!(atOnce ? !Drift.moves(drift) : Drift.still(drift))) {
      return new SteadyState(false, mser5.truncation());
    }
    int rest = Drift.differs(calm) ? samples.length / 2 : 0;
    return new SteadyState(true, atOnce ? Math.max(mser5.truncation(), steadyFrom) : rest);
  }

  /** Goes back from the last stretch while the means agree within 1 % or one standard deviation. */
  private static int steadyFrom(List<Segment> segments) {
    Segment last = segments.get(segments.size() - 1);
    double near = Math.max(0.01 * Math.abs(last.mean()), Math.sqrt(last.variance()));
    int from = last.from();
    for (int i = segments.size() - 2; i >= 0; i--) {
      if (Math.abs(segments.get(i).mean() - last.mean()) > near) {
        break;
      }
      from = segments.get(i).from();
    }
    return from;
  }
}
