package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Treatments that were measured in blocks of one or several runs, on the logarithm of the response:
 * ln y = treatment + run + block within run + start of processes within block + treatment × block +
 * noise, all but the treatment random. Cells may be missing; a term that the data cannot tell from
 * another is left out.
 *
 * <p>The noise is one for all treatments, unless their spreads differ (Levene's test on what
 * treatments and blocks leave, about the medians): then two treatments are compared by their own
 * values alone. Where the variance between blocks is estimated as 0, blocks are taken out as fixed
 * effects, so that with one value a cell the comparison of two treatments always is the paired t
 * test.
 */
public final class TreatmentModel {
  /** Two treatments that share so many blocks are compared within them alone. */
  private static final int MANY_PAIRS = 30;

  /** With more replicated cells than this, rows of a cell are averaged first. */
  private static final int MOST_CELLS = 300;

  private final List<Measurement> rows;
  private final List<String> treatments;
  private final Map<String, Integer> column;
  private final double[] y;

  /** By treatment the logarithm of its last value in each block. */
  private final Map<String, Map<String, Double>> lnByPlace;

  private final Layout layout;
  private final boolean replicated;
  private final boolean onceACell;
  private final OptionalDouble levene;
  private final Map<Set<String>, TreatmentModel> ofTwo = new HashMap<>();

  /** Fitted when it is asked for, as a complete table does not need it to compare. */
  private Optional<MixedFit> random = Optional.empty();

  private Optional<Optional<MixedFit>> withinBlocks = Optional.empty();

  /**
   * One value of the response.
   *
   * @param run the execution of the experiment that it was measured in
   * @param block of that run; the same name in another run is another block
   * @param start of processes in that block that others share; empty where it is its own
   * @param value above 0
   */
  public record Measurement(
      String treatment, String run, String block, String start, double value) {
    /** A value with a start of its own. */
    public Measurement(String treatment, String run, String block, double value) {
      this(treatment, run, block, "", value);
    }

    String cell() {
      return place() + '\n' + treatment;
    }

    String place() {
      return run + '\n' + block;
    }
  }

  private TreatmentModel(List<Measurement> rows, boolean judgeSpread) {
    this.rows = rows;
    this.treatments = rows.stream().map(Measurement::treatment).distinct().toList();
    this.column = new HashMap<>();
    treatments.forEach(treatment -> column.put(treatment, column.size()));
    this.y = Samples.ln(rows.stream().mapToDouble(Measurement::value).toArray());
    this.lnByPlace = new HashMap<>();
    for (int i = 0; i < y.length; i++) {
      Measurement row = rows.get(i);
      lnByPlace
          .computeIfAbsent(row.treatment(), treatment -> new LinkedHashMap<>())
          .put(row.place(), y[i]);
    }
    this.layout = new Layout(rows, treatments);
    this.replicated = rows.size() > treatments.size();
    this.onceACell = rows.stream().map(Measurement::cell).distinct().count() == rows.size();
    this.levene = judgeSpread ? levene() : OptionalDouble.empty();
  }

  private OptionalDouble levene() {
    Optional<int[]> places = Optional.of(numbers(Measurement::place));
    return Spreads.levene(y, numbers(Measurement::treatment), places.filter(p -> layout.blocks()));
  }

  private int[] numbers(Function<Measurement, String> of) {
    return MixedModel.Grouping.of("", rows.stream().map(of).toList()).group();
  }

  /**
   * Fits the model.
   *
   * @throws BadDataException if there are no values, or one is not above 0
   */
  public static TreatmentModel of(List<Measurement> measurements) {
    Samples.positive(
        measurements.stream().mapToDouble(Measurement::value).toArray(), 1, "the response");
    return new TreatmentModel(bounded(measurements), true);
  }

  /** Averages the rows of a cell where there are too many replicated cells for an effect each. */
  private static List<Measurement> bounded(List<Measurement> measurements) {
    Map<String, List<Measurement>> cells = new LinkedHashMap<>();
    measurements.forEach(m -> cells.computeIfAbsent(m.cell(), key -> new ArrayList<>()).add(m));
    if (cells.size() == measurements.size() || cells.size() <= MOST_CELLS) {
      return List.copyOf(measurements);
    }
    return cells.values().stream()
        .map(
            cell -> {
              double ln = cell.stream().mapToDouble(m -> Math.log(m.value())).average().orElse(0);
              Measurement first = cell.get(0);
              return new Measurement(
                  first.treatment(), first.run(), first.block(), first.start(), Math.exp(ln));
            })
        .toList();
  }

  /** A column for each treatment, and others after them. */
  private double[][] design(int others) {
    double[][] x = new double[rows.size()][treatments.size() + others];
    for (int i = 0; i < x.length; i++) {
      x[i][column(rows.get(i).treatment())] = 1;
    }
    return x;
  }

