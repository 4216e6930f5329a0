package io.pyrometer.analysis.factorial;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The columns of a linear model of factors with any number of levels: a factor of l levels has l−1
 * columns that sum to 0 over its levels, an interaction the products of its factors' columns.
 */
final class ModelMatrix {
  private final List<Factor> factors;
  private final List<int[]> terms;

  /** The column after each term's last; the mean has column 0. */
  private final int[] ends;

  /**
   * Lays the columns out.
   *
   * @param terms the factors' indices in each term; the main effects first
   */
  ModelMatrix(List<Factor> factors, List<int[]> terms) {
    this.factors = factors;
    this.terms = terms;
    this.ends = terms.stream().mapToInt(this::width).toArray();
    Arrays.parallelPrefix(ends, Integer::sum);
    Arrays.setAll(ends, t -> ends[t] + 1);
  }

  private int width(int[] term) {
    return IntStream.of(term)
        .map(f -> factors.get(f).levels().size() - 1)
        .reduce(1, (a, b) -> a * b);
  }

  int terms() {
    return terms.size();
  }

  int from(int term) {
    return term == 0 ? 1 : ends[term - 1];
  }

  int to(int term) {
    return ends[term];
  }

  /** The number of a term's columns. */
  int width(int term) {
    return to(term) - from(term);
  }

  String name(int term) {
    return IntStream.of(terms.get(term))
        .mapToObj(f -> factors.get(f).name())
        .collect(Collectors.joining(" × "));
  }

  /** The index of the factor whose main effect a term is; −1 of interactions. */
  int mainEffect(int term) {
    return terms.get(term).length == 1 ? terms.get(term)[0] : -1;
  }

  /** The factors of a term as the bits of a word of {@link EffectAliases}. */
  int word(int term) {
    return IntStream.of(terms.get(term)).map(factor -> 1 << factor).sum();
  }

  /** The sign of a term's column, of factors with two levels, where all have their second one. */
  int signOfHigh(int term) {
    return terms.get(term).length % 2 == 0 ? 1 : -1;
  }

  /** The row of a run with these levels, by their indices. */
  double[] row(int[] levels) {
    double[] row = new double[ends[ends.length - 1]];
    row[0] = 1;
    for (int t = 0; t < terms.size(); t++) {
      double[] products = {1};
      for (int f : terms.get(t)) {
        double[] code = code(f, levels[f]);
        products =
            Arrays.stream(products)
                .flatMap(product -> Arrays.stream(code).map(c -> product * c))
                .toArray();
      }
      System.arraycopy(products, 0, row, from(t), products.length);
    }
    return row;
  }

  /** The last level is −1 in every column, so that the columns sum to 0. */
  double[] code(int factor, int level) {
    double[] code = new double[factors.get(factor).levels().size() - 1];
    if (level == code.length) {
      Arrays.fill(code, -1);
    } else {
      code[level] = 1;
    }
    return code;
  }

  /** The weights of the coefficients in the distance of a level's mean from the mean of all. */
  double[] weights(int factor, int level) {
    double[] weights = new double[ends[ends.length - 1]];
    double[] code = code(factor, level);
    System.arraycopy(code, 0, weights, from(factor), code.length);
    return weights;
  }
}
