package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.mixed.ProfiledLikelihood.CrossProducts;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;

/**
 * A linear mixed-effects model y = Xβ + Σ Zₖbₖ + ε with bₖ ~ N(0, σₖ²I) and ε ~ N(0, σ²I), fitted
 * by restricted maximum likelihood.
 *
 * <p>The likelihood is profiled over β and σ² and minimised over the ratios ρₖ = σₖ²/σ² ≥ 0 (Bates,
 * Mächler, Bolker and Walker, Fitting Linear Mixed-Effects Models Using lme4, Journal of
 * Statistical Software 2015) by projected Newton steps on exact derivatives. Nothing of the size of
 * the number of observations squared is ever built: all derivatives follow from Z'PZ and Z'Py, as
 * P·V·P = P.
 */
public final class MixedModel {
  /** A relative step this small ends the search; the derivatives are exact. */
  private static final double CONVERGED = 1e-11;

  /**
   * Beyond a standard deviation of a thousand times the noise, as where values repeat exactly, the
   * noise is lost in the rounding of doubles, and the estimates with it.
   */
  private static final double MOST_RATIO = 1e6;

  private static final int MOST_STEPS = 200;
  private static final double[] STARTS = {0.1, 1, 20};

  /** Criteria this near are told apart by their derivatives alone. */
  private static final double EVEN = 1e-11;

  private final double[] y;
  private final double[][] x;
  private final List<Grouping> random;

  /** How many parameters were swept out of y and x before, as those of fixed blocks. */
  private final int swept;

  /** The ordinary least-squares estimates; sums of what they leave keep their digits. */
  private final double[] start;

  private final CrossProducts products;

  /**
   * A random effect: which of its groups each observation belongs to.
   *
   * @param name for example {@code block}
   * @param group of each observation, from 0 without gaps
   */
  @SuppressWarnings("ArrayRecordComponent") // copied in and out, never compared
  public record Grouping(String name, int[] group) {
    /** Copies the array. */
    public Grouping {
      group = group.clone();
    }

    /** A copy of the groups. */
    @Override
    public int[] group() {
      return group.clone();
    }

    /** Groups by equal labels, numbered in order of first appearance. */
    public static Grouping of(String name, List<?> labels) {
      List<?> distinct = labels.stream().distinct().toList();
      Map<Object, Integer> index = new HashMap<>();
      distinct.forEach(label -> index.put(label, index.size()));
      return new Grouping(
          name, labels.stream().mapToInt(label -> index.getOrDefault(label, 0)).toArray());
    }

    /** The number of groups. */
    public int groups() {
      return Arrays.stream(group).max().orElse(-1) + 1;
    }
  }

  private MixedModel(double[] y, double[][] x, List<Grouping> random, int swept) {
    this.swept = swept;
    this.y = y;
    this.x = x;
    this.random = List.copyOf(random);
    this.start =
        Matrices.cholesky(new Array2DRowRealMatrix(Matrices.gram(x), false))
            .getSolver()
            .getInverse()
            .operate(Matrices.times(x, y));
    this.products = new CrossProducts(without(y, x, start), x, this.random);
  }

  /**
   * Fits a model.
   *
   * @param y one value an observation, on the scale on which effects add
   * @param x the fixed effects' design, one row an observation; its columns must be independent
   * @param random the random effects; may be empty, which gives ordinary least squares. A grouping
   *     with a group for every observation cannot be told from the residual and is refused.
   * @throws BadDataException if there are no more observations than columns, or columns depend on
   *     each other
   */
  public static MixedFit fit(double[] y, double[][] x, List<Grouping> random) {
    Samples.checked(y, 2, "the response");
    if (x.length != y.length || random.stream().anyMatch(g -> g.group().length != y.length)) {
      throw BadDataException.of(
          "There are %d values but %d rows of the design; every value needs its row and its groups.",
          y.length, x.length);
    }
    if (y.length <= x[0].length) {
      throw BadDataException.of(
          "There are %d values for a model of %d parameters, which leaves nothing to judge them by; run more blocks or leave terms out.",
          y.length, x[0].length);
    }
    for (Grouping grouping : random) {
      if (grouping.groups() >= y.length) {
        throw BadDataException.of(
            "Every value has a %s of its own, so its variance cannot be separated from the noise.",
            grouping.name());
      }
    }
    if (Matrices.rank(Matrices.gram(x)) < x[0].length) {
      throw new BadDataException(
          "Terms of the model are aliased in these runs; leave one out or add runs.");
    }
    return new MixedModel(y, x, random, 0).fit(new double[y.length]);
  }

  /**
   * Fits ordinary least squares with one of the groupings as fixed effects, which are swept out:
   * what remains of y and of every column is its distance from the group's mean (Frisch and Waugh).
   * Takes thousands of groups. The coefficient of a constant column is that of the average group.
   *
   * @param x as in {@link #fit}, with a constant column
   * @throws BadDataException if nothing is left to judge by, or columns depend on each other or on
   *     the groups
   */
  public static MixedFit fitWithin(double[] y, double[][] x, Grouping fixed) {
    int groups = fixed.groups();
    int width = x[0].length + groups - 1;
    if (y.length <= width) {
      throw BadDataException.of(
          "There are %d values for a model of %d parameters, which leaves nothing to judge them by; run more blocks or leave terms out.",
          y.length, width);
    }
    int[] group = fixed.group();
    double[][] sweptX = swept(x, group, groups);
    double[][] column =
        Arrays.stream(y).mapToObj(each -> new double[] {each}).toArray(double[][]::new);
    double[] sweptY =
        Arrays.stream(swept(column, group, groups)).mapToDouble(row -> row[0]).toArray();
    if (Matrices.rank(Matrices.gram(sweptX)) < x[0].length) {
      throw new BadDataException(
          "Terms of the model are aliased in these runs; leave one out or add runs.");
    }
    int[] sizes = new int[groups];
    IntStream.of(group).forEach(g -> sizes[g]++);
    double[] leverage =
        IntStream.of(group).mapToDouble(g -> 1.0 / sizes[g] - 1.0 / y.length).toArray();
    return new MixedModel(sweptY, sweptX, List.of(), groups - 1).fit(leverage);
  }

