package io.pyrometer.analysis.simulation;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Observation;
import io.pyrometer.analysis.changepoint.ChangeRule;
import io.pyrometer.analysis.changepoint.History;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.comparison.GateResult;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.analysis.comparison.GateRule;
import io.pyrometer.analysis.comparison.ModelGate;
import io.pyrometer.analysis.comparison.ModelledPair;
import io.pyrometer.analysis.comparison.SequentialComparison;
import io.pyrometer.analysis.comparison.TreatmentComparisons;
import io.pyrometer.analysis.comparison.TreatmentComparisons.Pair;
import io.pyrometer.analysis.comparison.Verdict;
import io.pyrometer.analysis.factorial.Designs;
import io.pyrometer.analysis.factorial.Effect;
import io.pyrometer.analysis.factorial.Factor;
import io.pyrometer.analysis.factorial.FactorialData;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialOptions;
import io.pyrometer.analysis.factorial.LevelEffects;
import io.pyrometer.analysis.latency.LatencyCounts;
import io.pyrometer.analysis.latency.TailRatio;
import io.pyrometer.analysis.latency.TailRatioTest;
import io.pyrometer.analysis.mixed.TreatmentModel;
import io.pyrometer.analysis.mixed.TreatmentModel.Measurement;
import io.pyrometer.analysis.scalability.FitOptions;
import io.pyrometer.analysis.scalability.LawSimulation;
import io.pyrometer.analysis.scalability.LawSimulation.Cell;
import io.pyrometer.analysis.scalability.LawSimulation.Said;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.ScalePoint;
import io.pyrometer.analysis.steady.SteadyState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Checks the claims of {@code docs/analyses.md} on made-up data whose truth is known, and prints
 * the table there: {@code ./mvnw -q -pl analysis test-compile exec:java@simulate}. A number behind
 * it multiplies the sizes. The same seed gives the same figures.
 */
public final class Simulate {
  /** Smaller ones are for tests, which print nothing. */
  private static final double PRINTED = 0.1;

  private final double size;
  private final List<String> failed = new ArrayList<>();

  private Simulate(double size) {
    this.size = size;
  }

  /** Prints the table; sizes are multiplied by the first argument. */
  public static void main(String[] arguments) {
    Simulate simulate = new Simulate(arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1);
    System.out.println("| claim | simulated | in 100 cases (cases) |");
    System.out.println("|---|---|---|");
    simulate.all();
    System.out.println(
        simulate.failed.isEmpty() ? "All claims hold." : "Not held: " + simulate.failed);
  }

  /** The claims of a small version that do not hold, as lines of the table. */
  static List<String> failedOfSmall() {
    Simulate simulate = new Simulate(0.02);
    simulate.quick();
    return List.copyOf(simulate.failed);
  }

  private void all() {
    quick();
    laws();
    tails();
  }

  private void quick() {
    treatments();
    factors();
    manyRows();
    separateRuns();
    sequences();
    histories();
    trials();
  }

  /** One line: how often something happens, which must lie between two shares. */
  private void claim(
      String claim, String how, int cases, double least, double most, Predicate<Random> happens) {
    int n = Math.max(10, (int) Math.round(cases * size));
    Random random = new Random(claim.hashCode() * 31L + how.hashCode());
    int count = 0;
    for (int i = 0; i < n; i++) {
      count += happens.test(random) ? 1 : 0;
    }
    record(claim, how, count / (double) n, n, least, most);
  }

  private void record(String claim, String how, double share, int n, double least, double most) {
    String line =
        String.format(Locale.ROOT, "| %s | %s | %.1f (%,d) |", claim, how, 100 * share, n);
    if (size >= PRINTED) {
      System.out.println(line);
    }
    // Three standard errors of so many cases, and one case.
    double slack = 3 * Math.sqrt(Math.max(most * (1 - most), 0.01) / n) + 1.0 / n;
    if (share < least - slack || share > most + slack) {
      failed.add(line);
    }
  }

