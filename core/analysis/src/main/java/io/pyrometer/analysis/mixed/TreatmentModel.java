package io.pyrometer.analysis.mixed;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.MaterialDifference;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.mixed.MixedModel.Grouping;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.hipparchus.distribution.continuous.FDistribution;

/**
 * Treatments that were measured in blocks of one or several runs, on the logarithm of the response:
 * ln y = treatment + run + block within run + treatment × block + noise, all but the treatment
 * random. Cells may be missing; a term that the data cannot tell from another is left out.
 *
 * <p>The noise is one for all treatments, unless their spreads differ (Levene's test on what
 * treatments and blocks leave, about the medians): then two treatments are compared by their own
 * values alone. Where the variance between blocks is estimated as 0, blocks are taken out as fixed
 * effects, so that with one value a cell the comparison of two treatments always is the paired t
 * test.
 */
public final class TreatmentModel {
  /** Spreads that differ as sure as this are not pooled. */
  private static final double SPREADS_DIFFER = 0.05;

  /** Levene's test takes so many values of a treatment. */
  private static final int ENOUGH_FOR_SPREAD = 3;

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
  private final boolean complete;
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
   * @param value above 0
   */
  public record Measurement(String treatment, String run, String block, double value) {
    private String cell() {
      return place() + '\n' + treatment;
    }

    private String place() {
      return run + '\n' + block;
    }
  }

