package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.tuning.ResponseModel.Prediction;
import io.pyrometer.analysis.tuning.TuningSearch.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.CholeskyDecomposition;

/**
 * Estimates of all configurations from the trials of a search: their response, and whether they
 * work.
 */
final class Surface {
  private static final double LEAST_CHANCE = 0.02;
  private static final int STARTS = 6;
  private static final int DRAWS = 200;

  /** Draws of the model's variances, each of which costs far more than a draw with them. */
  private static final int MODELS = 20;

  private final TuningSpace space;
  private final ResponseModel response;
  private final Optional<FailureModel> failure;
  private final List<List<Integer>> ranked;

  /**
   * @param history of which at least one trial did not fail
   */
  Surface(TuningSpace space, List<Measured> history) {
    this(space, history, Optional.empty());
  }

  /**
   * @param like what earlier trials say, whose variances are taken over; empty to estimate them
   */
  Surface(TuningSpace space, List<Measured> history, Optional<Surface> like) {
    this.space = space;
    List<Measured> valid = history.stream().filter(each -> !each.failed()).toList();
    List<List<Integer>> at = valid.stream().map(Measured::configuration).toList();
    double[] measured = valid.stream().mapToDouble(each -> each.response().orElseThrow()).toArray();
    this.response =
        like.map(other -> ResponseModel.like(other.response, at, measured))
            .orElseGet(() -> ResponseModel.fit(space, at, measured));
    this.failure = FailureModel.of(space, history);
    Set<List<Integer>> failed = TuningSearch.failed(history);
    Map<List<Integer>, Double> means = new LinkedHashMap<>();
    at.stream()
        .filter(each -> !failed.contains(each))
        .forEach(each -> means.computeIfAbsent(each, x -> response.at(x).mean()));
    this.ranked =
        means.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map(Map.Entry::getKey)
            .toList();
  }

  ResponseModel response() {
    return response;
  }

  /** The configurations that were measured and never failed, the best first. */
  List<List<Integer>> ranked() {
    return ranked;
  }

  /**
   * True where the interval of every change of one knob, from a configuration, excludes relevance.
   */
  boolean irrelevant(int knob, List<Integer> configuration) {
    List<Integer> from = space.activated(knob, configuration);
    for (int level = 0; level < space.knobs().get(knob).levels(); level++) {
      if (level != from.get(knob)) {
        Prediction change = response.difference(TuningSpace.with(from, knob, level), from);
        if (Math.abs(change.mean()) + TuningSearch.Z * change.sd() > TuningSearch.RELEVANT) {
          return false;
        }
      }
    }
    return true;
  }

  /** The possible improvement of a configuration, times the chance that it works. */
  double score(List<Integer> configuration, List<Integer> over, double factor) {
    Prediction expected = response.difference(configuration, over);
    double better = expected.mean() + factor * expected.sd();
    double chance = failure.map(model -> model.works(configuration)).orElse(1.0);
    return better > 0 ? better * Math.max(LEAST_CHANCE, chance) : better;
  }

