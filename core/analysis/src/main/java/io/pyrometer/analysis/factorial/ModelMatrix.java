package io.pyrometer.analysis.factorial;

import java.util.ArrayList;
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
   * @param terms the factors' indices in each term
   */
  ModelMatrix(List<Factor> factors, List<int[]> terms) {
    this.factors = factors;
    this.terms = terms;
    this.ends = new int[terms.size()];
    int column = 1;
    for (int t = 0; t < ends.length; t++) {
      column += width(terms.get(t));
      ends[t] = column;
    }
  }

  /** Main effects, then the given pairs. */
  static ModelMatrix of(List<Factor> factors, List<int[]> pairs) {
    List<int[]> terms = new ArrayList<>();
    IntStream.range(0, factors.size()).forEach(f -> terms.add(new int[] {f}));
    terms.addAll(pairs);
    return new ModelMatrix(factors, terms);
  }

  private int width(int[] term) {
    return IntStream.of(term)
        .map(f -> factors.get(f).levels().size() - 1)
        .reduce(1, (a, b) -> a * b);
  }

  int parameters() {
    return ends.length == 0 ? 1 : ends[ends.length - 1];
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

  String name(int term) {
    return IntStream.of(terms.get(term))
        .mapToObj(f -> factors.get(f).name())
        .collect(Collectors.joining(" × "));
  }

  int[] factorsOf(int term) {
    return terms.get(term).clone();
  }

  /** The row of a run with these levels, by their indices. */
  double[] row(int[] levels) {
    double[] row = new double[parameters()];
    row[0] = 1;
    for (int t = 0; t < terms.size(); t++) {
      double[] products = {1};
      for (int f : terms.get(t)) {
        products = times(products, code(levels[f], factors.get(f).levels().size()));
      }
      System.arraycopy(products, 0, row, from(t), products.length);
    }
    return row;
  }

  private static double[] times(double[] a, double[] b) {
    double[] products = new double[a.length * b.length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        products[i * b.length + j] = a[i] * b[j];
      }
    }
    return products;
  }

  /** The last level is −1 in every column, so that the columns sum to 0. */
  static double[] code(int level, int levels) {
    double[] code = new double[levels - 1];
    if (level == levels - 1) {
      Arrays.fill(code, -1);
    } else {
      code[level] = 1;
    }
    return code;
  }
}
