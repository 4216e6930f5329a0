package io.pyrometer.analysis.factorial;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.mixed.MixedFit;
import io.pyrometer.analysis.mixed.MixedModel;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
 * @param within sums of products with the blocks taken out
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
    Within within) {

  /** X'X, X'y and y'y of what is left of the columns and of y around its mean. */
  record Within(double[][] xx, double[] xy, double yy) {
    static Within of(double[][] x, double[] y, Optional<Grouping> blocks) {
      double mean = Arrays.stream(y).average().orElse(0);
      int p = x[0].length;
      double[][] all = new double[y.length][];
      for (int i = 0; i < y.length; i++) {
        all[i] = Arrays.copyOf(x[i], p + 1);
        all[i][p] = y[i] - mean;
      }
      double[][] left =
          blocks.isPresent()
              ? MixedModel.swept(all, blocks.get().group(), blocks.get().groups())
              : all;
      double[][] xx = new double[p][p];
      double[] xy = new double[p];
      double yy = 0;
      for (double[] row : left) {
        yy += row[p] * row[p];
        for (int a = 0; a < p; a++) {
          xy[a] += row[a] * row[p];
          for (int b = 0; row[a] != 0 && b < p; b++) {
            xx[a][b] += row[a] * row[b];
          }
        }
      }
      return new Within(xx, xy, yy);
    }
  }

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
        Within.of(x, y, removing ? Optional.of(blocks) : Optional.empty()));
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

  private double[][] part(int[] columns) {
    return Arrays.stream(x)
        .map(row -> IntStream.of(columns).mapToDouble(c -> row[c]).toArray())
        .toArray(double[][]::new);
  }

  /** The rank of some of the model's columns. */
  int rank(int[] columns) {
    return MixedModel.rank(part(columns));
  }

  private int rankWithinBlocks() {
    return MixedModel.rankOfGram(within.xx());
  }

  /** How many values are left to judge by, with the blocks taken out. */
  int errorDegreesOfFreedom() {
    return y.length - rankWithinBlocks() - (blocked ? blocks.groups() - 1 : 0);
  }

  /** The sum of squares that these columns, the first among them, and the blocks leave. */
  double rss(int[] columns) {
    double[][] xx = new double[columns.length][columns.length];
    double[] xy = new double[columns.length];
    for (int a = 0; a < columns.length; a++) {
      xy[a] = within.xy()[columns[a]];
      for (int b = 0; b < columns.length; b++) {
        xx[a][b] = within.xx()[columns[a]][columns[b]];
      }
    }
    return Math.max(0, within.yy() - MixedModel.squaresExplained(xx, xy));
  }
}