  /** Treatments and blocks as fixed effects; one block of each part is the one to start from. */
  private synchronized Optional<MixedFit> withinBlocks() {
    if (withinBlocks.isEmpty()) {
      withinBlocks = Optional.of(layout.blocks() ? fitWithinBlocks() : Optional.empty());
    }
    return withinBlocks.orElseThrow();
  }

  private Optional<MixedFit> fitWithinBlocks() {
    Map<String, Integer> places = new LinkedHashMap<>();
    Set<Integer> started = new HashSet<>();
    for (Measurement row : rows) {
      int part = layout.part(row.treatment());
      if (!places.containsKey(row.place())) {
        places.put(row.place(), started.add(part) ? -1 : places.size() - started.size());
      }
    }
    int columns = places.size() - started.size();
    if (rows.size() <= treatments.size() + columns) {
      return Optional.empty();
    }
    double[][] x = design(columns);
    for (int i = 0; i < x.length; i++) {
      int place = places.getOrDefault(rows.get(i).place(), -1);
      if (place >= 0) {
        x[i][treatments.size() + place] = 1;
      }
    }
    return Optional.of(MixedModel.fit(y, x, layout.terms(false)));
  }

  private int column(String treatment) {
    Integer found = column.get(treatment);
    if (found == null) {
      throw BadDataException.of(
          "There is no treatment %s; there are %s.", treatment, String.join(", ", treatments));
    }
    return found;
  }

  private synchronized MixedFit random() {
    if (random.isEmpty()) {
      random = Optional.of(MixedModel.fit(y, design(0), layout.terms(true)));
    }
    return random.orElseThrow();
  }

  /** The values of a treatment. */
  public List<Measurement> measurements(String treatment) {
    return rows.stream().filter(row -> row.treatment().equals(treatment)).toList();
  }

  /** Whether the two share blocks, directly or by way of others. */
  private boolean sideBySide(String baseline, String candidate) {
    column(baseline);
    column(candidate);
    return layout.sideBySide(baseline, candidate);
  }

  /**
   * Why the two cannot be compared; empty if they can. Treatments of different runs need the
   * variance between runs, which one run of each does not show.
   */
  public Optional<String> obstacle(String baseline, String candidate) {
    if (!replicated) {
      return Optional.of(
          "every treatment was measured once, so there is no noise to judge a difference by; run more blocks");
    }
    if (acrossRuns(baseline, candidate) && layout.runsToJudgeBy() == 0) {
      return Optional.of(
          "%s and %s were measured in one run each at different times, which does not show how much two runs of the same differ; run both in the same blocks, or repeat both runs"
              .formatted(baseline, candidate));
    }
    return Optional.empty();
  }

  private boolean acrossRuns(String baseline, String candidate) {
    return !sideBySide(baseline, candidate) && !layout.shareRuns(baseline, candidate);
  }

  /**
   * ln of candidate over baseline.
   *
   * @throws BadDataException if there is an {@link #obstacle}
   */
  public Contrast lnRatio(String baseline, String candidate) {
    Optional<String> obstacle = obstacle(baseline, candidate);
    if (obstacle.isPresent()) {
      String why = obstacle.get();
      throw new BadDataException(Character.toUpperCase(why.charAt(0)) + why.substring(1) + ".");
    }
    if ((!pooled() || treatments.size() == 2) && onceACell) {
      Optional<Contrast> paired = paired(baseline, candidate);
      if (paired.isPresent()) {
        return paired.get();
      }
    }
    if (!pooled() && treatments.size() > 2) {
      TreatmentModel own = ofTwo.computeIfAbsent(Set.of(baseline, candidate), this::of);
      if (own.obstacle(baseline, candidate).isEmpty()
          && own.sideBySide(baseline, candidate) == sideBySide(baseline, candidate)) {
        return own.lnRatio(baseline, candidate);
      }
    }
    // With one value in every block, random blocks give what fixed ones do, and take longer.
    boolean complete = onceACell && rows.size() == layout.countBlocks() * treatments.size();
    if (complete && withinBlocks().isPresent()) {
      return difference(withinBlocks().get(), baseline, candidate);
    }
    MixedFit mixed = random();
    boolean zeroBlocks = Objects.equals(mixed.variances().get("block"), 0.0);
    if (sideBySide(baseline, candidate) && zeroBlocks && withinBlocks().isPresent()) {
      return difference(withinBlocks().get(), baseline, candidate);
    }
    Contrast contrast = difference(mixed, baseline, candidate);
    return acrossRuns(baseline, candidate)
        ? new Contrast(
            contrast.value(),
            contrast.standardError(),
            Math.min(contrast.degreesOfFreedom(), layout.runsToJudgeBy()))
        : contrast;
  }

