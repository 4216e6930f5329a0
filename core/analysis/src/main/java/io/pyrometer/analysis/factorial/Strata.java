package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.blocks.Contrast;
import io.pyrometer.analysis.blocks.Grouping;
import io.pyrometer.analysis.blocks.LeastSquares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The strata of a split plot (Montgomery, Design and Analysis of Experiments, ch. 14): a term that
 * is constant within starts of processes is judged on the means of starts, one that is constant
 * within blocks on the means of blocks, every other term within the finest of them.
 */
final class Strata {
  private final ModelMatrix model;
  private final double[][] x;

  /** From the finest to the coarsest. */
  private final List<Grouping> units;

  /** By the number of units that its terms are constant within; empty without terms. */
  private final List<Optional<Stratum>> strata = new ArrayList<>();

  private record Stratum(LeastSquares fit, List<Integer> columns) {
    double[] weights(double[] all) {
      return columns.stream().mapToDouble(c -> all[c]).toArray();
    }
  }

  /**
   * Fits.
   *
   * @param units starts, then blocks; either may be missing
   * @param treatments of each row, whose spreads may differ where there are no starts
   * @throws BadDataException if a term cannot be separated from its units, or nothing is left to
   *     judge by
   */
  Strata(ModelMatrix model, double[][] x, double[] y, List<Grouping> units, Grouping treatments) {
    this.model = model;
    this.x = x;
    this.units = units;
    double[] left = y.clone();
    for (int level = 0; level <= units.size(); level++) {
      int[] columns = columns(level);
      if (columns.length == 1 && level > 0) {
        strata.add(Optional.empty());
        continue;
      }
      LeastSquares fit = fit(level, columns, left);
      if (level == 0 && (units.isEmpty() || !units.get(0).name().equals(LevelData.STARTS))) {
        fit = fit.withSpreads(y, treatments, units.stream().findFirst());
      }
      strata.add(Optional.of(new Stratum(fit, IntStream.of(columns).boxed().toList())));
      double[] beta = fit.coefficients();
      Arrays.setAll(
          left,
          i ->
              left[i]
                  - IntStream.range(1, columns.length)
                      .mapToDouble(c -> x[i][columns[c]] * beta[c])
                      .sum());
    }
  }

  private int[] columns(int level) {
    return IntStream.concat(
            IntStream.of(0),
            IntStream.range(0, model.terms())
                .filter(term -> level(term) == level)
                .flatMap(term -> IntStream.range(model.from(term), model.to(term))))
        .toArray();
  }

  private int level(int term) {
    return (int)
        units.stream()
            .filter(
                unit ->
                    IntStream.range(model.from(term), model.to(term))
                        .anyMatch(c -> isConstantWithin(unit, c)))
            .count();
  }

  private boolean isConstantWithin(Grouping unit, int column) {
    double[] means = unit.means(Arrays.stream(x).mapToDouble(row -> row[column]).toArray());
    int[] group = unit.group();
    return IntStream.range(0, x.length)
        .allMatch(i -> Math.abs(means[group[i]] - x[i][column]) < 1e-9);
  }

  private LeastSquares fit(int level, int[] columns, double[] left) {
    double[] y = left;
    double[][] own =
        Arrays.stream(x)
            .map(row -> IntStream.of(columns).mapToDouble(c -> row[c]).toArray())
            .toArray(double[][]::new);
    if (level > 0) {
      y = units.get(level - 1).means(left);
      own = units.get(level - 1).means(own);
    }
    try {
      return level == units.size()
          ? LeastSquares.fit(y, own)
          : LeastSquares.within(y, own, ofUnits(level));
    } catch (BadDataException tooFew) {
      if (level == 0) {
        throw tooFew;
      }
      throw confounded(level, units.get(level - 1));
    }
  }

  /** The units of a level, of the rows or of the means of the level before. */
  private Grouping ofUnits(int level) {
    if (level == 0) {
      return units.get(0);
    }
    int[] finer = units.get(level - 1).group();
    int[] coarser = units.get(level).group();
    Integer[] labels = new Integer[units.get(level - 1).groups()];
    IntStream.range(0, finer.length).forEach(i -> labels[finer[i]] = coarser[i]);
    return Grouping.of(units.get(level).name(), List.of(labels));
  }

  private BadDataException confounded(int level, Grouping unit) {
    int term =
        IntStream.range(0, model.terms()).filter(t -> level(t) == level).findFirst().orElseThrow();
    return BadDataException.of(
        "%1$s has one level in each of the %3$d %2$ss, so it may be their difference: run all levels in"
            + " each %2$s, or each level in several %2$ss.",
        model.name(term), unit.name(), unit.groups());
  }

  private Stratum of(int term) {
    return strata.get(level(term)).orElseThrow();
  }

  /** The fit that a term is judged by. */
  LeastSquares fit(int term) {
    return of(term).fit();
  }

  /** Within the finest units. */
  LeastSquares ofRows() {
    return strata.get(0).orElseThrow().fit();
  }

  /** A combination of the columns of one term, and of the mean. */
  Contrast contrast(int term, double[] weights) {
    return fit(term).contrast(of(term).weights(weights));
  }

  /** Tests all columns of a term at once. */
  LeastSquares.Test test(int term) {
    double[][] weights = new double[model.width(term)][];
    for (int i = 0; i < weights.length; i++) {
      double[] all = new double[x[0].length];
      all[model.from(term) + i] = 1;
      weights[i] = of(term).weights(all);
    }
    return fit(term).test(weights);
  }
}