  /** Every column's distances from the means of its groups, around the column's own mean. */
  public static double[][] swept(double[][] x, int[] group, int groups) {
    double[][] means = new double[groups][x[0].length];
    double[] mean = new double[x[0].length];
    int[] sizes = new int[groups];
    for (int i = 0; i < x.length; i++) {
      sizes[group[i]]++;
      for (int c = 0; c < mean.length; c++) {
        means[group[i]][c] += x[i][c];
        mean[c] += x[i][c] / x.length;
      }
    }
    double[][] swept = new double[x.length][mean.length];
    for (int i = 0; i < x.length; i++) {
      for (int c = 0; c < mean.length; c++) {
        swept[i][c] = x[i][c] - means[group[i]][c] / sizes[group[i]] + mean[c];
      }
    }
    return swept;
  }

  private static double[] without(double[] y, double[][] x, double[] beta) {
    return IntStream.range(0, y.length).mapToDouble(i -> y[i] - Matrices.dot(x[i], beta)).toArray();
  }

  /** −2 times the restricted log likelihood where every random effect has the same ratio. */
  static double criterion(double[] y, double[][] x, List<Grouping> random, double ratio) {
    MixedModel model = new MixedModel(y, x, random, 0);
    return model.at(model.all(ratio)).deviance;
  }

  private MixedFit fit(double[] sweptLeverage) {
    ProfiledLikelihood best =
        random.isEmpty()
            ? at(new double[0])
            : DoubleStream.of(STARTS)
                .mapToObj(ratio -> descend(at(all(ratio))))
                .reduce((one, other) -> other.deviance < one.deviance - 1e-9 ? other : one)
                .orElseThrow();
    return new MixedFit(y, x, random, products, best, swept, sweptLeverage, Optional.empty());
  }

  private double[] all(double ratio) {
    double[] ratios = new double[random.size()];
    Arrays.fill(ratios, ratio);
    return ratios;
  }

  private ProfiledLikelihood at(double[] ratios) {
    int free = y.length - x[0].length - swept;
    return new ProfiledLikelihood(products, start, free, ratios);
  }

  /** Newton's steps where the criterion is convex, those of the average information elsewhere. */
  private ProfiledLikelihood descend(ProfiledLikelihood from) {
    ProfiledLikelihood at = from;
    for (int step = 0; step < MOST_STEPS; step++) {
      int[] free = free(at);
      if (free.length == 0) {
        return at;
      }
      double[] direction = direction(at, free);
      ProfiledLikelihood next = downhill(at, free, direction);
      double moved = 0;
      for (int k = 0; k < at.ratios.length; k++) {
        double size = Math.max(at.ratios[k], next.ratios[k]);
        moved = Math.max(moved, Math.abs(next.ratios[k] - at.ratios[k]) / Math.max(size, 1e-12));
      }
      at = next;
      if (moved < CONVERGED) {
        return at;
      }
    }
    return at;
  }

  /** The ratios that may move: those above 0, and those at 0 that the criterion would raise. */
  private static int[] free(ProfiledLikelihood at) {
    return IntStream.range(0, at.ratios.length)
        .filter(k -> at.ratios[k] > 0 || at.gradient(k) < 0)
        .toArray();
  }

  private static double[] direction(ProfiledLikelihood at, int[] free) {
    for (boolean exact : new boolean[] {true, false}) {
      double[][] curvature = new double[free.length][free.length];
      for (int i = 0; i < free.length; i++) {
        for (int j = 0; j < free.length; j++) {
          curvature[i][j] = at.curvature(free[i], free[j], exact);
        }
        curvature[i][i] *= exact ? 1 : 1 + 1e-6;
      }
      RealMatrix matrix = new Array2DRowRealMatrix(curvature, false);
      if (Matrices.positive(matrix)) {
        double[] gradient = IntStream.of(free).mapToDouble(at::gradient).toArray();
        return Arrays.stream(
                Matrices.cholesky(matrix)
                    .getSolver()
                    .solve(MatrixUtils.createRealVector(gradient))
                    .toArray())
            .map(g -> -g)
            .toArray();
      }
    }
    return IntStream.of(free)
        .mapToDouble(k -> -Math.signum(at.gradient(k)) * 0.5 * Math.max(at.ratios[k], 0.01))
        .toArray();
  }

  private ProfiledLikelihood downhill(ProfiledLikelihood at, int[] free, double[] direction) {
    for (double length = 1; length > 1e-14; length /= 3) {
      double[] ratios = at.ratios.clone();
      for (int i = 0; i < free.length; i++) {
        double most = 20 * Math.max(ratios[free[i]], 0.05);
        double next = ratios[free[i]] + Math.min(most, length * direction[i]);
        ratios[free[i]] = Math.max(0, Math.min(MOST_RATIO, next));
      }
      ProfiledLikelihood next = at(ratios);
      boolean level = Math.abs(next.deviance - at.deviance) <= EVEN * Math.abs(at.deviance);
      if (next.deviance < at.deviance
          || (level && length == 1 && next.steepness() < at.steepness())) {
        return next;
      }
    }
    return at;
  }
}