  /**
   * A bound that the best configuration which works exceeds with a chance of {@code 1 -
   * confidence}, as a difference to one configuration. It is a quantile of the maximum over all
   * configurations of functions that the model holds to be possible, so that it covers the choice
   * among many (draws of the maximum: Wang and Jegelka 2017, Max-value entropy search for efficient
   * Bayesian optimization, section 3.1).
   */
  double possible(List<Integer> over, double confidence, Random random) {
    List<ResponseModel> models = response.redrawn(MODELS, random);
    List<List<Integer>> starts = ranked.stream().limit(STARTS).toList();
    double[] highest = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      ResponseDraw drawn = new ResponseDraw(models.get(i % MODELS), random);
      Predicate<List<Integer>> works = failure.map(model -> model.draw(random)).orElse(x -> true);
      double from = drawn.at(over);
      ToDoubleFunction<List<Integer>> gain =
          x -> works.test(x) ? drawn.at(x) - from : Double.NEGATIVE_INFINITY;
      highest[i] = highest(starts, Set.of(), x -> true, gain).map(gain::applyAsDouble).orElse(0.0);
    }
    Arrays.sort(highest);
    return Math.max(0, highest[(int) Math.ceil(confidence * DRAWS) - 1]);
  }

  /**
   * The configuration of the highest score, by coordinate ascent.
   *
   * @param fixed knobs that stay as they are in the starts
   * @param wanted which configurations may be the result
   */
  Optional<List<Integer>> highest(
      List<List<Integer>> starts,
      Set<Integer> fixed,
      Predicate<List<Integer>> wanted,
      ToDoubleFunction<List<Integer>> score) {
    List<Integer> best = List.of();
    double highest = Double.NEGATIVE_INFINITY;
    Map<List<Integer>, Double> known = new LinkedHashMap<>();
    for (List<Integer> start : starts) {
      List<Integer> at = start;
      for (List<Integer> next = at; !next.isEmpty(); ) {
        at = next;
        double here = known.computeIfAbsent(at, score::applyAsDouble);
        next = List.of();
        for (List<Integer> neighbour : neighbours(at, fixed)) {
          double there = known.computeIfAbsent(neighbour, score::applyAsDouble);
          if (there > highest && wanted.test(neighbour)) {
            highest = there;
            best = neighbour;
          }
          if (there > here + 1e-9) {
            here = there;
            next = neighbour;
          }
        }
      }
      if (known.getOrDefault(at, highest) > highest && wanted.test(at)) {
        highest = known.getOrDefault(at, highest);
        best = at;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  private List<List<Integer>> neighbours(List<Integer> of, Set<Integer> fixed) {
    List<List<Integer>> neighbours = new ArrayList<>();
    for (int knob = 0; knob < space.knobs().size(); knob++) {
      for (int level = 0; level < space.knobs().get(knob).levels(); level++) {
        if (level != of.get(knob) && !fixed.contains(knob)) {
          List<Integer> changed =
              space.canonical(TuningSpace.with(space.activated(knob, of), knob, level));
          if (!changed.equals(of) && space.allowed().test(changed)) {
            neighbours.add(changed);
          }
        }
      }
    }
    return neighbours;
  }

  /**
   * Why configurations fail: each pair of levels of two knobs, and each level alone, is a cause
   * with a chance of its own, independently of the others (a noisy or: Pearl 1988, Probabilistic
   * reasoning in intelligent systems, section 4.3.2), because most failures of software are caused
   * by one or two settings (Kuhn, Wallace and Gallo 2004, Software fault interactions and
   * implications for software testing). What works clears all its pairs, and what one pair explains
   * does not count against the others. Chances are estimated by the EM algorithm, with a beta
   * prior.
   */
  static final class FailureModel {
    /** The prior: so many failures of a pair of levels, and so many trials that worked. */
    private static final double FAILED = 0.002;

    private static final double WORKED = 0.2;

    private static final int ITERATIONS = 60;

    private final TuningSpace space;

    /** For each knob, the number of the knobs' levels before it, and in all. */
    private final int[] start;

    private final double[] chance;

    /** Empty where nothing failed. */
    static Optional<FailureModel> of(TuningSpace space, List<Measured> history) {
      List<Boolean> failed = history.stream().map(Measured::failed).toList();
      return failed.contains(true)
          ? Optional.of(
              new FailureModel(
                  space, history.stream().map(Measured::configuration).toList(), failed))
          : Optional.empty();
    }

    /**
     * @param at configurations that were tried
     * @param failed whether they failed
     */
    FailureModel(TuningSpace space, List<List<Integer>> at, List<Boolean> failed) {
      this.space = space;
      int knobs = space.knobs().size();
      this.start = new int[knobs + 1];
      for (int knob = 0; knob < knobs; knob++) {
        start[knob + 1] = start[knob] + space.knobs().get(knob).levels() + 1;
      }
      this.chance = new double[start[knobs] * start[knobs]];
      Arrays.fill(chance, FAILED / (FAILED + WORKED));
      int[][] pairs = at.stream().map(this::pairs).toArray(int[][]::new);
      for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        improve(pairs, failed);
      }
    }

    private int[] pairs(List<Integer> configuration) {
      int[] levels = space.effective(configuration);
      int[] pairs = new int[levels.length * (levels.length + 1) / 2];
      int next = 0;
      for (int a = 0; a < levels.length; a++) {
        for (int b = 0; b <= a; b++) {
          pairs[next++] = (start[a] + levels[a]) * start[levels.length] + start[b] + levels[b];
        }
      }
      return pairs;
    }

    private void improve(int[][] pairs, List<Boolean> failed) {
      double[] blamed = new double[chance.length];
      double[] trials = new double[chance.length];
      for (int i = 0; i < pairs.length; i++) {
        double fails = 1 - works(pairs[i]);
        for (int pair : pairs[i]) {
          trials[pair]++;
          blamed[pair] += failed.get(i) ? chance[pair] / fails : 0;
        }
      }
      for (int pair = 0; pair < chance.length; pair++) {
        chance[pair] = (blamed[pair] + FAILED) / (trials[pair] + FAILED + WORKED);
      }
    }

    private double works(int[] pairs) {
      double works = 1;
      for (int pair : pairs) {
        works *= 1 - chance[pair];
      }
      return works;
    }

    /** The chance that a configuration works. */
    double works(List<Integer> configuration) {
      return works(pairs(configuration));
    }

    /** Which configurations work, if each pair is a cause or none, as drawn. */
    Predicate<List<Integer>> draw(Random random) {
      boolean[] causes = new boolean[chance.length];
      for (int pair = 0; pair < chance.length; pair++) {
        causes[pair] = random.nextDouble() < chance[pair];
      }
      return configuration -> Arrays.stream(pairs(configuration)).noneMatch(pair -> causes[pair]);
    }
  }

  /**
   * One of the functions that a {@link ResponseModel} holds to be possible: a function drawn
   * without the data, corrected by what the model makes of its errors at the data (Matheron's rule:
   * Wilson et al. 2020, Efficiently sampling functions from Gaussian process posteriors, eq. 9).
   * Functions of one and of two knobs are tables; that of all knobs is a sum of random cosines
   * (Rahimi and Recht 2007, Random features for large-scale kernel machines).
   */
  static final class ResponseDraw {
    private static final int COSINES = 50;

    /** Neighbouring levels are so similar that without it the root might not exist. */
    private static final double JITTER = 1e-8;

    private final ResponseModel model;
    private final Random random;
    private final int knobs;
    private final double[][] one;
    private final double[][][][] two;
    private final double[][] pairs;
    private final double[][][] phases;
    private final double[] offsets;
    private final double[] weights;
    private double constant;
    private double[] correction = new double[0];

    ResponseDraw(ResponseModel model, Random random) {
      this.model = model;
      this.random = random;
      this.knobs = model.similarity.length;
      this.one = new double[knobs][];
      this.two = new double[knobs][knobs][][];
      this.pairs = model.varianceOfPairs();
      this.phases = new double[COSINES][knobs][];
      this.offsets = random.doubles(COSINES, 0, 2 * Math.PI).toArray();
      this.weights = gaussian(COSINES, 2 * model.varianceOfAll() / COSINES);
      this.constant = model.mean + Math.sqrt(ResponseModel.CONSTANT) * random.nextGaussian();
      drawTables();
      for (double[][] cosine : phases) {
        for (int knob = 0; knob < knobs; knob++) {
          cosine[knob] = phases(knob);
        }
      }
      correct();
    }

    private double[] gaussian(int count, double variance) {
      double sd = Math.sqrt(variance);
      return DoubleStream.generate(() -> sd * random.nextGaussian()).limit(count).toArray();
    }

    private void drawTables() {
      Array2DRowRealMatrix[] roots = new Array2DRowRealMatrix[knobs];
      for (int a = 0; a < knobs; a++) {
        Array2DRowRealMatrix similar = new Array2DRowRealMatrix(model.similarity[a]);
        int levels = similar.getRowDimension();
        for (int level = 0; level < levels; level++) {
          similar.addToEntry(level, level, JITTER);
        }
        roots[a] =
            new Array2DRowRealMatrix(new CholeskyDecomposition(similar).getL().getData(), false);
        one[a] = roots[a].operate(gaussian(levels, model.variance(a)));
        for (int b = 0; b < a; b++) {
          double[][] drawn = new double[levels][];
          for (int level = 0; level < levels; level++) {
            drawn[level] = gaussian(roots[b].getRowDimension(), pairs[a][b]);
          }
          two[a][b] =
              roots[a]
                  .multiply(new Array2DRowRealMatrix(drawn, false))
                  .multiplyTransposed(roots[b])
                  .getData();
        }
      }
    }

    /**
     * A knob's factor of the function of all is 0.5 + 0.5 × similarity: every second has no phase.
     */
    private double[] phases(int knob) {
      int levels = model.similarity[knob].length - 1;
      boolean ordered = model.space.knobs().get(knob).ordered();
      double slope = random.nextGaussian() / ResponseModel.LENGTH / (levels - 1);
      double[] drawn = new double[levels + 1];
      if (random.nextBoolean()) {
        for (int level = 0; level <= levels; level++) {
          drawn[level] =
              ordered && level < levels ? slope * level : 2 * Math.PI * random.nextDouble();
        }
      }
      return drawn;
    }

    private void correct() {
      double[] error = new double[model.y.length];
      for (int i = 0; i < error.length; i++) {
        double noise = Math.sqrt(model.varianceOfNoise()) * random.nextGaussian();
        error[i] = model.mean + model.y[i] - at(model.at[i]) - noise;
      }
      double[] by = new Array2DRowRealMatrix(model.inverse, false).operate(error);
      for (int i = 0; i < by.length; i++) {
        constant += ResponseModel.CONSTANT * by[i];
        for (int a = 0; a < knobs; a++) {
          double[] similar = model.similarity[a][model.at[i][a]];
          for (int level = 0; level < similar.length; level++) {
            one[a][level] += model.variance(a) * by[i] * similar[level];
            for (int b = 0; b < a; b++) {
              double factor = pairs[a][b] * by[i] * similar[level];
              double[] other = model.similarity[b][model.at[i][b]];
              for (int there = 0; there < other.length; there++) {
                two[a][b][level][there] += factor * other[there];
              }
            }
          }
        }
      }
      correction = by;
    }

    double at(List<Integer> configuration) {
      return at(model.space.effective(configuration));
    }

    private double at(int[] levels) {
      double sum = constant;
      for (int a = 0; a < knobs; a++) {
        sum += one[a][levels[a]];
        for (int b = 0; b < a; b++) {
          sum += two[a][b][levels[a]][levels[b]];
        }
      }
      return model.varianceOfAll() > ResponseModel.SMALLEST ? sum + all(levels) : sum;
    }

    private double all(int[] levels) {
      double sum = 0;
      for (int c = 0; c < COSINES; c++) {
        double phase = offsets[c];
        for (int a = 0; a < knobs; a++) {
          phase += phases[c][a][levels[a]];
        }
        sum += weights[c] * Math.cos(phase);
      }
      for (int i = 0; i < correction.length; i++) {
        double similar = 1;
        for (int a = 0; a < knobs; a++) {
          similar *= 0.5 + 0.5 * model.similarity[a][levels[a]][model.at[i][a]];
        }
        sum += model.varianceOfAll() * correction[i] * similar;
      }
      return sum;
    }
  }
}
