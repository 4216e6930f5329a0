package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Treatment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A regular design of factors with two levels each: 2^k runs, or a fraction 2^(k−p) of them that is
 * fixed by its defining relation. Immutable. Made by {@link Designs}.
 */
public final class TwoLevelDesign {
  private final List<Factor> factors;
  private final int[][] signs;

  /** Words whose product is the same in every run, and that product. */
  private final Map<Integer, Integer> defining;

  TwoLevelDesign(List<Factor> factors, int[][] signs) {
    this.factors = List.copyOf(factors);
    this.signs = signs;
    this.defining = constantWords();
    long covered = (long) signs.length * (defining.size() + 1);
    if (covered != 1L << factors.size()
        || Arrays.stream(signs).map(Arrays::toString).distinct().count() != signs.length) {
      throw BadDataException.of(
          "The %d runs of %d factors are no regular fraction of all %d; analyse them by levels"
              + " instead.",
          signs.length, factors.size(), 1L << factors.size());
    }
  }

  /**
   * Recognises the design behind treatments.
   *
   * @throws BadDataException if a factor has not two levels, two factors have the same levels in
   *     every run, or the treatments are no regular fraction
   */
  static TwoLevelDesign of(List<Treatment> treatments, List<Factor> factors) {
    Designs.checked(factors);
    int[][] signs =
        treatments.stream()
            .map(
                t ->
                    factors.stream()
                        .mapToInt(f -> f.low().equals(t.levels().get(f.name())) ? -1 : 1)
                        .toArray())
            .toArray(int[][]::new);
    TwoLevelDesign design = new TwoLevelDesign(factors, signs);
    if (design.resolution() == 2) {
      throw BadDataException.of(
          "Two factors have the same levels in every run (%s); leave one out.",
          design.definingRelation());
    }
    return design;
  }

  private Map<Integer, Integer> constantWords() {
    Map<Integer, Integer> words = new TreeMap<>(EffectAliases.BY_LENGTH);
    for (int word = 1; word < 1 << factors.size(); word++) {
      int first = product(0, word);
      int of = word;
      if (IntStream.range(1, signs.length).allMatch(run -> product(run, of) == first)) {
        words.put(word, first);
      }
    }
    return words;
  }

  /** The factors, A first. */
  public List<Factor> factors() {
    return factors;
  }

  /** The number of runs. */
  public int runs() {
    return signs.length;
  }

  /** Factor name to level of one run. */
  public Map<String, String> levels(int run) {
    Map<String, String> levels = new LinkedHashMap<>();
    for (int f = 0; f < factors.size(); f++) {
      Factor factor = factors.get(f);
      levels.put(factor.name(), signs[run][f] < 0 ? factor.low() : factor.high());
    }
    return Collections.unmodifiableMap(levels);
  }

  private int product(int run, int word) {
    int product = 1;
    for (int f = 0; f < factors.size(); f++) {
      product *= (word & 1 << f) != 0 ? signs[run][f] : 1;
    }
    return product;
  }

  /** A row for each run, −1 or +1 for each factor. */
  public int[][] signs() {
    return Arrays.stream(signs).map(int[]::clone).toArray(int[][]::new);
  }

  /** The least number of factors in a word of the defining relation; 0 of a full design. */
  public int resolution() {
    return defining.keySet().stream().mapToInt(Integer::bitCount).min().orElse(0);
  }

  /** {@code I=ABE=CDF=ABCDEF}; {@code I} of a full design. */
  public String definingRelation() {
    return defining.entrySet().stream()
        .map(e -> (e.getValue() < 0 ? "=−" : "=") + EffectAliases.letters(e.getKey()))
        .collect(Collectors.joining("", "I", ""));
  }

  /** All effects but the mean, aliased ones in one chain; simplest first. */
  public List<AliasChain> aliasChains() {
    return representatives().stream().map(this::chain).toList();
  }

  /** The simplest word of every chain. */
  List<Integer> representatives() {
    Set<Integer> seen = new HashSet<>(defining.keySet());
    List<Integer> representatives = new ArrayList<>();
    List<Integer> words =
        IntStream.range(1, 1 << factors.size()).boxed().sorted(EffectAliases.BY_LENGTH).toList();
    for (int word : words) {
      if (seen.add(word)) {
        representatives.add(word);
        defining.keySet().forEach(w -> seen.add(w ^ word));
      }
    }
    return representatives;
  }

  AliasChain chain(int word) {
    Map<Integer, Integer> terms = new TreeMap<>(EffectAliases.BY_LENGTH);
    terms.put(word, 1);
    defining.forEach((w, sign) -> terms.put(w ^ word, sign));
    int first = terms.values().iterator().next();
    return new AliasChain(
        terms.entrySet().stream()
            .map(
                e ->
                    new AliasChain.Term(
                        EffectAliases.letters(e.getKey()),
                        EffectAliases.names(e.getKey(), factors),
                        Integer.bitCount(e.getKey()),
                        e.getValue() * first))
            .toList());
  }

  /**
   * The runs with every level reversed: run after this design, they part main effects from pairs.
   */
  public TwoLevelDesign foldover() {
    return new TwoLevelDesign(
        factors,
        Arrays.stream(signs)
            .map(run -> Arrays.stream(run).map(sign -> -sign).toArray())
            .toArray(int[][]::new));
  }

  /**
   * This design and its foldover together.
   *
   * @throws BadDataException if both have the same runs, as where all words are even
   */
  public TwoLevelDesign withFoldover() {
    return new TwoLevelDesign(
        factors, Stream.of(signs, foldover().signs).flatMap(Arrays::stream).toArray(int[][]::new));
  }
}
