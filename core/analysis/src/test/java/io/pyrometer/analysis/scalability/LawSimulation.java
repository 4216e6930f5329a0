package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ladders of nodes with known laws: how often what is said of them is true. */
public final class LawSimulation {
  private static final List<double[]> LADDERS =
      List.of(
          new double[] {1, 2, 3, 4, 6, 8},
          new double[] {1, 2, 3, 4, 6, 8, 12, 16},
          new double[] {1, 2, 3, 4, 5, 6, 8, 10, 12, 16},
          new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20},
          IntStream.rangeClosed(1, 20).asDoubleStream().toArray());
  private static final int[] REPLICATES = {1, 2, 3, 5};
  private static final double[] NOISES = {0.01, 0.03, 0.08};
  private static final double[] BLOCK_SDS = {0, 0.03, 0.06};

  private LawSimulation() {}

  /** The share of customers who find all servers busy and leave: Erlang's B by its recursion. */
  private static double blocking(int servers, double offered) {
    double b = 1;
    for (int k = 1; k <= servers; k++) {
      b = offered * b / (k + offered * b);
    }
    return b;
  }

  /** A law with its name, and where it turns if it is the scalability law with κ &gt; 0. */
  public record Law(String name, DoubleUnaryOperator x, OptionalDouble peak) {
    Law(String name, DoubleUnaryOperator x) {
      this(name, x, OptionalDouble.empty());
    }
  }

  /** All models, with and without a peak in reach. */
  public static final List<Law> LAWS =
      List.of(
          new Law("linear", n -> 1000 * n),
          new Law("Amdahl", n -> 1000 * n / (1 + 0.05 * (n - 1))),
          universal("peak at 30", 0.03, 30),
          universal("peak at 8", 0.05, 8),
          new Law("hop", n -> 1000 / (1 + 1.2 * (1 - 1 / n) + 0.02 * (n - 1))),
          new Law("rising power", n -> 1000 * Math.pow(n, 0.7)),
          new Law("falling power", n -> 1000 * Math.pow(n, -0.4)),
          new Law("saturation", n -> 1000 * Math.min(n, 6)),
          new Law("closed queue", n -> 10_000 * (1 - blocking((int) n, 9))),
          new Law("hop − linear", n -> 1000 * (1 / (2.2 - 1.2 / n) - 0.008 * (n - 1))));

  /** Those that never decline. */
  private static final Set<String> RISING =
      Set.of("linear", "Amdahl", "rising power", "saturation", "closed queue");

  private static final Map<String, Model> MADE_BY =
      Map.of(
          "linear", Model.LINEAR,
          "Amdahl", Model.AMDAHL,
          "peak at 8", Model.UNIVERSAL,
          "hop", Model.UNIVERSAL,
          "rising power", Model.POWER,
          "falling power", Model.POWER,
          "saturation", Model.BOUNDS,
          "hop − linear", Model.HOP_LINEAR);

  private static Law universal(String name, double sigma, double peak) {
    double kappa = (1 - sigma) / (peak * peak);
    return new Law(
        name, n -> 1000 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)), OptionalDouble.of(peak));
  }

  /** One combination of the grid. */
  public record Cell(
      Law law, double[] ladder, int replicates, double noise, double blockSd, long seed) {
    /** The number of different N. */
    public int points() {
      return ladder.length;
    }
  }

  /** Every law with every ladder, number of replicates, noise and spread of blocks. */
  public static List<Cell> grid() {
    List<Cell> cells = new ArrayList<>();
    for (Law law : LAWS) {
      for (double[] ladder : LADDERS) {
        for (int replicates : REPLICATES) {
          for (double noise : NOISES) {
            for (double blockSd : BLOCK_SDS) {
              cells.add(new Cell(law, ladder, replicates, noise, blockSd, cells.size()));
            }
          }
        }
      }
    }
    return cells;
  }

  /**
   * The claim on one made-up ladder, and whether it is true; empty where nothing was said.
   *
   * @param ahead the interval at twice the measured range holds the truth
   * @param lambda the interval of λ holds it, of data that the law made
   * @param peak the interval of a published peak holds it
   * @param excluded a peak stated as impossible is none
   * @param heldOut the largest N, left out, was measured within its prediction interval
   * @param farPeak a peak beyond four times the range was published
   * @param falsePeak a peak of a curve that has none up to four times the range was published; of
   *     other curves empty
   * @param best the model that made the points is not ruled out; empty of those that no model made
   */
  public record Said(
      Cell cell,
      Optional<Boolean> ahead,
      Optional<Boolean> lambda,
      Optional<Boolean> peak,
      Optional<Boolean> excluded,
      Optional<Boolean> heldOut,
      boolean farPeak,
      Optional<Boolean> falsePeak,
      Optional<Boolean> best) {}

  /** Several ladders of a cell. */
  public static Stream<Said> said(Cell cell, int ladders) {
    Random random = new Random(cell.seed() * 7919 + 7);
    return IntStream.range(0, ladders).mapToObj(i -> one(cell, random));
  }

  static List<ScalePoint> ladder(
      Law law, double[] ns, int replicates, double noise, double blockSd, Random random) {
    List<ScalePoint> points = new ArrayList<>();
    for (int r = 0; r < replicates; r++) {
      double block = blockSd * random.nextGaussian();
      for (double n : ns) {
        double x = law.x().applyAsDouble(n) * Math.exp(block + noise * random.nextGaussian());
        points.add(new ScalePoint(n, x, "b" + r));
      }
    }
    return points;
  }

  private static Said one(Cell cell, Random random) {
    Law law = cell.law();
    List<ScalePoint> points =
        ladder(law, cell.ladder(), cell.replicates(), cell.noise(), cell.blockSd(), random);
    double largest = cell.ladder()[cell.points() - 1];
    Scalability found = Scalability.of(points, AnalysisOptions.DEFAULT);
    Optional<Boolean> lambda =
        // One block says nothing of how much another would differ, and says so.
        law.peak().isPresent() && (cell.replicates() > 1 || cell.blockSd() == 0)
            ? Optional.of(
                found.law().parameters().get(0).estimate().contains(law.x().applyAsDouble(1)))
            : Optional.empty();
    return new Said(
        cell,
        ahead(found, law, 2 * largest, cell),
        lambda,
        law.peak().isPresent()
            ? found.peak().map(peak -> peak.n().contains(law.peak().getAsDouble()))
            : Optional.empty(),
        excluded(found, law, largest),
        HeldOut.of(points, AnalysisOptions.DEFAULT)
            .map(check -> check.outcome() == HeldOut.Outcome.WITHIN),
        found.peak().isPresent() && found.peak().get().n().value() > 4 * largest,
        RISING.contains(law.name()) ? Optional.of(found.peak().isPresent()) : Optional.empty(),
        Optional.ofNullable(MADE_BY.get(law.name()))
            .map(model -> found.rivals().stream().anyMatch(fit -> fit.model() == model)));
  }

  private static Optional<Boolean> ahead(Scalability found, Law law, double n, Cell cell) {
    if (cell.replicates() == 1 && cell.blockSd() > 0) {
      // The level of the only block cannot be told from the law's: the truth is that block's.
      return Optional.empty();
    }
    try {
      Estimate ahead = found.at(n).throughput();
      return Optional.of(ahead.contains(law.x().applyAsDouble(n)));
    } catch (BadDataException nothing) {
      return Optional.empty();
    }
  }

  /** As the sentence without a peak has it: none below the least N that κ's interval allows. */
  private static Optional<Boolean> excluded(Scalability found, Law law, double largest) {
    if (law.peak().isEmpty()
        || found.peak().isPresent()
        || found.law().value("σ") > 1
        || found.law().parameter("κ").openHigh()) {
      return Optional.empty();
    }
    double least =
        Math.floor(
            Math.min(
                Scalability.FARTHEST * largest,
                found.law().earliestPeak().orElse(Double.POSITIVE_INFINITY)));
    return Optional.of(law.peak().getAsDouble() >= least);
  }
}
