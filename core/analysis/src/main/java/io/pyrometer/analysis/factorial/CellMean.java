package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.Estimate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The mean response over all runs with certain levels, geometric on ln y; for main-effect and
 * interaction plots.
 *
 * @param levels factor name to level, of one factor or of two
 */
public record CellMean(Map<String, String> levels, Estimate mean) {

  /** Copies the levels, keeping their order. */
  public CellMean {
    levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
  }
}
