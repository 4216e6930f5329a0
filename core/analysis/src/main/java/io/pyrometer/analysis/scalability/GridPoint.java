package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;

/**
 * One replicate's throughput with {@code clients} on {@code nodes}.
 *
 * @param clients at least 1
 * @param nodes at least 1
 * @param throughput above 0
 */
public record GridPoint(double clients, double nodes, double throughput) {

  /** Throws {@link BadDataException} unless all are finite and in their ranges. */
  public GridPoint {
    boolean counts = clients >= 1 && nodes >= 1;
    boolean finite = Samples.usable(clients) && Samples.usable(nodes);
    if (!counts || !finite || !(throughput > 0) || !Samples.usable(throughput)) {
      throw BadDataException.of(
          "A throughput of %s with %s clients on %s nodes cannot be fitted; remove or repeat that"
              + " trial.",
          throughput, clients, nodes);
    }
  }
}
