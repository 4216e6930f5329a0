package io.pyrometer.analysis.tuning;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Prints the table of {@code lab/simulated-tuning.md}: {@code ./mvnw -q -pl core/analysis
 * test-compile exec:java@simulate-tuning}. {@code -Dexec.args="20 0.03 cliffs"} makes 20 searches
 * of the kinds of surfaces with this word, at noise of 3 %.
 */
public final class TuningSimulation {
  private static final int TRIALS = 128;

  private TuningSimulation() {}

  /** Prints a row for each kind of surface and noise. */
  public static void main(String[] arguments) {
    int searches = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
    double[] noises =
        arguments.length > 1
            ? new double[] {Double.parseDouble(arguments[1])}
            : new double[] {0.01, 0.03, 0.08};
    String word = arguments.length > 2 ? arguments[2] : "";
    System.out.println(
        "| surface | noise | searches | within 5 % of the best | mean regret | random search's |"
            + " gain covered | mean loss of the gain | bound holds | trials |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (double noise : noises) {
      for (SimulatedSurface.Family family : SimulatedSurface.Family.values()) {
        if (family.words().contains(word)) {
          System.out.println(row(family, noise, searches(family, noise, searches)));
        }
      }
    }
  }

  static List<SimulatedSearch> searches(
      SimulatedSurface.Family family, double noise, int searches) {
    return IntStream.range(0, searches)
        .parallel()
        .mapToObj(i -> SimulatedSearch.of(family, noise, TRIALS, 7_919L * i + family.ordinal()))
        .toList();
  }

  private static String row(
      SimulatedSurface.Family family, double noise, List<SimulatedSearch> all) {
    int n = all.size();
    long close = all.stream().filter(each -> each.regret() <= 0.05).count();
    long covered = all.stream().filter(SimulatedSearch::covered).count();
    long bound = all.stream().filter(SimulatedSearch::withinBound).count();
    return String.format(
        Locale.ROOT,
        "| %s | %.0f %% | %d | %.0f | %.1f %% | %.1f %% | %.0f | %.1f %% | %.0f | %.0f |",
        family.words(),
        100 * noise,
        n,
        100.0 * close / n,
        100 * all.stream().mapToDouble(SimulatedSearch::regret).average().orElse(0),
        100 * all.stream().mapToDouble(SimulatedSearch::randomRegret).average().orElse(0),
        100.0 * covered / n,
        100 * all.stream().mapToDouble(SimulatedSearch::loss).average().orElse(0),
        100.0 * bound / n,
        all.stream().mapToInt(SimulatedSearch::trials).average().orElse(0));
  }
}
