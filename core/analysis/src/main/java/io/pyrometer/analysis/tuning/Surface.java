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
import java.util.stream.Collectors;

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
    List<Measured> valid = history.stream().filter(each -> each.response().isPresent()).toList();
    this.response =
        model(
            configurations(valid),
            valid.stream().mapToDouble(each -> each.response().orElseThrow()).toArray(),
            like.map(Surface::response));
    this.failure = FailureModel.of(space, history);
    Set<List<Integer>> failed =
        history.stream()
            .filter(each -> each.response().isEmpty())
            .map(each -> each.step().configuration())
            .collect(Collectors.toSet());
    Map<List<Integer>, Double> means = new LinkedHashMap<>();
    configurations(valid).stream()
        .filter(each -> !failed.contains(each))
        .forEach(each -> means.computeIfAbsent(each, x -> response.at(x).mean()));
    this.ranked =
        means.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map(Map.Entry::getKey)
            .toList();
  }

  private ResponseModel model(
      List<List<Integer>> at, double[] response, Optional<ResponseModel> like) {
    return like.map(other -> ResponseModel.like(other, at, response))
        .orElseGet(() -> ResponseModel.fit(space, at, response));
  }

  private static List<List<Integer>> configurations(List<Measured> history) {
    return history.stream().map(each -> each.step().configuration()).toList();
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
}
