package io.pyrometer.analysis;

/**
 * How to analyse a response.
 *
 * @param scale on which effects and residuals are taken to add
 * @param name of the response; of a fit against N, of what N counts, in the plural
 * @param unit of the response
 */
public record AnalysisOptions(ResponseScale scale, String name, String unit) {
  /** On ln y, for N nodes. */
  public static final AnalysisOptions DEFAULT = new AnalysisOptions(ResponseScale.LN, "nodes", "");

  /** These options on another scale. */
  public AnalysisOptions on(ResponseScale newScale) {
    return new AnalysisOptions(newScale, name, unit);
  }

  /** These options for another response. */
  public AnalysisOptions named(String newName, String newUnit) {
    return new AnalysisOptions(scale, newName, newUnit);
  }

  /** A mean on the scale of the analysis, back on that of the response. */
  public Estimate back(Estimate mean) {
    return mean.map(scale::back, unit);
  }

  /** A change on the scale of the analysis: a ratio on ln y, a difference on y. */
  public Estimate changed(Estimate change) {
    return scale == ResponseScale.LN ? change.exp() : change;
  }
}