  /**
   * The paired t test, which the model of two treatments is where both have one value in all their
   * blocks. Where they share many, the few others have next to nothing to add.
   */
  private Optional<Contrast> paired(String baseline, String candidate) {
    Map<String, Double> before = lnByPlace(baseline);
    Map<String, Double> after = lnByPlace(candidate);
    double[] differences =
        before.entrySet().stream()
            .filter(entry -> after.containsKey(entry.getKey()))
            .mapToDouble(entry -> after.getOrDefault(entry.getKey(), 0.0) - entry.getValue())
            .toArray();
    int pairs = differences.length;
    boolean all = pairs >= 2 && pairs == before.size() && pairs == after.size();
    return pairs >= MANY_PAIRS || all
        ? Optional.of(Contrast.ofMean(differences))
        : Optional.empty();
  }

  /** The last value of each block; empty if the treatment was not measured. */
  private Map<String, Double> lnByPlace(String treatment) {
    return lnByPlace.getOrDefault(treatment, Map.of());
  }

  private TreatmentModel of(Set<String> some) {
    return new TreatmentModel(
        rows.stream().filter(row -> some.contains(row.treatment())).toList(), false);
  }

  private Contrast difference(MixedFit fit, String baseline, String candidate) {
    double[] weights = new double[fit.coefficients().length];
    weights[column(baseline)] -= 1;
    weights[column(candidate)] += 1;
    return fit.contrast(weights);
  }

  /**
   * ln of the treatment's own geometric mean, over blocks: where the values are themselves ratios
   * of pairs, such as of two runs in blocks of one index, that is their ln ratio. Its error holds
   * what the treatments of a block share. Where spreads differ it is that of its values alone.
   *
   * @throws BadDataException if the treatment has one value and no noise to judge it by
   */
  public Contrast lnMean(String treatment) {
    int own = column(treatment);
    double[] values = lnByPlace(treatment).values().stream().mapToDouble(v -> v).toArray();
    boolean alone = treatments.size() == 1 || !pooled();
    if (alone && onceACell && values.length > 1) {
      return Contrast.ofMean(values);
    }
    if (!replicated) {
      throw BadDataException.of(
          "%s was measured once, so there is no noise to judge it by; run more blocks.", treatment);
    }
    return random().coefficient(own);
  }

  /** Candidate over baseline with its interval; the replicates are the blocks that both share. */
  public Estimate ratio(String baseline, String candidate, double confidence) {
    return lnRatio(baseline, candidate).estimate(confidence, blocks(baseline, candidate), "").exp();
  }

  /** In how many blocks both were measured, or in how many the one of fewer was if in none. */
  public int blocks(String baseline, String candidate) {
    Set<String> first = lnByPlace(baseline).keySet();
    int shared = (int) lnByPlace(candidate).keySet().stream().filter(first::contains).count();
    return shared > 0 ? shared : Math.min(lnByPlace(baseline).size(), lnByPlace(candidate).size());
  }

  /** Whether one noise serves all treatments. */
  public boolean pooled() {
    return levene.isEmpty() || levene.getAsDouble() >= Spreads.DIFFER;
  }

  /**
   * A measurement that does not belong with the others.
   *
   * @param expected what the others predict in its place, in the response's unit
   * @param studentised its externally studentised residual
   * @param p corrected for the number of measurements (Bonferroni)
   */
  public record Outlying(Measurement measurement, double expected, double studentised, double p) {}

  /** The outlying measurements at this level, the farthest first; nothing is left out for them. */
  public List<Outlying> outliers(double level) {
    if (!replicated) {
      return List.of();
    }
    List<Outlying> found =
        withinBlocks().orElseGet(this::random).outliers(level).stream()
            .map(
                o ->
                    new Outlying(
                        rows.get(o.observation()),
                        Math.exp(y[o.observation()] - o.shift()),
                        o.studentised(),
                        o.p()))
            .filter(o -> Samples.differMaterially(o.measurement().value(), o.expected()))
            .toList();
    if (treatments.size() != 2) {
      return found;
    }
    Map<String, Outlying> byPlace = new LinkedHashMap<>();
    for (Outlying each : found) {
      byPlace.merge(
          each.measurement().place(),
          each,
          (one, other) -> astray(one) < astray(other) ? other : one);
    }
    return List.copyOf(byPlace.values());
  }

  /**
   * How far from the median of its treatment. Of two treatments each leaves the same in a block, so
   * the fit does not tell which of them it was.
   */
  private double astray(Outlying outlying) {
    String treatment = outlying.measurement().treatment();
    double[] own =
        Samples.ln(measurements(treatment).stream().mapToDouble(Measurement::value).toArray());
    return Math.abs(Math.log(outlying.measurement().value()) - Samples.median(own));
  }
}
