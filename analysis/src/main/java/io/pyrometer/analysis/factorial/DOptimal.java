package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;

/**
 * Designs for factors of any number of levels: of all designs of their size (as far as is looked)
 * those with the largest det(XᵀX), so the smallest joint interval of the effects. Found by
 * exchanging one level of one run at a time (Meyer and Nachtsheim, The coordinate-exchange
 * algorithm, 1995) from 20 random starts.
 */
public final class DOptimal {
  private static final int STARTS = 20;
  private static final int MOST_SWEEPS = 60;
  private static final int REPLICATED_RUNS = 4;
  private static final double RUNS_PER_PARAMETER = 1.5;

  /** Keeps XᵀX of a random start from being singular; too small to matter afterwards. */
  private static final double RIDGE = 1e-6;

  private final List<Factor> factors;
  private final ModelMatrix model;
  private final RandomGenerator random;

  private DOptimal(List<Factor> factors, ModelMatrix model, RandomGenerator random) {
    this.factors = factors;
    this.model = model;
    this.random = random;
  }

  /**
   * A design.
   *
   * @param runs factor name to level of each run, the last four being repeats of earlier ones
   * @param parameters of the model: the mean, the main effects and the interactions asked for
   * @param logDeterminant ln det(XᵀX) of the runs without the repeats, to compare designs by
   */
  public record Design(
      List<Factor> factors, List<Map<String, String>> runs, int parameters, double logDeterminant) {
    /** Copies the lists. */
    public Design {
      factors = List.copyOf(factors);
      runs = List.copyOf(runs);
    }
  }

  /** The least number of runs before the repeats: 1.5 for each parameter. */
  public static int leastRuns(List<Factor> factors, List<String> interactions) {
    return (int) Math.ceil(RUNS_PER_PARAMETER * model(factors, interactions).parameters());
  }

  /**
   * Searches for a design of {@code runs} different runs or more, and repeats four of them.
   *
   * @param interactions of two factors that the model holds, for example {@code nodes*mode}
   * @param random decides the starts; the same seed gives the same design
   * @throws BadDataException if {@code runs} is below {@link #leastRuns}
   */
  public static Design search(
      List<Factor> factors, List<String> interactions, int runs, RandomGenerator random) {
    ModelMatrix model = model(factors, interactions);
    int least = leastRuns(factors, interactions);
    if (runs < least) {
      throw BadDataException.of(
          "%d runs are too few for a model of %d parameters; take %d or more, or drop interactions.",
          runs, model.parameters(), least);
    }
    DOptimal search = new DOptimal(factors, model, random);
    Candidate best = search.improved(search.start(runs));
    for (int i = 1; i < STARTS; i++) {
      Candidate other = search.improved(search.start(runs));
      best = other.logDeterminant() > best.logDeterminant() ? other : best;
    }
    return search.design(best);
  }

  private static ModelMatrix model(List<Factor> factors, List<String> interactions) {
    List<int[]> pairs =
        interactions.stream()
            .map(text -> Words.factors(Words.parse(text, factors)).toArray())
            .toList();
    return ModelMatrix.of(factors, pairs);
  }

  private record Candidate(List<int[]> rows, double logDeterminant) {}

  private List<int[]> start(int runs) {
    List<int[]> rows = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      rows.add(factors.stream().mapToInt(f -> random.nextInt(f.levels().size())).toArray());
    }
    return rows;
  }

  private Candidate improved(List<int[]> rows) {
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      RealMatrix inverse = inverse(rows);
      boolean changed = false;
      for (int[] row : rows) {
        for (int f = 0; f < row.length; f++) {
          int better = betterLevel(row, f, inverse);
          if (better != row[f]) {
            row[f] = better;
            inverse = inverse(rows);
            changed = true;
          }
        }
      }
      if (!changed) {
        break;
      }
    }
    return new Candidate(rows, logDeterminant(rows));
  }

  /** The level that raises the determinant most, by the factor that a swap of rows changes it. */
  private int betterLevel(int[] row, int factor, RealMatrix inverse) {
    double[] now = model.row(row);
    double[] inverseNow = inverse.operate(now);
    double own = dot(now, inverseNow);
    int best = row[factor];
    double largest = 1 + 1e-9;
    int[] other = row.clone();
    for (int level = 0; level < factors.get(factor).levels().size(); level++) {
      if (level != row[factor]) {
        other[factor] = level;
        double[] then = model.row(other);
        double mixed = dot(then, inverseNow);
        double growth = (1 + dot(then, inverse.operate(then))) * (1 - own) + mixed * mixed;
        if (growth > largest) {
          largest = growth;
          best = level;
        }
      }
    }
    return best;
  }

  private RealMatrix information(List<int[]> rows) {
    double[][] x = rows.stream().map(model::row).toArray(double[][]::new);
    RealMatrix matrix = new Array2DRowRealMatrix(x, false);
    RealMatrix ridge = MatrixUtils.createRealIdentityMatrix(x[0].length).scalarMultiply(RIDGE);
    return matrix.transposeMultiply(matrix).add(ridge);
  }

  private RealMatrix inverse(List<int[]> rows) {
    return cholesky(rows).getSolver().getInverse();
  }

  private double logDeterminant(List<int[]> rows) {
    RealMatrix l = cholesky(rows).getL();
    double log = 0;
    for (int i = 0; i < l.getRowDimension(); i++) {
      log += 2 * Math.log(l.getEntry(i, i));
    }
    return log;
  }

  private CholeskyDecomposition cholesky(List<int[]> rows) {
    return new CholeskyDecomposition(information(rows), 1e-9, 1e-14);
  }

  private Design design(Candidate best) {
    List<int[]> rows = new ArrayList<>(best.rows());
    rows.sort(Arrays::compare);
    List<int[]> repeated = new ArrayList<>();
    for (int i = 0; i < REPLICATED_RUNS; i++) {
      repeated.add(rows.get(i * (rows.size() - 1) / (REPLICATED_RUNS - 1)));
    }
    rows.addAll(repeated);
    return new Design(
        factors,
        rows.stream().map(this::levels).toList(),
        model.parameters(),
        best.logDeterminant());
  }

  private Map<String, String> levels(int[] row) {
    Map<String, String> levels = new LinkedHashMap<>();
    for (int f = 0; f < row.length; f++) {
      levels.put(factors.get(f).name(), factors.get(f).levels().get(row[f]));
    }
    return levels;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
