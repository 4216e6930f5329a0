package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Treatment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The effects of factors of any number of levels, from any set of runs: a linear model of main
 * effects and interactions, judged within blocks, and by the strata of a split plot where trials
 * share starts of processes. The terms of a regular design of two levels are its chains of aliased
 * effects. Without replicates, effects of orthogonal designs are judged by {@link Lenth}.
 *
 * @param design the regular design of two levels that the runs are; empty of other runs
 * @param terms the largest sum of squares first
 * @param levelMeans the mean at each level of each factor, the others averaged evenly
 * @param pairMeans the four means of each pair of factors of a regular design; else empty
 * @param total the sum of squares around the mean; of a regular design with the blocks in it
 * @param blocks the part of the total between blocks; 0 where they are no part of it
 * @param error the sum of squares that the model leaves
 * @param outliers values that do not belong with the others, the farthest first
 * @param lenth the limits for the effects of an orthogonal design that was run once
 * @param excluded the size on the scale of the analysis from which on an effect, or a difference
 *     between two levels of a factor, is excluded, all together; empty where nothing shows the
 *     noise
 * @param spreadsDiffer whether each treatment has a variance of its own
 */
public record FactorialEffects(
    AnalysisOptions options,
    Optional<TwoLevelDesign> design,
    List<Term> terms,
    List<CellMean> levelMeans,
    List<List<CellMean>> pairMeans,
    double total,
    double blocks,
    double error,
    int errorDegreesOfFreedom,
    List<Outlying> outliers,
    Optional<Lenth> lenth,
    OptionalDouble excluded,
    boolean spreadsDiffer) {
  /**
   * A factor or an interaction; of a regular design, a chain of aliased effects.
   *
   * @param name for example {@code nodes} or {@code nodes × mode}; of a chain that of its first
   * @param chain of a regular design
   * @param degreesOfFreedom the number of its parameters
   * @param sumOfSquares what leaving it out adds to the error
   * @param share of the total, 0…1; shares add up to less or more than the explained part where the
   *     runs are not balanced
   * @param plainShare of the variation of the response as it is, to compare with papers; of a
   *     regular design
   * @param f its mean square over the error's; empty without an error
   * @param p of so large an f, of this term alone
   * @param adjustedP p adjusted for all terms by Holm
   * @param change from the first to the second level, of a factor of two and of each chain, with
   *     its interval: a ratio on ln y, a difference on y
   * @param extremes of a factor of more levels; empty of other terms and without an error
   * @param active whether the adjusted p is below 0.05
   */
  public record Term(
      String name,
      Optional<AliasChain> chain,
      int degreesOfFreedom,
      double sumOfSquares,
      double share,
      OptionalDouble plainShare,
      OptionalDouble f,
      OptionalDouble p,
      OptionalDouble adjustedP,
      Optional<Estimate> change,
      Optional<Extremes> extremes,
      boolean active) {
    /** The change on a scale, 2q of an effect; 0 of terms that have none. */
    public double size(ResponseScale scale) {
      return change.map(estimate -> scale.forward(estimate.value())).orElse(0.0);
    }
  }

  /**
   * The ends of a factor's levels, by their means.
   *
   * @param difference largest against smallest: a ratio on ln y, a difference on y; its interval
   *     holds for all pairs of the factor's levels together
   * @param alike the other levels that are not significantly different from the largest, largest
   *     first
   */
  public record Extremes(
      String largest, String smallest, Estimate difference, List<String> alike) {}

  /**
   * A value that does not belong with the others.
   *
   * @param treatment its levels by factor
   * @param block empty where values share no blocks
   * @param expected what the others predict in its place
   * @param studentised its externally studentised residual
   * @param p corrected for the number of values (Bonferroni)
   */
  public record Outlying(
      Map<String, String> treatment,
      String block,
      double observed,
      double expected,
      double studentised,
      double p) {}

  /**
   * Analyses observations of any runs.
   *
   * @param interactions to be told from their factors' main effects, for example {@code nodes*mode}
   * @throws BadDataException if a factor has one level, there are fewer values than parameters, the
   *     response is constant, or a term is aliased or confounded with blocks or starts
   */
  public static FactorialEffects of(
      List<Observation> observations,
      List<String> factors,
      List<String> interactions,
      String response,
      AnalysisOptions options) {
    List<Factor> of = Factor.of(observations, factors);
    List<int[]> terms = new ArrayList<>();
    IntStream.range(0, of.size()).forEach(f -> terms.add(new int[] {f}));
    interactions.forEach(
        text -> terms.add(EffectAliases.factors(EffectAliases.parse(text, of)).toArray()));
    return new EffectAnalysis(
            new LevelData(observations, of, terms, response, options), Optional.empty(), options)
        .analyze();
  }

  /**
   * Analyses observations of a regular design of two levels, which is recognised from them.
   *
   * @throws BadDataException as {@link #of}, and if a factor has not two levels, the treatments are
   *     no regular fraction, or a block lacks a treatment
   */
  public static FactorialEffects ofDesign(
      List<Observation> observations,
      List<Factor> factors,
      String response,
      AnalysisOptions options) {
    List<Treatment> treatments =
        Treatment.group(observations, factors.stream().map(Factor::name).toList(), response);
    TwoLevelDesign design = TwoLevelDesign.of(treatments, factors);
    refuseIncomplete(treatments);
    List<int[]> terms =
        design.representatives().stream()
            .map(word -> EffectAliases.factors(word).toArray())
            .toList();
    return new EffectAnalysis(
            new LevelData(observations, factors, terms, response, options),
            Optional.of(design),
            options)
        .analyze();
  }

  /** Values of one treatment that share no block with any other have nothing in common either. */
  private static void refuseIncomplete(List<Treatment> treatments) {
    List<String> values =
        treatments.stream().flatMap(t -> t.replicates().keySet().stream()).toList();
    long blocks = values.stream().distinct().count();
    int each = treatments.get(0).replicates().size();
    boolean complete = values.size() == blocks * treatments.size();
    boolean unblocked =
        values.size() == blocks && treatments.stream().allMatch(t -> t.replicates().size() == each);
    if (!complete && !unblocked) {
      throw BadDataException.of(
          "%s of %s were not measured in every block; a model of several levels takes that.",
          Figures.count(blocks * treatments.size() - values.size(), "value"),
          Figures.count(treatments.size(), "treatment"));
    }
  }

  /** The term whose chain holds a word of factors, for example {@code BC} or {@code A}. */
  public Term term(String letters) {
    return terms.stream()
        .filter(term -> term.chain().stream().anyMatch(chain -> chain.holds(letters)))
        .findFirst()
        .orElseThrow(() -> BadDataException.of("This design has no effect %s.", letters));
  }

  /** True where there is an error to judge effects by. */
  public boolean replicated() {
    return errorDegreesOfFreedom > 0;
  }

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
}
