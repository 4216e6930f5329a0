package io.pyrometer.analysis.factorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.analysis.Golden;
import io.pyrometer.analysis.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The published table of impacts and its recomputation in {@code lab/published-figures.md}: each
 * cell of the page follows from the published rows, and its sums are those of its columns.
 */
class PublishedTableTest {
  private static final List<String> FACTORS =
      List.of(
          "nodes", "isPartionAware", "cacheIsPartioned", "isPerstistent", "cacheSize", "cpuCores");

  private static final List<String> ROWS = List.of("A", "B", "C", "D", "E", "F", "BC");

  /** The figures of the study in percent; the last of each column is "not further inspected". */
  private static final Map<String, List<Integer>> PRINTED =
      Map.of(
          "throughput", List.of(1, 20, 22, 0, 3, 5, 26, 23),
          "avg_time_reads", List.of(0, 17, 43, 11, 4, 2, 18, 23),
          "avg_time_writes", List.of(9, 18, 19, 0, 4, 2, 24, 24));

  @Test
  void theSharesOfThePageAreThoseOfThePublishedRows() throws IOException {
    List<double[]> page = page();
    assertThat(page).hasSize(9);
    List<String> responses = List.of("throughput", "avg_time_reads", "avg_time_writes");
    for (int column = 0; column < responses.size(); column++) {
      List<Double> shares = shares(responses.get(column));
      List<Integer> printed = PRINTED.get(responses.get(column));
      for (int row = 0; row < shares.size(); row++) {
        assertThat(page.get(row)[2 * column]).isEqualTo(printed.get(row).doubleValue());
        assertThat(page.get(row)[2 * column + 1]).isCloseTo(shares.get(row), within(0.0501));
      }
      assertThat(page.get(8)[2 * column]).isEqualTo(printed.stream().mapToDouble(i -> i).sum());
      assertThat(page.get(8)[2 * column + 1])
          .isCloseTo(shares.stream().mapToDouble(share -> share).sum(), within(1e-6));
    }
  }

  /** Shares of the variation in percent, of {@link #ROWS} and of everything else. */
  private static List<Double> shares(String response) {
    // The rows of one run's clients share its block, so their mean is the response.
    List<Observation> rows =
        Golden.observations("/published/factorial-per-client.csv", "", response, FACTORS);
    FactorialEffects found =
        FactorialEffects.ofDesign(
            rows, Factor.of(rows, FACTORS), "y", FactorialEffectsTest.OPTIONS);
    List<Double> shares = new ArrayList<>();
    ROWS.forEach(row -> shares.add(100 * found.term(row).plainShare().orElseThrow()));
    shares.add(100 - shares.stream().mapToDouble(share -> share).sum());
    return shares;
  }

  /** The figures of the page's table, row by row. */
  private static List<double[]> page() throws IOException {
    return Files.readAllLines(Path.of("../../lab/published-figures.md")).stream()
        .dropWhile(line -> !line.startsWith("## The printed table of impacts"))
        .dropWhile(line -> !line.startsWith("|--"))
        .skip(1)
        .takeWhile(line -> line.startsWith("|"))
        .map(PublishedTableTest::figures)
        .toList();
  }

  private static double[] figures(String line) {
    return Arrays.stream(line.split("\\|"))
        .skip(2)
        .mapToDouble(cell -> Double.parseDouble(cell.replaceAll("[^0-9.]", "")))
        .toArray();
  }
}
