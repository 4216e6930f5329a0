package io.pyrometer.analysis.tuning;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Prints the tables of {@code lab/simulated-tuning.md}: {@code ./mvnw -q -pl core/analysis
 * test-compile exec:java@simulate-tuning}. {@code -Dexec.args="20 0.03 cliffs"} makes 20 searches
 * of the kinds of surfaces with this word, at noise of 3 %; a fourth argument is the first seed.
 * {@code -Dexec.args="results.csv 100 64"} makes 100 searches of 64 trials on each job of a
 * measured grid: as a table, and by the mean of each cell's blocks; a fourth argument is a column
 * other than the throughput.
 */
public final class TuningSimulation {
  private static final int TRIALS = 128;

  /**
   * A random source of two seeds: the first numbers that neighbouring ones draw are nearly the
   * same.
   */
  private static final long APART = 7_919;

  private TuningSimulation() {}

  /** Prints a row for each kind of surface and noise, or for each job of a grid. */
  public static void main(String[] arguments) throws IOException {
    System.out.println(
        "| surface | noise | searches | within 5 % of the best | mean regret | random search's |"
            + " gain covered | mean loss of the gain | bound stated | of these"
            + " it holds | median bound | trials | most cells |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    if (arguments.length > 0 && arguments[0].endsWith(".csv")) {
      int replays = Integer.parseInt(arguments[1]);
      int trials = Integer.parseInt(arguments[2]);
      String figure = arguments.length > 3 ? arguments[3] : "throughput";
      for (Map.Entry<String, MeasuredGrid> job :
          MeasuredGrid.read(Path.of(arguments[0]), figure).entrySet()) {
        replay(job.getKey() + ", table", job.getValue().table(), replays, trials);
        replay(job.getKey() + ", each cell", job.getValue(), replays, trials);
      }
      return;
    }
    int searches = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
    double[] noises =
        arguments.length > 1
            ? new double[] {Double.parseDouble(arguments[1])}
            : new double[] {0.01, 0.03, 0.08};
    String word = arguments.length > 2 ? arguments[2] : "";
    long first = arguments.length > 3 ? Long.parseLong(arguments[3]) : 0;
    for (double noise : noises) {
      for (SimulatedSurface.Family family : SimulatedSurface.Family.values()) {
        if (family.words().contains(word)) {
          List<SimulatedSearch> all = searches(family, noise, searches, first);
          System.out.println(row(family.words(), noise, all));
        }
      }
    }
  }

  private static void replay(String words, MeasuredGrid grid, int searches, int trials) {
    List<SimulatedSearch> all =
        IntStream.range(0, searches)
            .parallel()
            .mapToObj(seed -> SimulatedSearch.of(grid.from(new Random(APART * seed)), trials, seed))
            .toList();
    System.out.println(row(words.toLowerCase(Locale.ROOT), grid.noise(), all));
  }

  static List<SimulatedSearch> searches(
      SimulatedSurface.Family family, double noise, int searches, long first) {
    return IntStream.range(0, searches)
        .parallel()
        .mapToLong(i -> first + APART * i + family.ordinal())
        .mapToObj(seed -> SimulatedSearch.of(family.draw(noise, new Random(seed)), TRIALS, seed))
        .toList();
  }

  private static String row(String words, double noise, List<SimulatedSearch> all) {
    int n = all.size();
    long close = all.stream().filter(each -> each.regret() <= 0.05).count();
    long covered = all.stream().filter(SimulatedSearch::covered).count();
    long bound = all.stream().filter(each -> each.bounded() && each.withinBound()).count();
    long bounded = all.stream().filter(SimulatedSearch::bounded).count();
    return String.format(
        Locale.ROOT,
        "| %s | %.0f %% | %d | %.0f | %.1f %% | %.1f %% | %.0f | %.1f %% | %d | %d |"
            + " %.1f %% | %.0f | %d |",
        words,
        100 * noise,
        n,
        100.0 * close / n,
        100 * all.stream().mapToDouble(SimulatedSearch::regret).average().orElse(0),
        100 * all.stream().mapToDouble(SimulatedSearch::randomRegret).average().orElse(0),
        100.0 * covered / n,
        100 * all.stream().mapToDouble(SimulatedSearch::loss).average().orElse(0),
        bounded,
        bound,
        100 * all.stream().mapToDouble(SimulatedSearch::possible).sorted().toArray()[n / 2],
        all.stream().mapToInt(SimulatedSearch::trials).average().orElse(0),
        all.stream().mapToLong(SimulatedSearch::cells).max().orElse(0));
  }
}
