package io.pyrometer.analysis.blocks;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.Treatment;
import io.pyrometer.analysis.estimate.StudentT;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A randomised block design on the logarithm of the response: ln y = treatment + block + noise, by
 * least squares (Montgomery, Design and Analysis of Experiments, ch. 4). The noise is pooled over
 * treatments; a ratio is the mean of ln ratio over the blocks that hold both treatments, so that
 * cells may be missing.
 *
 * <ul>
 *   <li>Where trials of a block share starts of processes, treatments of one start are judged
 *       within starts, and those of different starts with the starts' mean square as well, as the
 *       two strata of a split plot (Montgomery, ch. 14).
 *   <li>Where spreads differ (Brown and Forsythe), a pair is judged by its own differences alone.
 *   <li>From ten blocks on, intervals are widened by √((1 + r)/(1 − r)) for the autocorrelation r
 *       of successive blocks.
 * </ul>
 */
public final class BlockModel {
  /** Blocks from which their dependence is tested for, and from which intervals are widened. */
  private static final int MIN_TESTED = 5;

  private static final int MIN_WIDENED = 10;
  private static final double DEPENDENT = 0.05;
  private static final double MAX_AUTOCORRELATION = 0.9;

  /** The mean of n values takes 4r/n from an autocorrelation r (Marriott and Pope 1954). */
  private static final double BIAS = 4;

  private final List<Measurement> rows;
  private final Grouping treatment;
  private final double[] y;

  /** By treatment and block the row; blocks in the order of their numbers. */
  private final Map<String, Map<String, Integer>> cells = new LinkedHashMap<>();

  private final Additive withinBlocks;

  /** Present where some trials of a block share a start and others do not. */
  private final Optional<Additive> withinStarts;

  /** Mean number of trials of a start. */
  private final double perStart;

  private final int blocks;
  private final boolean pooled;
  private final Optional<Dependence> dependence;

  /**
   * One value of the response.
   *
   * @param block of several treatments that were measured one after the other
   * @param start of processes in that block that others share; empty where it is its own
   * @param value above 0
   */
  public record Measurement(String treatment, String block, String start, double value) {}

  /**
   * The autocorrelation of successive blocks.
   *
   * @param r the first autocorrelation of the residuals, from −1 to 1, corrected for its bias
   * @param p one-sided, of such an r if blocks were independent
   */
  public record Dependence(double r, double p) {
    /** True where blocks depend on each other, at 5 %. */
    public boolean isSignificant() {
      return p < DEPENDENT;
    }
  }

  private BlockModel(List<Measurement> rows) {
    this.rows = rows;
    treatment = Grouping.of("treatment", rows.stream().map(Measurement::treatment).toList());
    y = Samples.ln(rows.stream().mapToDouble(Measurement::value).toArray());
    for (int i = 0; i < y.length; i++) {
      cells
          .computeIfAbsent(rows.get(i).treatment(), key -> new TreeMap<>(Treatment.BY_NUMBER))
          .put(rows.get(i).block(), i);
    }
    Grouping ofBlocks = Grouping.of("block", rows.stream().map(Measurement::block).toList());
    blocks = ofBlocks.groups();
    Grouping starts = Grouping.of("start", rows.stream().map(BlockModel::start).toList());
    withinBlocks = new Additive(ofBlocks);
    withinStarts =
        starts.groups() > blocks && starts.groups() < y.length
            ? Optional.of(new Additive(starts)).filter(inner -> inner.df > 0)
            : Optional.empty();
    perStart = (double) y.length / starts.groups();
    Optional<Grouping> shared = Optional.of(ofBlocks).filter(b -> blocks < y.length);
    pooled = !LeastSquares.differInSpread(y, treatment, shared);
    double independent = Math.min(cells.size(), (double) starts.groups() / blocks);
    dependence = dependence(independent - 1);
  }

  private static List<String> start(Measurement row) {
    return List.of(row.block(), row.start().isEmpty() ? row.treatment() : "", row.start());
  }

  /**
   * Fits the model; several values of a treatment in a block are averaged.
   *
   * @throws io.pyrometer.analysis.BadDataException if there are no values, or one is not above 0
   */
  public static BlockModel of(List<Measurement> measurements) {
    Samples.positive(
        measurements.stream().mapToDouble(Measurement::value).toArray(), 1, "the response");
    Map<List<String>, List<Measurement>> cells = new LinkedHashMap<>();
    measurements.forEach(
        m ->
            cells
                .computeIfAbsent(List.of(m.treatment(), m.block()), key -> new ArrayList<>())
                .add(m));
    return new BlockModel(cells.values().stream().map(BlockModel::mean).toList());
  }

  private static Measurement mean(List<Measurement> cell) {
    Measurement first = cell.get(0);
    double ln = cell.stream().mapToDouble(m -> Math.log(m.value())).average().orElseThrow();
    return cell.size() == 1
        ? first
        : new Measurement(first.treatment(), first.block(), first.start(), Math.exp(ln));
  }

  /**
   * Treatments and units, blocks or starts, as fixed effects; one fit for each part of treatments
   * that are connected by units.
   */
  private final class Additive {
    private final double[] residuals = new double[y.length];
    private double squares;
    private int df;

