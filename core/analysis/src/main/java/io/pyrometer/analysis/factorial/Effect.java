package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import java.util.OptionalDouble;

/**
 * What one chain of aliased effects does to the response.
 *
 * @param chain the effects that are measured together; the first names them
 * @param q half the change from low to high, on the scale of the analysis; the interval is that of
 *     the replicates, or Lenth's without them
 * @param change from low to high: a ratio on ln y, a difference on y
 * @param sumOfSquares n·r·q²
 * @param share of the total variation, 0…1
 * @param p two-sided, of this effect alone; empty without replicates
 * @param adjustedP adjusted for all effects by Holm; empty without replicates
 * @param lenthT 2q over Lenth's pseudo standard error; 0 where there is none
 * @param active whether it is statistically significant
 */
public record Effect(
    AliasChain chain,
    Estimate q,
    Estimate change,
    double sumOfSquares,
    double share,
    OptionalDouble p,
    OptionalDouble adjustedP,
    double lenthT,
    boolean active) {

  /** 2q: the whole change from low to high on the scale of the analysis. */
  public double size() {
    return 2 * q.value();
  }
}
