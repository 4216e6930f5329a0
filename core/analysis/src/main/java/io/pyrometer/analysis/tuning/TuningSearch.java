package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.BadDataException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which trial a search makes next, as a pure function of what was measured so far.
 *
 * <ol>
 *   <li>Screening: the default, a two-level design of resolution IV over the extremes of all knobs
 *       (an even design: the fold-over of a saturated one of resolution III, Box and Hunter 1961),
 *       and a few configurations that are spread over all levels. A knob is dropped if the interval
 *       of its effect excludes a relevant one, both at the default and at the best so far.
 *   <li>Search: the configuration of the highest upper bound that the {@link ResponseModel}
 *       expects, weighted by the chance that it works ({@link FailureModel}). One that is known
 *       well enough is not repeated. Every fourth trial is of a configuration drawn at random that
 *       was not measured before, because a model that is wrong does not see where; these say how
 *       well it predicts ({@link #explained}).
 *   <li>Race: successive halving of the best in blocks (Jamieson and Talwalkar 2016).
 *   <li>Confirmation: the default, the winner and the runner-up in interleaved blocks. Only these
 *       trials say what is gained: the best of noisy figures is too high by itself.
 * </ol>
 */
public final class TuningSearch {
  /** The smallest relevant effect, as a difference of logarithms. */
  static final double RELEVANT = Math.log(1.03);

  /** Quantile of the normal distribution for an interval of 95 %. */
  static final double Z = 1.96;

  private static final double[] UPPER_BOUNDS = {0.5, 1, 2};
  private static final int RANDOM_STARTS = 3;
  private static final int BEST_STARTS = 3;
  private static final int MAX_REPEATS = 4;
  private static final int SMALL_SPACE = 64;

  /** Up to this size of a space every configuration is scored; beyond, those of an ascent. */
  private static final int MAX_ENUMERATED = 1024;

  /** The block of the first round of the race: screening and search are a block each. */
  private static final int FIRST_RACE = 2;

  /** One of so many trials of the search is drawn at random. */
  private static final int EXPLORE = 4;

  private static final int DRAWS = 20;

  /** With fewer of them nothing is said of how well they were predicted. */
  private static final int LEAST_EXPLORED = 4;

  /** Variances of the model are estimated anew after so many trials of the search. */
  private static final int REFIT = 8;

  private final TuningSpace space;
  private final long seed;
  private final SearchSizes sizes;
  private final List<List<Integer>> screening;

  /** The last surface with variances of its own, by the history that it is of. */
  private Map<List<Measured>, Surface> fitted = Map.of();

  /** The knobs that the screening dropped, by its trials. */
  private Map<List<Measured>, Set<Integer>> irrelevant = Map.of();

  /** The part of a search that a trial belongs to. */
  public enum Stage {
    SCREENING,
    SEARCH,
    RACE,
    CONFIRMATION
  }

  /**
   * A trial to make.
   *
   * @param block from 0; trials of a block are to be compared with each other
   */
  public record Step(Stage stage, int block, List<Integer> configuration) {
    public Step {
      configuration = List.copyOf(configuration);
    }
  }

  /**
   * A trial that was made.
   *
   * @param response the logarithm of the figure to be maximised; empty where the trial failed
   */
  public record Measured(Step step, OptionalDouble response) {
    List<Integer> configuration() {
      return step.configuration();
    }

    boolean failed() {
      return response.isEmpty();
    }
  }

  /**
   * @param trials at most
   * @throws BadDataException if they are too few for the knobs
   */
  public TuningSearch(TuningSpace space, long seed, int trials) {
    this.space = space;
    this.seed = seed;
    this.sizes = SearchSizes.of(space, trials);
    this.screening = screeningDesign();
  }

  public TuningSpace space() {
    return space;
  }

  public SearchSizes sizes() {
    return sizes;
  }

  /**
   * Random numbers of one step of the search, so that it does not depend on how often the others
   * are drawn.
   */
  Random random(int step) {
    return new Random(seed * 1_000_003 + step);
  }

  private List<List<Integer>> screeningDesign() {
    Random random = random(0);
    List<List<Integer>> rows = new ArrayList<>();
    for (int run = 0; run < sizes.design(); run++) {
      List<Integer> row = new ArrayList<>();
      int word = 0;
      for (TuningSpace.Knob knob : space.knobs()) {
        word = nextOdd(word);
        boolean high = Integer.bitCount(run & word) % 2 == 1;
        row.add(high ? other(knob) : knob.ordered() ? 0 : knob.initial());
      }
      rows.add(row);
    }
    List<List<Integer>> columns = new ArrayList<>();
    for (TuningSpace.Knob knob : space.knobs()) {
      int from = random.nextInt(knob.levels());
      List<Integer> column = new ArrayList<>();
      IntStream.range(0, sizes.spread()).forEach(i -> column.add((from + i) % knob.levels()));
      Collections.shuffle(column, random);
      columns.add(column);
    }
    IntStream.range(0, sizes.spread())
        .forEach(i -> rows.add(columns.stream().map(column -> column.get(i)).toList()));
    Collections.shuffle(rows, random);
    rows.add(0, space.initial());
    return rows.stream().map(row -> space.repaired(row, random)).toList();
  }

  /** The level that a two-level design holds against the lowest, or against the default. */
  private static int other(TuningSpace.Knob knob) {
    return knob.ordered() ? knob.levels() - 1 : knob.initial() == 0 ? 1 : 0;
  }

  /** Words of an odd number of letters make an even design: main effects are clear of pairs. */
  private static int nextOdd(int word) {
    int next = word + 1;
    while (Integer.bitCount(next) % 2 == 0) {
      next++;
    }
    return next;
  }

  /**
   * The next trial; empty where the search has ended, or the default itself does not work.
   *
   * @param repeats which the stage of the search is shortened by, so that the others keep the
   *     budget
   */
  public Optional<Step> next(List<Measured> history, int repeats) {
    int made = history.size();
    if (made > 0 && history.get(0).failed()) {
      return Optional.empty();
    }
    if (made < screening.size()) {
      return Optional.of(new Step(Stage.SCREENING, 0, screening.get(made)));
    }
    Map<Stage, List<Measured>> byStage =
        history.stream().collect(Collectors.groupingBy(each -> each.step().stage()));
    List<Measured> searched = byStage.getOrDefault(Stage.SEARCH, List.of());
    List<Measured> raced = byStage.getOrDefault(Stage.RACE, List.of());
    List<Measured> confirmed = byStage.getOrDefault(Stage.CONFIRMATION, List.of());
    boolean searching = raced.isEmpty() && confirmed.isEmpty();
    if (searching && searched.size() + repeats < sizes.search() && !exhausted(history)) {
      Optional<List<Integer>> proposed = propose(history, searched.size());
      if (proposed.isPresent()) {
        return Optional.of(new Step(Stage.SEARCH, 1, proposed.get()));
      }
    }
    return confirmed.isEmpty()
        ? race(history, raced).or(() -> confirm(history, confirmed))
        : confirm(history, confirmed);
  }

  /** True where each configuration of a small space was measured twice. */
  private boolean exhausted(List<Measured> history) {
    if (space.size(SMALL_SPACE + 1) > SMALL_SPACE) {
      return false;
    }
    Map<List<Integer>, Long> counts = counts(history);
    Set<List<Integer>> failed = failed(history);
    return space.configurations().stream()
        .allMatch(each -> failed.contains(each) || counts.getOrDefault(each, 0L) >= 2);
  }

  /**
   * The knobs that the screening shows to have no relevant effect; none where trials of it failed,
   * because without them it is not balanced, and knobs that fail together hide each other's
   * effects.
   */
  public Set<Integer> dropped(List<Measured> history) {
    if (history.size() < screening.size()) {
      return Set.of();
    }
    List<Measured> screened = List.copyOf(history.subList(0, screening.size()));
    if (!failed(screened).isEmpty()) {
      return Set.of();
    }
    if (!irrelevant.containsKey(screened)) {
      irrelevant = Map.of(screened, irrelevant(new Surface(space, screened)));
    }
    return irrelevant.getOrDefault(screened, Set.of());
  }

  private Set<Integer> irrelevant(Surface surface) {
    Set<Integer> dropped = new TreeSet<>();
    List<Integer> best = surface.ranked().get(0);
    for (int knob = 0; knob < space.knobs().size(); knob++) {
      boolean conditional = space.isNeeded(knob) || space.knobs().get(knob).needs().isPresent();
      if (!conditional
          && surface.irrelevant(knob, space.initial())
          && surface.irrelevant(knob, best)) {
        dropped.add(knob);
      }
    }
    return dropped;
  }

  /** Empty where no configuration is worth a trial any more. */
  private Optional<List<Integer>> propose(List<Measured> history, int number) {
    if (isExploring(number)) {
      Optional<List<Integer>> drawn = unmeasured(history);
      if (drawn.isPresent()) {
        return drawn;
      }
    }
    Surface surface = surface(history, number);
    Set<Integer> dropped = dropped(history);
    Random random = random(history.size());
    double factor = UPPER_BOUNDS[number % UPPER_BOUNDS.length];
    Map<List<Integer>, Long> made = counts(history);
    Set<List<Integer>> failed = failed(history);
    List<List<Integer>> starts = new ArrayList<>();
    surface.ranked().stream()
        .limit(BEST_STARTS)
        .map(each -> reset(each, dropped))
        .forEach(starts::add);
    for (int i = 0; i < RANDOM_STARTS; i++) {
      starts.add(space.repaired(reset(drawn(random), dropped), random));
    }
    if (space.size(MAX_ENUMERATED + 1) <= MAX_ENUMERATED) {
      space.configurations().stream()
          .map(each -> reset(each, dropped))
          .filter(space.allowed())
          .distinct()
          .forEach(starts::add);
    }
    return surface.highest(
        starts,
        dropped,
        x -> !failed.contains(x) && isOpen(surface, x, made.getOrDefault(x, 0L)),
        x -> surface.score(x, surface.ranked().get(0), factor));
  }

  private static boolean isExploring(int number) {
    return number % EXPLORE == EXPLORE - 1;
  }

  private List<Integer> drawn(Random random) {
    return space.knobs().stream().map(knob -> random.nextInt(knob.levels())).toList();
  }

  /** A configuration at random that was not measured; empty where hardly any is left. */
  private Optional<List<Integer>> unmeasured(List<Measured> history) {
    Random random = random(history.size());
    Set<List<Integer>> measured = counts(history).keySet();
    return Stream.generate(() -> drawn(random))
        .limit(DRAWS)
        .map(drawn -> space.repaired(drawn, random))
        .filter(each -> !measured.contains(each))
        .findFirst();
  }

  /**
   * The share of the variance of configurations drawn at random that the model predicted before
   * each was measured (the predictive R² against their mean); at most 1, negative where the mean
   * predicts better, empty where fewer than four were measured.
   */
  public OptionalDouble explained(List<Measured> history) {
    List<Double> measured = new ArrayList<>();
    List<Double> predicted = new ArrayList<>();
    Set<List<Integer>> known = new HashSet<>();
    int number = 0;
    for (int i = 0; i < history.size(); i++) {
      Measured made = history.get(i);
      boolean fresh = known.add(made.configuration());
      if (made.step().stage() == Stage.SEARCH) {
        if (isExploring(number) && fresh && !made.failed()) {
          measured.add(made.response().orElseThrow());
          predicted.add(
              surface(history.subList(0, i), number).response().at(made.configuration()).mean());
        }
        number++;
      }
    }
    double mean = measured.stream().mapToDouble(each -> each).average().orElse(0);
    double total = 0;
    double missed = 0;
    for (int i = 0; i < measured.size(); i++) {
      total += Math.pow(measured.get(i) - mean, 2);
      missed += Math.pow(measured.get(i) - predicted.get(i), 2);
    }
    return measured.size() < LEAST_EXPLORED || total == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(1 - missed / total);
  }

  /**
   * True where a trial of a configuration is worth its time. A configuration is not repeated where
   * the model knows its response to within the smallest relevant effect.
   */
  private static boolean isOpen(Surface surface, List<Integer> configuration, long made) {
    return made == 0
        || (made <= MAX_REPEATS && Z * surface.response().at(configuration).sd() > RELEVANT);
  }

  private Surface surface(List<Measured> history, int number) {
    List<Measured> before = List.copyOf(history.subList(0, history.size() - number % REFIT));
    Surface like = fitted.get(before);
    if (like == null) {
      like = new Surface(space, before);
      fitted = Map.of(before, like);
    }
    return number % REFIT == 0 ? like : new Surface(space, history, Optional.of(like));
  }

  private List<Integer> reset(List<Integer> configuration, Set<Integer> dropped) {
    List<Integer> reset = new ArrayList<>(configuration);
    dropped.forEach(knob -> reset.set(knob, space.knobs().get(knob).initial()));
    return space.canonical(reset);
  }

  /** How often each configuration was measured. */
  private static Map<List<Integer>, Long> counts(List<Measured> history) {
    return history.stream()
        .collect(Collectors.groupingBy(Measured::configuration, Collectors.counting()));
  }

  static Set<List<Integer>> failed(List<Measured> history) {
    return counts(history.stream().filter(Measured::failed).toList()).keySet();
  }

  /** The best first, of those that never failed and differ from the default. */
  private List<List<Integer>> finalists(List<Measured> history) {
    return new Surface(space, history)
        .ranked().stream().filter(each -> !each.equals(space.initial())).toList();
  }

  private Optional<Step> race(List<Measured> history, List<Measured> raced) {
    List<Measured> before = new ArrayList<>(history.subList(0, history.size() - raced.size()));
    int from = 0;
    int block = FIRST_RACE;
    List<List<Integer>> running = finalists(before).stream().limit(sizes.race()).toList();
    for (int size = sizes.race(); size >= 2 && !running.isEmpty(); size /= 2) {
      int position = raced.size() - from;
      if (position < running.size()) {
        return Optional.of(new Step(Stage.RACE, block, running.get(position)));
      }
      before.addAll(raced.subList(from, from + running.size()));
      from += running.size();
      block++;
      List<List<Integer>> last = running;
      running =
          finalists(before).stream().filter(last::contains).limit(Math.max(2, size / 2)).toList();
    }
    return Optional.empty();
  }

  /**
   * The configurations to confirm: the default, the winner, and the runner-up if there is one;
   * empty where nothing but the default works.
   */
  public List<List<Integer>> contenders(List<Measured> history) {
    List<Measured> before =
        history.stream().filter(each -> each.step().stage() != Stage.CONFIRMATION).toList();
    int last =
        before.stream()
            .filter(each -> each.step().stage() == Stage.RACE)
            .mapToInt(each -> each.step().block())
            .max()
            .orElse(-1);
    Set<List<Integer>> raced =
        before.stream()
            .filter(each -> each.step().block() == last)
            .map(Measured::configuration)
            .collect(Collectors.toSet());
    List<List<Integer>> best = finalists(before).stream().filter(raced::contains).limit(2).toList();
    return best.isEmpty()
        ? best
        : Stream.concat(Stream.of(space.initial()), best.stream()).toList();
  }

  private Optional<Step> confirm(List<Measured> history, List<Measured> confirmed) {
    List<List<Integer>> contenders = contenders(history);
    if (contenders.isEmpty() || confirmed.size() >= sizes.blocks() * contenders.size()) {
      return Optional.empty();
    }
    int block = confirmed.size() / contenders.size();
    List<List<Integer>> order = new ArrayList<>(contenders);
    Collections.shuffle(order, random(-1 - block));
    return Optional.of(
        new Step(
            Stage.CONFIRMATION,
            FIRST_RACE + sizes.rounds() + block,
            order.get(confirmed.size() % contenders.size())));
  }
}
