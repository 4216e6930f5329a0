package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.blocks.Grouping;
import io.pyrometer.analysis.blocks.Matrices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hipparchus.linear.MatrixUtils;

/** Observations as a regression: one row a treatment and block. */
final class LevelData {
  static final String STARTS = "start of processes";

  final List<Factor> factors;
  final ModelMatrix model;

  /** The model's columns. */
  final double[][] x;

  /** The response on the scale of the analysis. */
  final double[] y;

  /** The block of each row. */
  private final List<String> block = new ArrayList<>();

  /** The treatment of each row. */
  final List<Map<String, String>> treatments = new ArrayList<>();

  private final Grouping blocks;

  /** True where the effects of the blocks are to be taken out. */
  private final boolean blocked;

  /** The start of processes of each row, where some rows of a block share one and others do not. */
  private final Optional<Grouping> starts;

  /** Products of the columns and of y around its mean, which is last, with the blocks taken out. */
  private final double[][] products;

  /**
   * Lays the rows out.
   *
   * @param terms the factors' indices in each term; the main effects first
   */
  LevelData(
      List<Observation> observations,
      List<Factor> factors,
      List<int[]> terms,
      String response,
      AnalysisOptions options) {
    this.factors = factors;
    model = new ModelMatrix(factors, terms);
    List<Observation> byStart =
        observations.stream()
            .map(o -> new Observation(o.levels(), o.block() + '\n' + o.start(), o.values()))
            .toList();
    List<Treatment> groups =
        Treatment.group(byStart, factors.stream().map(Factor::name).toList(), response);
    List<double[]> rows = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    List<String> ofStart = new ArrayList<>();
    for (Treatment treatment : groups) {
      int[] levels =
          factors.stream()
              .mapToInt(f -> f.levels().indexOf(String.valueOf(treatment.levels().get(f.name()))))
              .toArray();
      treatment
          .replicates()
          .forEach(
              (place, value) -> {
                rows.add(model.row(levels));
                values.add(forward(value, response, options.scale()));
                block.add(place.substring(0, place.indexOf('\n')));
                treatments.add(treatment.levels());
                ofStart.add(place.endsWith("\n") ? place + rows.size() : place);
              });
    }
    x = rows.toArray(new double[0][]);
    y = values.stream().mapToDouble(Double::doubleValue).toArray();
    blocks = Grouping.of("block", block);
    blocked = blocks.groups() > 1 && blocks.groups() < y.length;
    starts =
        Optional.of(Grouping.of(STARTS, ofStart))
            .filter(g -> g.groups() > blocks.groups() && g.groups() < y.length);
    double mean = Samples.mean(y);
    double[][] all = new double[y.length][];
    for (int i = 0; i < all.length; i++) {
      all[i] = Arrays.copyOf(x[i], x[i].length + 1);
      all[i][x[i].length] = y[i] - mean;
    }
    products = Matrices.gram(blocked ? blocks.swept(all) : all);
  }

  private static double forward(double value, String response, ResponseScale scale) {
    if (scale == ResponseScale.LN && value <= 0) {
      throw BadDataException.of(
          "A value of %s is %s, whose logarithm does not exist; analyse it as it is or repeat the"
              + " run.",
          response, Figures.plain(value));
    }
    return scale.forward(value);
  }

  int parameters() {
    return x[0].length;
  }

  /** The block of a row; empty where rows share no blocks. */
  String block(int row) {
    return blocks.groups() < y.length ? block.get(row) : "";
  }

  /** The strata that effects are judged by. */
  Strata strata() {
    List<Grouping> units = new ArrayList<>(starts.stream().toList());
    if (blocked) {
      units.add(blocks);
    }
    return new Strata(model, x, y, units, Grouping.of("treatment", treatments));
  }

  int[] allColumns() {
    return IntStream.range(0, parameters()).toArray();
  }

  int[] without(int term) {
    return IntStream.range(0, parameters())
        .filter(c -> c < model.from(term) || c >= model.to(term))
        .toArray();
  }

  /** The rank of some of the model's columns. */
  int rank(int[] columns) {
    return Matrices.rank(part(Matrices.gram(x), columns));
  }

  /** Products of some columns with each other. */
  private static double[][] part(double[][] products, int[] columns) {
    return MatrixUtils.createRealMatrix(products).getSubMatrix(columns, columns).getData();
  }

  /** How many values are left to judge by, with the blocks taken out. */
  int errorDegreesOfFreedom() {
    int rank = Matrices.rank(part(products, allColumns()));
    return y.length - rank - (blocked ? blocks.groups() - 1 : 0);
  }

  /** The sum of squares that these columns, the first among them, and the blocks leave. */
  double rss(int[] columns) {
    int last = products.length - 1;
    double[] xy = IntStream.of(columns).mapToDouble(c -> products[c][last]).toArray();
    double explained = Matrices.squaresExplained(part(products, columns), xy);
    return Math.max(0, products[last][last] - explained);
  }

  /**
   * The effects from the first to the second level of each term of a saturated design whose columns
   * are orthogonal, such as one of Plackett and Burman; empty of others.
   */
  Optional<double[]> screenedEffects() {
    double[][] gram = Matrices.gram(x);
    int n = y.length;
    boolean orthogonal =
        n == parameters()
            && factors.stream().allMatch(factor -> factor.levels().size() == 2)
            && MatrixUtils.createRealMatrix(gram)
                    .subtract(MatrixUtils.createRealIdentityMatrix(n).scalarMultiply(n))
                    .getNorm1()
                < 0.5;
    return orthogonal
        ? Optional.of(
            IntStream.range(0, n - 1)
                .mapToDouble(t -> 2 * model.signOfHigh(t) * product(t + 1, y) / n)
                .toArray())
        : Optional.empty();
  }

  /** Sum of the products of a column with values of the rows. */
  double product(int column, double[] values) {
    return IntStream.range(0, values.length).mapToDouble(i -> x[i][column] * values[i]).sum();
  }
}
