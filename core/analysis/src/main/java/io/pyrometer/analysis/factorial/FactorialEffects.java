package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a two-level experiment showed.
 *
 * @param data as analysed
 * @param mean of all runs, back on the scale of the response (geometric on ln y)
 * @param effects one for each alias chain, the largest |q| first: the order of the Pareto plot
 * @param total SST, the sum of squares around the mean on the scale of the analysis
 * @param error SSE, what neither effects nor blocks explain; 0 without replicates
 * @param blocks the sum of squares between blocks; 0 where they were left in the error
 * @param errorDegreesOfFreedom 0 without replicates
 * @param standardErrorOfQ s_e/√(nr); 0 without replicates
 * @param lenth the limits for effects without replicates, of the means with them; empty for fewer
 *     than 7 effects
 * @param outlyingRuns those that do not belong with the others, the farthest first
 * @param mainMeans the means at both levels of each factor
 * @param interactionMeans the four means of each pair of factors
 * @param untransformedShares letters to share of the variation of y itself, to compare with papers
 * @param findings in words, the most important first
 */
public record FactorialEffects(
    FactorialData data,
    FactorialOptions options,
    Estimate mean,
    List<Effect> effects,
    double total,
    double error,
    double blocks,
    int errorDegreesOfFreedom,
    double standardErrorOfQ,
    Optional<Lenth> lenth,
    List<OutlyingRun> outlyingRuns,
    List<CellMean> mainMeans,
    List<List<CellMean>> interactionMeans,
    Map<String, Double> untransformedShares,
    List<Finding> findings) {

  /** Copies the lists. */
  public FactorialEffects {
    effects = List.copyOf(effects);
    outlyingRuns = List.copyOf(outlyingRuns);
    mainMeans = List.copyOf(mainMeans);
    interactionMeans = List.copyOf(interactionMeans);
    untransformedShares = Collections.unmodifiableMap(new LinkedHashMap<>(untransformedShares));
    findings = List.copyOf(findings);
  }

  /**
   * Analyses an experiment.
   *
   * @throws BadDataException if the response has no logarithm where one is asked for
   */
  public static FactorialEffects of(FactorialData data, FactorialOptions options) {
    return new FactorialAnalysis(data, options).analyse();
  }

  /** Whether there is an error to judge effects by. */
  public boolean replicated() {
    return errorDegreesOfFreedom > 0;
  }

  /** The share of the variation that no effect and no block explains, 0…1. */
  public double unexplained() {
    return error / total;
  }

  /** The effect whose chain holds a word of factors, for example {@code BC} or {@code A}. */
  public Effect effect(String letters) {
    return effects.stream()
        .filter(e -> e.chain().terms().stream().anyMatch(t -> t.letters().equals(letters)))
        .findFirst()
        .orElseThrow(() -> BadDataException.of("This design has no effect %s.", letters));
  }
}