  private static List<Measurement> blocks(
      int treatments, int blocks, double noise, double blockSd, double missing, Random random) {
    List<Measurement> rows = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      double level = blockSd * random.nextGaussian();
      for (int t = 0; t < treatments; t++) {
        double value = Math.exp(level + noise * random.nextGaussian());
        if (random.nextDouble() >= missing || b < 2) {
          rows.add(new Measurement("t" + t, "1", "b" + b, value));
        }
      }
    }
    return rows;
  }

  private void treatments() {
    for (double blockSd : new double[] {0, 0.03, 0.5}) {
      claim(
          "the 95 % interval of a ratio covers it",
          "6 treatments, 5 blocks, a quarter of the cells missing, noise 5 %%, block sd %.0f %%"
              .formatted(100 * blockSd),
          2000,
          0.93,
          0.975,
          r ->
              TreatmentModel.of(blocks(6, 5, 0.05, blockSd, 0.25, r))
                  .ratio("t0", "t1", 0.95)
                  .contains(1));
    }
    for (double runSd : new double[] {0, 0.02, 0.04}) {
      claim(
          "the 95 % interval of a ratio across repeated runs covers it",
          "3 + 3 runs of 5 blocks, noise 3 %%, run sd %.0f %%".formatted(100 * runSd),
          1000,
          0.93,
          0.99,
          r -> {
            List<Measurement> rows = new ArrayList<>();
            for (int run = 0; run < 6; run++) {
              double level = runSd * r.nextGaussian();
              for (int b = 0; b < 5; b++) {
                double value = Math.exp(level + 0.03 * r.nextGaussian());
                rows.add(new Measurement(run < 3 ? "A" : "B", "r" + run, "b" + b, value));
              }
            }
            return TreatmentModel.of(rows).ratio("A", "B", 0.95).contains(1);
          });
    }
    claim(
        "a value is called outlying though none is",
        "6 treatments, 5 blocks, noise 5 %, at 5 %",
        500,
        0,
        0.06,
        r -> !TreatmentModel.of(blocks(6, 5, 0.05, 0.05, 0.1, r)).outliers(0.05).isEmpty());
    claim(
        "a point of a curve is called outlying though none is",
        "scalability laws with σ 5 % and κ 0 to 2 %, 6 to 14 points, noise 3 %, at 5 %",
        500,
        0,
        0.06,
        r -> {
          double kappa = 0.02 * r.nextDouble();
          int largest = 6 + r.nextInt(9);
          List<ScalePoint> points = new ArrayList<>();
          for (int n = 1; n <= largest; n++) {
            double mean = 100 * n / (1 + 0.05 * (n - 1) + kappa * n * (n - 1));
            points.add(new ScalePoint(n, mean * Math.exp(0.03 * r.nextGaussian())));
          }
          return !Scalability.of(points, FitOptions.DEFAULT).outliers().isEmpty();
        });
  }

  private void factors() {
    claim(
        "a value is called outlying though none is",
        "a factor of 5 levels in 6 blocks, noise 5 %, block sd 5 %, at 5 %",
        500,
        0,
        0.06,
        r ->
            !LevelEffects.of(levels(r), List.of("a"), List.of(), "y", FactorialOptions.DEFAULT)
                .outliers()
                .isEmpty());
    claim(
        "a level is called significantly lower than the largest though none is",
        "a factor of 5 levels in 6 blocks, noise 5 %, block sd 5 %",
        500,
        0,
        0.06,
        r ->
            LevelEffects.of(levels(r), List.of("a"), List.of(), "y", FactorialOptions.DEFAULT)
                    .terms()
                    .get(0)
                    .extremes()
                    .orElseThrow()
                    .alike()
                    .size()
                < 4);
    claim(
        "the 95 % interval of an effect covers it",
        "2 × 2 in 3 blocks, one cell missing in each, block sd 60 %",
        1000,
        0.93,
        0.97,
        r -> {
          List<Observation> rows = new ArrayList<>();
          for (int b = 0; b < 3; b++) {
            double level = 0.6 * r.nextGaussian();
            int lost = r.nextInt(4);
            for (int c = 0; c < 4; c++) {
              double y = level + (c / 2 == 1 ? Math.log(1.3) : 0) + 0.02 * r.nextGaussian();
              if (c != lost) {
                rows.add(
                    new Observation(
                        Map.of("a", "" + c / 2, "b", "" + c % 2),
                        "b" + b,
                        Map.of("y", 100 * Math.exp(y))));
              }
            }
          }
          return LevelEffects.of(rows, List.of("a", "b"), List.of(), "y", FactorialOptions.DEFAULT)
              .terms()
              .stream()
              .filter(term -> term.name().equals("a"))
              .anyMatch(term -> term.change().orElseThrow().contains(1.3));
        });
    List<Factor> factors =
        IntStream.range(0, 5).mapToObj(f -> Factor.of("f" + f, "off", "on")).toList();
    claim(
        "an effect is claimed of pure noise",
        "2^5 without replicates, Lenth's rule",
        1000,
        0,
        0.06,
        r -> {
          double[] y = r.doubles(32).map(u -> 1000 * Math.exp(0.03 * r.nextGaussian())).toArray();
          return FactorialEffects.of(
                  FactorialData.unreplicated(Designs.full(factors), y), FactorialOptions.DEFAULT)
              .effects()
              .stream()
              .anyMatch(Effect::active);
        });
  }

  private static List<Observation> levels(Random r) {
    List<Observation> rows = new ArrayList<>();
    for (int block = 0; block < 6; block++) {
      double level = 0.05 * r.nextGaussian();
      for (int a = 0; a < 5; a++) {
        double y = 100 * Math.exp(level + 0.05 * r.nextGaussian());
        rows.add(new Observation(Map.of("a", "l" + a), "b" + block, Map.of("y", y)));
      }
    }
    return rows;
  }

  private static TreatmentModel builds(int rows, int blocks, double noise, double loss, Random r) {
    List<Measurement> measured = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      double level = 0.05 * r.nextGaussian();
      for (int row = 0; row < rows; row++) {
        double a = level + noise * r.nextGaussian();
        double b = level + noise * r.nextGaussian() + (row == 0 ? Math.log(1 - loss) : 0);
        measured.add(new Measurement(row + "A", "1", "b" + block, Math.exp(a)));
        measured.add(new Measurement(row + "B", "1", "b" + block, Math.exp(b)));
      }
    }
    return TreatmentModel.of(measured);
  }

  private static List<Pair> pairs(int rows) {
    return IntStream.range(0, rows).mapToObj(row -> new Pair(row + "A", row + "B")).toList();
  }

  private void manyRows() {
    claim(
        "'better' or 'worse' somewhere though nothing differs",
        "a table of 42 rows, 5 blocks, noise 6 %",
        100,
        0,
        0.05,
        r ->
            TreatmentComparisons.of(
                    builds(42, 5, 0.06, 0, r),
                    pairs(42),
                    "throughput",
                    ComparisonRule.HIGHER_IS_BETTER)
                .stream()
                .anyMatch(x -> x.verdict() == Verdict.BETTER || x.verdict() == Verdict.WORSE));
    claim(
        "a gate fails though nothing differs",
        "84 rows, 15 blocks, noise 5 %",
        60,
        0,
        0.01,
        r -> anyOf(builds(84, 15, 0.05, 0, r), 84, Outcome.REGRESSION));
    claim(
        "a gate finds a loss of 10 %",
        "one of 84 rows, 15 blocks, noise 5 %",
        60,
        0.95,
        1,
        r -> first(builds(84, 15, 0.05, 0.1, r), 84) == Outcome.REGRESSION);
    claim(
        "a gate passes a loss of 8 %",
        "1 row, 20 interleaved pairs, noise 5 %",
        500,
        0,
        0.1,
        r -> first(builds(1, 20, 0.05, 0.08, r), 1) == Outcome.PASS);
  }

  private static boolean anyOf(TreatmentModel model, int rows, Outcome outcome) {
    return ModelGate.judgeAll(model, pairs(rows), "throughput", GateRule.DEFAULT).stream()
        .anyMatch(result -> result.outcome() == outcome);
  }

  private static Outcome first(TreatmentModel model, int rows) {
    return ModelGate.judgeAll(model, pairs(rows), "throughput", GateRule.DEFAULT).get(0).outcome();
  }

  /** Runs made at different times: each is one value, and its level varies from run to run. */
  private void separateRuns() {
    for (double runSd : new double[] {0.02, 0.04}) {
      claim(
          "a gate between equal versions fails",
          "3 + 3 runs of 5 blocks, 4 rows, noise 3 %%, run sd %.0f %%".formatted(100 * runSd),
          1000,
          0,
          0.01,
          r -> {
            List<Measurement> rows = new ArrayList<>();
            for (int run = 0; run < 6; run++) {
              double level = runSd * r.nextGaussian();
              for (int row = 0; row < 4; row++) {
                double y = level + 0.03 / Math.sqrt(5) * r.nextGaussian();
                String name = row + (run < 3 ? "A" : "B");
                rows.add(new Measurement(name, "all", "r" + run, Math.exp(y)));
              }
            }
            return anyOf(TreatmentModel.of(rows), 4, Outcome.REGRESSION);
          });
    }
  }

  /** Shapes of noise with a standard deviation of about 1. */
  private record Noise(String name, ToDoubleFunction<Random> draw) {}

  private static final List<Noise> NOISES =
      List.of(
          new Noise("normal", Random::nextGaussian),
          new Noise("Student's t of 3 degrees", Simulate::heavy),
          new Noise("skewed (exponential)", r -> -Math.log(1 - r.nextDouble()) - 1),
          new Noise(
              "one run in 20 at half speed",
              r -> r.nextGaussian() - (r.nextInt(20) == 0 ? 14 : 0)));

  private static double heavy(Random r) {
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      double z = r.nextGaussian();
      squares += z * z;
    }
    return r.nextGaussian() / Math.sqrt(squares / 3) / Math.sqrt(3);
  }

  private void sequences() {
    for (Noise noise : NOISES) {
      claim(
          "a false alarm at any look, whenever one stops",
          "1 row, up to 60 interleaved blocks, noise 5 %%, %s".formatted(noise.name()),
          3000,
          0,
          0.01,
          // Without a margin a false alarm is any significant loss at all.
          r -> decision(1, 0, 0.05, noise, 60, 1e-9, r) == Outcome.REGRESSION);
    }
    claim(
        "a false alarm at any look, whenever one stops",
        "8 rows that share their noise, up to 30 interleaved blocks, noise 5 %",
        400,
        0,
        0.01,
        r -> decision(8, 0, 0.05, NOISES.get(0), 30, 1e-9, r) == Outcome.REGRESSION);
    claim(
        "a loss of 10 % is found within 20 blocks",
        "1 row, looking after every block, noise 4 %",
        1000,
        0.9,
        1,
        r -> decision(1, 0.1, 0.04, NOISES.get(0), 20, 0.03, r) == Outcome.REGRESSION);
    claim(
        "a loss of 10 % is found within 20 blocks",
        "one of 8 rows, looking after every block, noise 4 %",
        200,
        0.9,
        1,
        r -> decision(8, 0.1, 0.04, NOISES.get(0), 20, 0.03, r) == Outcome.REGRESSION);
    claim(
        "a loss of 8 % passes",
        "1 row, looking after every block, up to 20, noise 5 %",
        1000,
        0,
        0.1,
        r -> decision(1, 0.08, 0.05, NOISES.get(0), 20, 0.03, r) == Outcome.PASS);
  }

  /**
   * How an interleaved comparison ends: the ratios of each block in one model, all rows judged
   * after every block, until one is a regression, all are settled, or the blocks are used up.
   */
  private static Outcome decision(
      int rows, double loss, double noise, Noise shape, int most, double margin, Random r) {
    GateRule rule = new GateRule(0.01, margin, ComparisonRule.Direction.HIGHER);
    List<Measurement> ratios = new ArrayList<>();
    List<GateResult> results = List.of();
    for (int block = 1; block <= most; block++) {
      // What the processes of a block share, all its rows share.
      double shared = rows == 1 ? 0 : noise / 2 * r.nextGaussian();
      for (int row = 0; row < rows; row++) {
        double a = noise * shape.draw().applyAsDouble(r);
        double b = noise * shape.draw().applyAsDouble(r) + (row == 0 ? Math.log(1 - loss) : 0);
        ratios.add(new Measurement("t" + row, "1", "b" + block, Math.exp(shared + b - a)));
      }
      if (block < SequentialComparison.FIRST_LOOK) {
        continue;
      }
      results = look(ratios, rows, block, rule);
      if (results.stream().anyMatch(each -> each.outcome() == Outcome.REGRESSION)) {
        return Outcome.REGRESSION;
      }
      if (results.stream().allMatch(GateResult::settled)) {
        return Outcome.PASS;
      }
    }
    boolean passed = results.stream().allMatch(each -> each.outcome() == Outcome.PASS);
    return passed ? Outcome.PASS : Outcome.NOT_ENOUGH_RUNS;
  }

  private static List<GateResult> look(
      List<Measurement> ratios, int rows, int block, GateRule rule) {
    TreatmentModel model = TreatmentModel.of(ratios);
    return SequentialComparison.judgeAll(
        IntStream.range(0, rows)
            .mapToObj(
                row ->
                    new ModelGate.Row(
                        ModelledPair.of(
                            new Pair("A", "B"), "y", model.lnMean("t" + row), block, "block"),
                        rule))
            .toList());
  }

  private static List<double[]> runs(
      int n, double runSd, DoubleUnaryOperator level, Random random) {
    return IntStream.range(0, n)
        .mapToObj(
            i -> {
              double run = level.applyAsDouble(i) * Math.exp(runSd * random.nextGaussian());
              return random
                  .doubles(5)
                  .map(u -> 1000 * run * Math.exp(0.02 * random.nextGaussian()))
                  .toArray();
            })
        .toList();
  }

  private static History history(List<double[]> runs, int figures) {
    List<String> labels = IntStream.range(0, runs.size()).mapToObj(i -> "v" + i).toList();
    return History.ofRuns(runs, labels, "throughput", ChangeRule.OF_RUNS, figures);
  }

  /** A step or a drift was claimed. */
  private static boolean claimsChange(History history) {
    return history.findings().stream()
        .anyMatch(
            finding ->
                finding.kind() == Finding.Kind.CHANGE_POINT
                    && finding.severity() == Finding.Severity.NOTICE);
  }

  /** The p99 of 1,000 heavy-tailed calls in each block of each run. */
  private static List<double[]> tailRuns(
      int n, double runSd, DoubleUnaryOperator level, Random random) {
    return IntStream.range(0, n)
        .mapToObj(
            i -> {
              double run = Math.log(level.applyAsDouble(i)) + runSd * random.nextGaussian();
              return IntStream.range(0, 5)
                  .mapToDouble(
                      block ->
                          TailRatioTest.calls(1000, run + 0.05 * random.nextGaussian(), random)
                              .percentile(99))
                  .toArray();
            })
        .toList();
  }

  private void histories() {
    for (int n : new int[] {4, 8}) {
      for (double runSd : new double[] {0, 0.01, 0.03}) {
        claim(
            "a step or drift in a history though there is none",
            "any of 10 figures, %d runs of 5 blocks, noise 2 %%, run sd %.0f %%"
                .formatted(n, 100 * runSd),
            400,
            0,
            0.05,
            r ->
                IntStream.range(0, 10)
                    .anyMatch(f -> claimsChange(history(runs(n, runSd, i -> 1, r), 10))));
      }
    }
    for (int figures : new int[] {1, 10}) {
      claim(
          "a loss of 20 % in a history is found",
          "in one of %s, 2 + 2 runs of 5 blocks, noise 2 %%, run sd 0 %%"
              .formatted(Figures.count(figures, "figure")),
          500,
          figures == 1 ? 0.95 : 0.7,
          1,
          r -> history(runs(4, 0, i -> i < 2 ? 1 : 0.8, r), figures).points().size() == 1);
    }
    claim(
        "a loss of 20 % in a history is found",
        "4 + 4 runs of 5 blocks, noise 2 %, run sd 3 %",
        500,
        0.9,
        1,
        r -> history(runs(8, 0.03, i -> i < 4 ? 1 : 0.8, r), 1).points().size() == 1);
    claim(
        "a loss of 2 % a run in a history is found, as drift or step",
        "12 runs of 5 blocks, noise 2 %, run sd 1 %",
        500,
        0.9,
        1,
        r -> claimsChange(history(runs(12, 0.01, i -> Math.pow(0.98, i), r), 1)));
    claim(
        "a step or drift in a history of p99 though there is none",
        "any of 4 figures, 8 runs of 5 blocks of 1,000 calls, Pareto tail of index 2.5, block sd 5 %, run sd 5 %",
        200,
        0,
        0.05,
        r ->
            IntStream.range(0, 4)
                .anyMatch(f -> claimsChange(history(tailRuns(8, 0.05, i -> 1, r), 4))));
    claim(
        "a p99 twice as long in a history is found",
        "4 + 4 runs of 5 blocks of 1,000 calls, Pareto tail of index 2.5, block sd 5 %, run sd 5 %",
        100,
        0.9,
        1,
        r -> history(tailRuns(8, 0.05, i -> i < 4 ? 1 : 2, r), 1).points().size() == 1);
  }

  private void trials() {
    for (int n : new int[] {60, 200}) {
      claim(
          "a flat trial is called unsettled",
          n + " samples, noise 5 %",
          1000,
          0,
          0.03,
          r -> unsettled(r.doubles(n).map(u -> 1000 + 50 * r.nextGaussian()).toArray()));
    }
    claim(
        "a flat trial is called unsettled",
        "120 samples, neighbours correlated by 0.5",
        1000,
        0,
        0.05,
        r -> {
          double[] samples = new double[120];
          double e = 0;
          for (int i = 0; i < samples.length; i++) {
            e = 0.5 * e + 30 * r.nextGaussian();
            samples[i] = 1000 + e;
          }
          return unsettled(samples);
        });
    claim(
        "a flat trial is called unsettled",
        "150 samples of 0.1 s, a pause every 5 s",
        1000,
        0,
        0.03,
        r -> {
          double[] samples = r.doubles(150).map(u -> 1000 + 30 * r.nextGaussian()).toArray();
          for (int i = r.nextInt(50); i < 150; i += 50) {
            samples[i] *= 0.1;
          }
          return unsettled(samples);
        });
    claim(
        "a trial that moves between two levels is called unsettled",
        "200 samples, levels 1000 and 1500, 20 samples each on average",
        1000,
        0.8,
        1,
        r -> {
          double level = 1000;
          double[] samples = new double[200];
          for (int i = 0; i < samples.length; i++) {
            level = r.nextInt(20) == 0 ? 2500 - level : level;
            samples[i] = level + 20 * r.nextGaussian();
          }
          return unsettled(samples);
        });
  }

  private static boolean unsettled(double[] samples) {
    return !SteadyState.of(samples).settled();
  }

  /** Ladders of a cell of the grid; the whole has 1,620 cells. */
  private static final int LADDERS = 5;

  /** New ladders of each cell of the combination that came out lowest. */
  private static final int ANEW = 20;

  /** Everything said of laws with known truth, over the whole grid and by its margins. */
  private void laws() {
    int ladders = Math.max(1, (int) Math.round(LADDERS * size));
    List<Said> all =
        LawSimulation.grid().parallelStream()
            .flatMap(cell -> LawSimulation.said(cell, ladders))
            .toList();
    byMargins("the interval at twice the measured range covers the truth", all, Said::ahead, 0.92);
    worst(all);
    byMargins("the interval of λ covers it", all, Said::lambda, 0.92);
    byMargins("the interval of a published peak covers it", all, Said::peak, 0.9);
    byMargins("the largest N lies in its prediction interval", all, Said::heldOut, 0.92);
    law(
        "a number below which a peak is called impossible is below the peak",
        "all",
        all,
        Said::excluded,
        0.95,
        1);
    law(
        "a published peak lies beyond four times the range",
        "all",
        all,
        s -> Optional.of(s.farPeak()),
        0,
        0);
  }

  private void byMargins(
      String claim, List<Said> all, Function<Said, Optional<Boolean>> what, double least) {
    double most = 0.985;
    law(claim, "all", all, what, least, most);
    margins(claim, all, cell -> cell.law().name(), what, least, most);
    margins(claim, all, cell -> cell.points() + " N", what, least, most);
    margins(claim, all, cell -> counted(cell.replicates()), what, least, most);
    margins(claim, all, cell -> "noise %.0f %%".formatted(100 * cell.noise()), what, least, most);
    margins(
        claim, all, cell -> "block sd %.0f %%".formatted(100 * cell.blockSd()), what, least, most);
  }

  private static String counted(int replicates) {
    return replicates + (replicates == 1 ? " replicate" : " replicates");
  }

  private void margins(
      String claim,
      List<Said> all,
      Function<Cell, String> by,
      Function<Said, Optional<Boolean>> what,
      double least,
      double most) {
    Map<String, List<Said>> groups =
        all.stream().collect(groupingBy(s -> by.apply(s.cell()), LinkedHashMap::new, toList()));
    groups.forEach((name, group) -> law(claim, name, group, what, least, most));
  }

  private void law(
      String claim,
      String how,
      List<Said> group,
      Function<Said, Optional<Boolean>> what,
      double least,
      double most) {
    List<Boolean> said = group.stream().flatMap(s -> what.apply(s).stream()).toList();
    if (!said.isEmpty()) {
      record(claim, how, share(said), said.size(), least, most);
    }
  }

  private static double share(List<Boolean> said) {
    return said.stream().filter(each -> each).count() / (double) said.size();
  }

  /**
   * The law and number of points that are covered least, and the same once more with new ladders,
   * as the least of many is low by chance alone.
   */
  private void worst(List<Said> all) {
    String claim = "the interval at twice the measured range covers the truth";
    Map<String, List<Said>> combinations =
        all.stream()
            .filter(said -> said.ahead().isPresent())
            .collect(groupingBy(said -> combination(said.cell()), LinkedHashMap::new, toList()));
    String least =
        combinations.entrySet().stream()
            .min(Comparator.comparingDouble(each -> share(ahead(each.getValue()))))
            .orElseThrow()
            .getKey();
    List<Boolean> chosen = ahead(combinations.getOrDefault(least, List.of()));
    record(
        claim,
        "the lowest of %d combinations of law and N: %s".formatted(combinations.size(), least),
        share(chosen),
        chosen.size(),
        0.88,
        0.985);
    int ladders = Math.max(1, (int) Math.round(ANEW * size));
    List<Boolean> again =
        ahead(
            LawSimulation.grid().parallelStream()
                .filter(cell -> combination(cell).equals(least))
                .flatMap(cell -> LawSimulation.said(cell.anew(), ladders))
                .toList());
    record(claim, "the same with new ladders: " + least, share(again), again.size(), 0.92, 0.985);
  }

  private static String combination(Cell cell) {
    return cell.law().name() + ", " + cell.points() + " N";
  }

  private static List<Boolean> ahead(List<Said> said) {
    return said.stream().flatMap(each -> each.ahead().stream()).toList();
  }

  private void tails() {
    for (int blocks : new int[] {3, 5, 10}) {
      int n = Math.max(10, (int) (300 * size));
      double share = TailRatioTest.coverage(blocks, 2000, 0.15, 0.1, n, new Random(blocks));
      record(
          "the 95 % interval of a ratio of p99 covers it",
          "%d blocks of 2,000 calls, Pareto tail of index 2.5, block sd 15 %% and 10 %%"
              .formatted(blocks),
          share,
          n,
          0.92,
          0.98);
    }
    claim(
        "a false alarm at any look, whenever one stops",
        "p99 of 1,000 calls a block, up to 15 blocks, Pareto tail of index 2.5, block sd 15 % and 10 %",
        150,
        0,
        0.01,
        Simulate::tailAlarm);
  }

  private static boolean tailAlarm(Random random) {
    List<LatencyCounts> a = new ArrayList<>();
    List<LatencyCounts> b = new ArrayList<>();
    for (int block = 1; block <= 15; block++) {
      double level = 0.15 * random.nextGaussian();
      a.add(TailRatioTest.calls(1000, level + 0.1 * random.nextGaussian(), random));
      b.add(TailRatioTest.calls(1000, level + 0.1 * random.nextGaussian(), random));
      if (block >= SequentialComparison.FIRST_LOOK) {
        ModelledPair pair =
            ModelledPair.of(
                new Pair("A", "B"), "p99", TailRatio.lnRatio(a, b, 99, random), block, "block");
        GateRule rule = new GateRule(0.01, 1e-9, ComparisonRule.Direction.LOWER);
        if (SequentialComparison.judgeAll(List.of(new ModelGate.Row(pair, rule))).get(0).outcome()
            == Outcome.REGRESSION) {
          return true;
        }
      }
    }
    return false;
  }
}
