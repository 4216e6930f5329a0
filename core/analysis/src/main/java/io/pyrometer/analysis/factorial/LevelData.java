package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.mixed.Matrices;
import io.pyrometer.analysis.mixed.MixedFit;
import io.pyrometer.analysis.mixed.MixedModel;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hipparchus.linear.MatrixUtils;

/**
 * Observations as a regression: one row a treatment and block.
 *
 * @param x the model's columns
 * @param y the response on the scale of the analysis
 * @param block of each row
 * @param blocked whether what the blocks have in common is to be taken out
 * @param treatments of each row, in words
 * @param complete whether every treatment was measured in every block
 * @param blocks the block of each row, numbered
 * @param products of the columns and of y around its mean, which is last, with the blocks taken out
 */
@SuppressWarnings("ArrayRecordComponent") // passed within the package only, never compared
record LevelData(
    List<Factor> factors,
    ModelMatrix model,
    double[][] x,
    double[] y,
    List<String> block,
    boolean blocked,
    List<String> treatments,
    boolean complete,
    Grouping blocks,
    double[][] products) {

  /** With more blocks than this each is a fixed effect, which is quicker. */
  private static final int MOST_RANDOM_BLOCKS = 200;

  static LevelData of(
      List<Observation> observations,
      List<String> names,
      List<String> interactions,
      String response,
      FactorialOptions options) {
    List<Treatment> treatments = Treatment.group(observations, names, response);
    List<Factor> factors = Levels.of(treatments, names);
    List<int[]> pairs =
        interactions.stream()
            .map(text -> EffectAliases.factors(EffectAliases.parse(text, factors)).toArray())
            .toList();
    ModelMatrix model = ModelMatrix.of(factors, pairs);
    List<String> places =
        treatments.stream().flatMap(t -> t.replicates().keySet().stream()).distinct().toList();
    List<double[]> rows = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    List<String> block = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (Treatment treatment : treatments) {
      double[] row = model.row(levels(treatment, factors));
      treatment
          .replicates()
          .forEach(
              (place, value) -> {
                rows.add(row);
                values.add(forward(value, response, options.scale()));
                block.add(place);
                labels.add(String.join(", ", treatment.levels().values()));
              });
    }
    boolean removing = options.removeBlocks() && places.size() > 1 && places.size() < values.size();
    double[][] x = rows.toArray(new double[0][]);
    double[] y = values.stream().mapToDouble(Double::doubleValue).toArray();
    Grouping blocks = Grouping.of("block", block);
    return new LevelData(
        factors,
        model,
        x,
        y,
        block,
        removing,
        labels,
        values.size() == places.size() * treatments.size(),
        blocks,
        products(x, y, removing ? Optional.of(blocks) : Optional.empty()));
  }

  private static double[][] products(double[][] x, double[] y, Optional<Grouping> blocks) {
    double mean = Samples.mean(y);
    double[][] all = new double[y.length][];
    for (int i = 0; i < y.length; i++) {
      all[i] = Arrays.copyOf(x[i], x[i].length + 1);
      all[i][x[i].length] = y[i] - mean;
    }
    return Matrices.gram(
        blocks.map(by -> MixedModel.swept(all, by.group(), by.groups())).orElse(all));
  }

  private static int[] levels(Treatment treatment, List<Factor> factors) {
    return factors.stream()
        .mapToInt(f -> f.levels().indexOf(String.valueOf(treatment.levels().get(f.name()))))
        .toArray();
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

  /**
   * The fit that effects are judged by. Blocks are fixed effects where every treatment was measured
   * in each of them, and random where cells are missing, which also uses what differs between
   * blocks; a random variance of 0 is not taken for the truth where fixed effects can be had.
   */
  MixedFit fit() {
    if (!blocked) {
      return MixedModel.fit(y, x, List.of());
    }
    boolean canBeFixed =
        y.length >= parameters() + blocks.groups() && rankWithinBlocks() == parameters();
    if (canBeFixed && (complete || blocks.groups() > MOST_RANDOM_BLOCKS)) {
      return MixedModel.fitWithin(y, x, blocks);
    }
    MixedFit random = MixedModel.fit(y, x, List.of(blocks));
    boolean none = random.variances().containsValue(0.0);
    return none && canBeFixed ? MixedModel.fitWithin(y, x, blocks) : random;
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
    return Matrices.rank(
        Matrices.gram(
            Arrays.stream(x)
                .map(row -> IntStream.of(columns).mapToDouble(c -> row[c]).toArray())
                .toArray(double[][]::new)));
  }

  private int rankWithinBlocks() {
    return Matrices.rank(part(allColumns(), allColumns()));
  }

  /** Products of some columns with others. */
  private double[][] part(int[] rows, int[] columns) {
    return MatrixUtils.createRealMatrix(products).getSubMatrix(rows, columns).getData();
  }

  /** How many values are left to judge by, with the blocks taken out. */
  int errorDegreesOfFreedom() {
    return y.length - rankWithinBlocks() - (blocked ? blocks.groups() - 1 : 0);
  }

  /** The sum of squares that these columns, the first among them, and the blocks leave. */
  double rss(int[] columns) {
    int last = products.length - 1;
    double[] xy = IntStream.of(columns).mapToDouble(c -> products[c][last]).toArray();
    double explained = Matrices.squaresExplained(part(columns, columns), xy);
    return Math.max(0, products[last][last] - explained);
  }
}
