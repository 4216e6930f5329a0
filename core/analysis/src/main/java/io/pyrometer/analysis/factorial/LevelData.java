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
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.hipparchus.linear.MatrixUtils;

/** Observations as a regression: one row a treatment and block. */
final class LevelData {
  /** With more blocks than this each is a fixed effect, which is quicker. */
  private static final int MAX_RANDOM_BLOCKS = 200;

  private static final String STARTS = "start of processes";

  final List<Factor> factors;
  final ModelMatrix model;

  /** The model's columns. */
  final double[][] x;

  /** The response on the scale of the analysis. */
  final double[] y;

  private final double mean;

  /** The block of each row. */
  private final List<String> block = new ArrayList<>();

  /** The treatment of each row, in words. */
  final List<String> treatments = new ArrayList<>();

  private final Grouping blocks;

  /** Whether what the blocks have in common is to be taken out. */
  private final boolean blocked;

  /** Whether every treatment was measured in every block. */
  private final boolean complete;

  /** The start of processes of each row, where some rows of a block share one and others do not. */
  private final Optional<Grouping> starts;

  /** Products of the columns and of y around its mean, which is last, with the blocks taken out. */
  private final double[][] products;

  /**
   * Lays the rows out.
   *
   * @param interactions such as {@code nodes*mode}
   */
  LevelData(
      List<Observation> observations,
      List<String> names,
      List<String> interactions,
      String response,
      FactorialOptions options) {
    List<Observation> byStart =
        observations.stream()
            .map(o -> new Observation(o.levels(), o.block() + '\n' + o.start(), o.values()))
            .toList();
    List<Treatment> groups = Treatment.group(byStart, names, response);
    factors = Factor.of(groups, names);
    List<int[]> terms = new ArrayList<>();
    IntStream.range(0, factors.size()).forEach(f -> terms.add(new int[] {f}));
    interactions.forEach(
        text -> terms.add(EffectAliases.factors(EffectAliases.parse(text, factors)).toArray()));
    model = new ModelMatrix(factors, terms);
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
                treatments.add(String.join(", ", treatment.levels().values()));
                ofStart.add(place.endsWith("\n") ? place + rows.size() : place);
              });
    }
    x = rows.toArray(new double[0][]);
    y = values.stream().mapToDouble(Double::doubleValue).toArray();
    blocks = Grouping.of("block", block);
    blocked = options.removeBlocks() && blocks.groups() > 1 && blocks.groups() < y.length;
    complete = y.length == blocks.groups() * groups.size();
    starts =
        Optional.of(Grouping.of(STARTS, ofStart))
            .filter(g -> g.groups() > blocks.groups() && g.groups() < y.length);
    mean = Samples.mean(y);
    double[][] all =
        IntStream.range(0, y.length).mapToObj(this::withResponse).toArray(double[][]::new);
    products =
        Matrices.gram(blocked ? MixedModel.swept(all, blocks.group(), blocks.groups()) : all);
  }

  private static double forward(double value, String response, ResponseScale scale) {
    if (scale == ResponseScale.LN && value <= 0) {
      throw BadDataException.of(
          "A value of %s is %s, whose logarithm does not exist; analyse it as it is or repeat the run.",
          response, Figures.plain(value));
    }
    return scale.forward(value);
  }

  int parameters() {
    return x[0].length;
  }

  /** Where a row was measured, in words: a trial without blocks is named by its own number. */
  String place(int row) {
    return blocks.groups() < y.length ? "block " + block.get(row) : block.get(row);
  }

  /**
   * The fit that effects are judged by. Blocks are fixed effects where every treatment was measured
   * in each of them, and random where cells are missing, which also uses what differs between
   * blocks; a random variance of 0 is not taken for the truth where fixed effects can be had.
   * Starts of processes are random. Where nothing is random and the spreads of the treatments
   * differ, each has its own.
   */
  MixedFit fit() {
    if (starts.isPresent()) {
      List<Grouping> random = new ArrayList<>(List.of(starts.get()));
      if (blocked) {
        random.add(0, blocks);
      }
      return MixedModel.fit(y, x, random);
    }
    if (!blocked) {
      return bySpreads(MixedModel.fit(y, x, List.of()));
    }
    boolean canBeFixed =
        y.length >= parameters() + blocks.groups() && rankWithinBlocks() == parameters();
    if (canBeFixed && (complete || blocks.groups() > MAX_RANDOM_BLOCKS)) {
      return bySpreads(MixedModel.fitWithin(y, x, blocks));
    }
    MixedFit random = MixedModel.fit(y, x, List.of(blocks));
    boolean none = random.variances().containsValue(0.0);
    return none && canBeFixed ? bySpreads(MixedModel.fitWithin(y, x, blocks)) : random;
  }

  private MixedFit bySpreads(MixedFit fit) {
    return fit.withSpreads(
        Grouping.of("treatment", treatments), blocked ? Optional.of(blocks) : Optional.empty());
  }

  /**
   * How many starts or blocks more than parameters judge a term that is the same throughout each of
   * them; empty of a term that varies within both.
   *
   * @throws BadDataException if there are none
   */
  OptionalInt degreesOfFreedomBetween(int term) {
    int most = Integer.MAX_VALUE;
    List<Grouping> units = new ArrayList<>(starts.stream().toList());
    if (blocked) {
      units.add(blocks);
    }
    for (Grouping unit : units) {
      int[] constant =
          IntStream.range(0, parameters()).filter(c -> isConstantWithin(unit, c)).toArray();
      if (IntStream.of(constant)
          .filter(c -> c >= model.from(term))
          .anyMatch(c -> c < model.to(term))) {
        boolean within = blocked && !unit.name().equals(blocks.name());
        int known =
            within ? blocks.groups() - 1 + Matrices.rank(part(constant, constant)) : rank(constant);
        most = Math.min(most, unit.groups() - known);
        if (most < 1) {
          throw confounded(term, unit);
        }
      }
    }
    return most == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(most);
  }

  /**
   * By how much standard errors of a term that is constant within starts differ from those of a fit
   * that estimates the variance of starts as 0: then the starts' own mean square is less than that
   * of the rows, and both together would be taken for it. Of complete data the analysis of variance
   * knows it exactly.
   */
  double widening(int term, MixedFit fit) {
    boolean zero = fit.variances().getOrDefault(STARTS, 1.0) == 0;
    if (!zero
        || !complete
        || IntStream.range(model.from(term), model.to(term))
            .anyMatch(
                c -> !isConstantWithin(starts.orElseThrow(), c) || isConstantWithin(blocks, c))) {
      return 1;
    }
    Grouping unit = starts.orElseThrow();
    double[][] all =
        IntStream.range(0, y.length).mapToObj(this::withResponse).toArray(double[][]::new);
    double[][] within = Matrices.gram(MixedModel.swept(all, unit.group(), unit.groups()));
    int[] columns = allColumns();
    int df =
        errorDegreesOfFreedom()
            - (y.length - Matrices.rank(part(within, columns, columns)) - unit.groups() + 1);
    double squares = Math.max(0, rss(columns) - rss(within, columns));
    return Math.sqrt(squares / df / fit.residualVariance());
  }

  private double[] withResponse(int row) {
    double[] values = Arrays.copyOf(x[row], x[row].length + 1);
    values[x[row].length] = y[row] - mean;
    return values;
  }

  private BadDataException confounded(int term, Grouping unit) {
    return BadDataException.of(
        "%s is confounded with the %ss: it is the same throughout each of the %d, so its effect cannot be separated from a difference between them; run its levels in the same %ss, or each in several.",
        model.name(term), unit.name(), unit.groups(), unit.name());
  }

  private boolean isConstantWithin(Grouping unit, int column) {
    Double[] first = new Double[unit.groups()];
    int[] group = unit.group();
    for (int i = 0; i < y.length; i++) {
      Double seen = first[group[i]];
      if (seen != null && seen != x[i][column]) {
        return false;
      }
      first[group[i]] = x[i][column];
    }
    return true;
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
        MatrixUtils.createRealMatrix(Matrices.gram(x)).getSubMatrix(columns, columns).getData());
  }

  private int rankWithinBlocks() {
    return Matrices.rank(part(allColumns(), allColumns()));
  }

  /** Products of some columns with others. */
  private double[][] part(int[] rows, int[] columns) {
    return part(products, rows, columns);
  }

  private static double[][] part(double[][] of, int[] rows, int[] columns) {
    return MatrixUtils.createRealMatrix(of).getSubMatrix(rows, columns).getData();
  }

  /** How many values are left to judge by, with the blocks taken out. */
  int errorDegreesOfFreedom() {
    return y.length - rankWithinBlocks() - (blocked ? blocks.groups() - 1 : 0);
  }

  /** The sum of squares that these columns, the first among them, and the blocks leave. */
  double rss(int[] columns) {
    return rss(products, columns);
  }

  private static double rss(double[][] of, int[] columns) {
    int last = of.length - 1;
    double[] xy = IntStream.of(columns).mapToDouble(c -> of[c][last]).toArray();
    double explained = Matrices.squaresExplained(part(of, columns, columns), xy);
    return Math.max(0, of[last][last] - explained);
  }

  /**
   * The effects from the first to the second level of each factor in a saturated design whose
   * columns are orthogonal, such as one of Plackett and Burman; empty of others.
   */
  Optional<double[]> screenedEffects() {
    double[][] gram = Matrices.gram(x);
    int n = y.length;
    boolean orthogonal =
        n == parameters()
            && factors.stream().allMatch(factor -> factor.levels().size() == 2)
            && IntStream.range(0, n)
                .allMatch(
                    a ->
                        IntStream.range(0, n)
                            .allMatch(b -> Math.abs(gram[a][b] - (a == b ? n : 0)) < 0.5));
    return orthogonal
        ? Optional.of(
            IntStream.range(1, n)
                .mapToDouble(
                    c -> IntStream.range(0, n).mapToDouble(i -> -2 * x[i][c] * y[i] / n).sum())
                .toArray())
        : Optional.empty();
  }
}