    Additive(Grouping units) {
      for (int[] part : treatment.parts(units).members()) {
        Grouping own = Grouping.of(units.name(), labels(part, units));
        Grouping column = Grouping.of("treatment", labels(part, treatment));
        if (part.length - column.groups() - own.groups() + 1 < 1) {
          continue;
        }
        double[][] x = new double[part.length][column.groups()];
        for (int i = 0; i < x.length; i++) {
          x[i][column.group()[i]] = 1;
        }
        double[] values = IntStream.of(part).mapToDouble(i -> y[i]).toArray();
        LeastSquares fit = LeastSquares.within(values, x, own);
        squares += fit.residualSquares();
        df += fit.degreesOfFreedom();
        double[] left = fit.residuals();
        IntStream.range(0, part.length).forEach(i -> residuals[part[i]] = left[i]);
      }
    }

    double variance() {
      return squares / df;
    }

    Contrast contrast(double value, double unit) {
      return new Contrast(value, Math.sqrt(unit * variance()), df);
    }

    private List<Integer> labels(int[] part, Grouping grouping) {
      int[] group = grouping.group();
      return IntStream.of(part).mapToObj(i -> group[i]).toList();
    }
  }

  /**
   * Tests by the correlation of residuals with those of the same treatment in the next block.
   *
   * @param independent how many independent series of residuals there are
   */
  private Optional<Dependence> dependence(double independent) {
    double products = 0;
    for (Map<String, Integer> own : cells.values()) {
      double[] series = own.values().stream().mapToDouble(i -> withinBlocks.residuals[i]).toArray();
      for (int b = 1; b < series.length; b++) {
        products += series[b] * series[b - 1];
      }
    }
    if (blocks < MIN_TESTED || !(withinBlocks.squares > 0) || independent <= 0) {
      return Optional.empty();
    }
    // Of n independent values r has mean −1/n and variance (n − 2)²/n²(n − 1) (Moran 1948).
    double above = products / withinBlocks.squares + 1.0 / blocks;
    double sd = (blocks - 2) / (blocks * Math.sqrt((blocks - 1) * independent));
    double r = Math.min(1, above / (1 - BIAS / blocks));
    return Optional.of(new Dependence(r, StudentT.normalAbove(above / sd)));
  }

  /** The autocorrelation of successive blocks; empty with fewer than five. */
  public Optional<Dependence> dependence() {
    return dependence;
  }

  /** The factor by which intervals are widened for dependent blocks; 1 with fewer than ten. */
  private double widening() {
    double r =
        blocks < MIN_WIDENED
            ? 0
            : Math.max(0, Math.min(MAX_AUTOCORRELATION, dependence.map(Dependence::r).orElse(0.0)));
    return Math.sqrt((1 + r) / (1 - r));
  }

  /** The rows of baseline and candidate in each block that holds both. */
  private List<int[]> pairs(String baseline, String candidate) {
    Map<String, Integer> after = cells.getOrDefault(candidate, Map.of());
    List<int[]> pairs = new ArrayList<>();
    cells
        .getOrDefault(baseline, Map.of())
        .forEach(
            (block, before) ->
                Optional.ofNullable(after.get(block))
                    .ifPresent(row -> pairs.add(new int[] {before, row})));
    return pairs;
  }

  /**
   * ln of candidate over baseline; empty if no block holds both, or a single one shows no noise to
   * judge a difference by.
   */
  public Optional<Contrast> lnRatio(String baseline, String candidate) {
    List<int[]> pairs = pairs(baseline, candidate);
    double[] differences = pairs.stream().mapToDouble(pair -> y[pair[1]] - y[pair[0]]).toArray();
    return (pairs.isEmpty()
            ? Optional.<Contrast>empty()
            : pooled(pairs, Samples.mean(differences))
                .or(() -> Optional.of(differences).filter(d -> d.length > 1).map(Contrast::ofMean)))
        .map(contrast -> contrast.widened(widening()));
  }

  /** With the noise of all treatments, where it serves for these pairs. */
  private Optional<Contrast> pooled(List<int[]> pairs, double value) {
    double unit = 2.0 / pairs.size();
    if (!pooled || withinBlocks.df == 0) {
      return Optional.empty();
    }
    if (withinStarts.isEmpty()) {
      return Optional.of(withinBlocks.contrast(value, unit));
    }
    Additive inner = withinStarts.get();
    long together =
        pairs.stream()
            .filter(pair -> start(rows.get(pair[0])).equals(start(rows.get(pair[1]))))
            .count();
    if (together == pairs.size()) {
      return Optional.of(inner.contrast(value, unit));
    }
    int df = withinBlocks.df - inner.df;
    if (together > 0 || df < 1) {
      return Optional.empty();
    }
    // The mean square of starts estimates noise + perStart × variance of starts.
    double ofStarts = Math.max(0, withinBlocks.squares - inner.squares) / df;
    return Optional.of(
        Contrast.ofSum(
            value,
            new double[] {unit * ofStarts / perStart, unit * inner.variance() * (1 - 1 / perStart)},
            new double[] {df, inner.df}));
  }

  /** Candidate over baseline with its interval; the replicates are the blocks that hold both. */
  public Optional<Estimate> ratio(String baseline, String candidate) {
    int blocksOfBoth = pairs(baseline, candidate).size();
    return lnRatio(baseline, candidate)
        .map(ln -> ln.estimate(Estimate.CONFIDENCE, blocksOfBoth, "").exp());
  }
}