  /** Which random terms the data can tell apart, and which treatments share blocks. */
  private record Layout(
      boolean runs, boolean blocks, boolean cells, int runsToJudgeBy, Map<String, Integer> part) {}

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
    this.layout = layout();
    this.replicated = rows.size() > treatments.size();
    this.onceACell = rows.stream().map(Measurement::cell).distinct().count() == rows.size();
    this.complete = complete();
    this.levene = judgeSpread ? levene() : OptionalDouble.empty();
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
              return new Measurement(first.treatment(), first.run(), first.block(), Math.exp(ln));
            })
        .toList();
  }

  private Layout layout() {
    int rank = treatments.size();
    long runs = rows.stream().map(Measurement::run).distinct().count();
    long places = rows.stream().map(Measurement::place).distinct().count();
    long cells = rows.stream().map(Measurement::cell).distinct().count();
    int runsLeft = parts(true).rank(runs) - rank;
    int blocksLeft = parts(false).rank(places) - rank;
    return new Layout(
        runsLeft > 0 && runs < rows.size(),
        blocksLeft > runsLeft && places < rows.size() && places > runs,
        cells < rows.size() && cells > treatments.size(),
        runsLeft,
        parts(false).of());
  }

  /** Treatments that share runs or blocks, directly or by others, are of one part. */
  private record Parts(Map<String, Integer> of, int treatments) {
    /** The rank of treatments and places together: one less for each part. */
    int rank(long places) {
      return treatments + (int) places - (int) of.values().stream().distinct().count();
    }
  }

  private Parts parts(boolean ofRuns) {
    Map<String, Integer> part = new HashMap<>();
    for (String treatment : treatments) {
      part.put(treatment, part.size());
    }
    Map<String, Integer> ofPlace = new HashMap<>();
    for (boolean changed = true; changed; ) {
      changed = false;
      for (Measurement row : rows) {
        String place = ofRuns ? row.run() : row.place();
        int own = part.getOrDefault(row.treatment(), 0);
        int least = Math.min(own, ofPlace.getOrDefault(place, own));
        Integer before = ofPlace.put(place, least);
        changed |= own != least || before == null || before != least;
        part.put(row.treatment(), least);
      }
    }
    return new Parts(part, treatments.size());
  }

  private double[][] design() {
    double[][] x = new double[rows.size()][treatments.size()];
    for (int i = 0; i < x.length; i++) {
      x[i][column(rows.get(i).treatment())] = 1;
    }
    return x;
  }

  private List<Grouping> terms(boolean withBlocks) {
    List<Grouping> terms = new ArrayList<>();
    if (layout.runs() && withBlocks) {
      terms.add(Grouping.of("run", rows.stream().map(Measurement::run).toList()));
    }
    if (layout.blocks() && withBlocks) {
      terms.add(Grouping.of("block", rows.stream().map(Measurement::place).toList()));
    }
    if (layout.cells()) {
      terms.add(Grouping.of("treatment × block", rows.stream().map(Measurement::cell).toList()));
    }
    return terms;
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
      int part = layout.part().getOrDefault(row.treatment(), 0);
      if (!places.containsKey(row.place())) {
        places.put(row.place(), started.add(part) ? -1 : places.size() - started.size());
      }
    }
    int width = treatments.size() + places.size() - started.size();
    if (rows.size() <= width) {
      return Optional.empty();
    }
    double[][] x = new double[rows.size()][width];
    for (int i = 0; i < x.length; i++) {
      x[i][column(rows.get(i).treatment())] = 1;
      int place = places.getOrDefault(rows.get(i).place(), -1);
      if (place >= 0) {
        x[i][treatments.size() + place] = 1;
      }
    }
    return Optional.of(MixedModel.fit(y, x, terms(false)));
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
      random = Optional.of(MixedModel.fit(y, design(), terms(true)));
    }
    return random.orElseThrow();
  }

  /**
   * Whether every treatment has one value in every block. Then every difference is of whole blocks,
   * and the model of random blocks has the estimates, errors and degrees of freedom of that of
   * fixed blocks.
   */
  private boolean complete() {
    long places = rows.stream().map(Measurement::place).distinct().count();
    return onceACell && rows.size() == places * treatments.size();
  }

  /** The treatments, in order of first appearance. */
  public List<String> treatments() {
    return treatments;
  }

  /** The values of a treatment. */
  public List<Measurement> measurements(String treatment) {
    return rows.stream().filter(row -> row.treatment().equals(treatment)).toList();
  }

  /** In how many blocks both were measured. */
  public int sharedBlocks(String baseline, String candidate) {
    Set<String> second = lnByPlace(candidate).keySet();
    return (int) lnByPlace(baseline).keySet().stream().filter(second::contains).count();
  }

  /** Whether the two share blocks, directly or by way of others. */
  public boolean sideBySide(String baseline, String candidate) {
    column(baseline);
    column(candidate);
    return Objects.equals(layout.part().get(baseline), layout.part().get(candidate));
  }

  /**
   * Why the two cannot be compared; empty if they can. Treatments of different runs need the
   * variance between runs, which one run of each does not show.
   */
  public Optional<String> obstacle(String baseline, String candidate) {
    if (!replicated) {
      return Optional.of(
          "every treatment was measured once, so there is no noise to judge a difference by; run"
              + " more blocks");
    }
    boolean acrossRuns = !sideBySide(baseline, candidate) && !shareRuns(baseline, candidate);
    if (acrossRuns && layout.runsToJudgeBy() == 0) {
      return Optional.of(
          "%s and %s were measured in one run each at different times, which does not show how much two runs of the same differ; run both in the same blocks, or repeat both runs"
              .formatted(baseline, candidate));
    }
    return Optional.empty();
  }

  private boolean shareRuns(String baseline, String candidate) {
    Map<String, Integer> part = parts(true).of();
    return Objects.equals(part.get(baseline), part.get(candidate));
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
      TreatmentModel own = own(baseline, candidate);
      if (own.obstacle(baseline, candidate).isEmpty()
          && own.sideBySide(baseline, candidate) == sideBySide(baseline, candidate)) {
        return own.lnRatio(baseline, candidate);
      }
    }
    if (complete && withinBlocks().isPresent()) {
      return difference(withinBlocks().get(), baseline, candidate);
    }
    MixedFit mixed = random();
    boolean zeroBlocks = Objects.equals(mixed.variances().get("block"), 0.0);
    if (sideBySide(baseline, candidate) && zeroBlocks && withinBlocks().isPresent()) {
      return difference(withinBlocks().get(), baseline, candidate);
    }
    Contrast contrast = difference(mixed, baseline, candidate);
    boolean acrossRuns = !sideBySide(baseline, candidate) && !shareRuns(baseline, candidate);
    return acrossRuns
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
    boolean all = pairs == before.size() && pairs == after.size();
    return pairs >= MANY_PAIRS || (all && pairs >= 2)
        ? Optional.of(
            new Contrast(
                Samples.mean(differences),
                Math.sqrt(Samples.variance(differences) / pairs),
                pairs - 1.0))
        : Optional.empty();
  }

  /** The last value of each block; empty if the treatment was not measured. */
  private Map<String, Double> lnByPlace(String treatment) {
    return lnByPlace.getOrDefault(treatment, Map.of());
  }

  private TreatmentModel own(String baseline, String candidate) {
    return ofTwo.computeIfAbsent(
        Set.of(baseline, candidate),
        two ->
            new TreatmentModel(
                rows.stream().filter(row -> two.contains(row.treatment())).toList(), false));
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
      return new Contrast(
          Samples.mean(values),
          Math.sqrt(Samples.variance(values) / values.length),
          values.length - 1.0);
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
    int shared = sharedBlocks(baseline, candidate);
    return shared > 0 ? shared : Math.min(lnByPlace(baseline).size(), lnByPlace(candidate).size());
  }

  /** Whether one noise serves all treatments. */
  public boolean pooled() {
    return levene.isEmpty() || levene.getAsDouble() >= SPREADS_DIFFER;
  }

  /**
   * A measurement that does not belong with the others.
   *
   * @param expected what the others predict in its place, in the response's unit
   * @param studentised its externally studentised residual
   * @param p corrected for the number of measurements (Bonferroni)
   */
  public record Outlying(Measurement measurement, double expected, double studentised, double p) {

    /** What it is and how far out, for a sentence. */
    public String inWords() {
      return "%s in block %s gave %s where the other runs predict %s (studentised residual %s, %s)"
          .formatted(
              measurement.treatment(),
              measurement.block(),
              Figures.plain(measurement.value()),
              Figures.plain(expected),
              Figures.plain(studentised).replace('-', '−'),
              Figures.p(p));
    }
  }

  /** The outlying measurements at this level, the farthest first; nothing is left out for them. */
  public List<Outlying> outliers(double level) {
    if (!replicated) {
      return List.of();
    }
    Map<String, Outlying> byPlace = new LinkedHashMap<>();
    List<Outlying> found = new ArrayList<>();
    withinBlocks().orElseGet(this::random).outliers(level).stream()
        .map(
            o ->
                new Outlying(
                    rows.get(o.observation()),
                    Math.exp(y[o.observation()] - o.shift()),
                    o.studentised(),
                    o.p()))
        .filter(o -> MaterialDifference.between(o.measurement().value(), o.expected()))
        .forEach(
            o -> {
              if (treatments.size() == 2) {
                byPlace.merge(
                    o.measurement().place(),
                    o,
                    (one, other) -> astray(one) < astray(other) ? other : one);
              } else {
                found.add(o);
              }
            });
    found.addAll(byPlace.values());
    return List.copyOf(found);
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

  /**
   * Brown and Forsythe's form: an analysis of variance of the distances from the medians. Blocks
   * are taken out by their medians, since a mean would spread a loud treatment's noise over the
   * quiet.
   */
  private OptionalDouble levene() {
    if (treatments.size() < ENOUGH_FOR_SPREAD || !replicated) {
      return OptionalDouble.empty();
    }
    double[] left = y.clone();
    takeOutMedians(left, Measurement::treatment);
    if (layout.blocks()) {
      takeOutMedians(left, Measurement::place);
      takeOutMedians(left, Measurement::treatment);
    }
    Map<String, List<Double>> distances = new LinkedHashMap<>();
    for (int i = 0; i < left.length; i++) {
      distances
          .computeIfAbsent(rows.get(i).treatment(), key -> new ArrayList<>())
          .add(Math.abs(left[i]));
    }
    double[] all = Arrays.stream(left).map(Math::abs).toArray();
    double mean = Samples.mean(all);
    double between = 0;
    double within = 0;
    for (List<Double> distance : distances.values()) {
      double[] own = distance.stream().mapToDouble(Double::doubleValue).toArray();
      if (own.length < ENOUGH_FOR_SPREAD) {
        return OptionalDouble.empty();
      }
      between += own.length * Math.pow(Samples.mean(own) - mean, 2);
      within += Samples.sumOfSquares(own);
    }
    int groups = distances.size();
    int free = left.length - groups;
    if (!(within > 0)) {
      return OptionalDouble.empty();
    }
    double f = between / (groups - 1) / (within / free);
    return OptionalDouble.of(1 - new FDistribution(groups - 1, free).cumulativeProbability(f));
  }

  private void takeOutMedians(double[] left, Function<Measurement, String> group) {
    Map<String, List<Integer>> members = new HashMap<>();
    for (int i = 0; i < left.length; i++) {
      members.computeIfAbsent(group.apply(rows.get(i)), key -> new ArrayList<>()).add(i);
    }
    for (List<Integer> own : members.values()) {
      double median = Samples.median(own.stream().mapToDouble(i -> left[i]).toArray());
      own.forEach(i -> left[i] -= median);
    }
  }
}
