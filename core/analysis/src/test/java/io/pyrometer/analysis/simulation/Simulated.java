package io.pyrometer.analysis.simulation;

import java.util.Locale;

/**
 * How often a claim came true.
 *
 * @param share of the cases, from 0 to 1
 * @param least the share allowed
 */
record Simulated(String claim, String how, double share, int cases, double least, double most) {

  /** Within the limits, widened by three standard errors of so many cases and by one case. */
  boolean holds() {
    double slack = 3 * Math.sqrt(Math.max(most * (1 - most), 0.01) / cases) + 1.0 / cases;
    return share >= least - slack && share <= most + slack;
  }

  /** A row of the table, which says so where the share is outside its limits. */
  String row() {
    String outside =
        holds()
            ? ""
            : String.format(Locale.ROOT, ", **outside %.0f to %.0f**", 100 * least, 100 * most);
    return String.format(
        Locale.ROOT, "| %s | %s | %.1f (%,d)%s |", claim, how, 100 * share, cases, outside);
  }
}
