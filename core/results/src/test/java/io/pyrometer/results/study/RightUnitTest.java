package io.pyrometer.results.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.study.StudyRequest.Aim;
import io.pyrometer.results.study.StudyRequest.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Published and made-up files whose unit of replication was mistaken once; truths by R. */
final class RightUnitTest {
  private static final Path EVIDENCE = Path.of("../analysis/src/test/resources/evidence");

  @TempDir Path folder;

  /** How a file is to be read. */
  private record How(Optional<String> replicate, List<String> start, Rows rows) {
    static final How PLAINLY = new How(Optional.empty(), List.of(), Rows.MEAN);
    static final How BY_ROWS = new How(Optional.empty(), List.of(), Rows.REPLICATES);

    static How replicate(String column) {
      return new How(Optional.of(column), List.of(), Rows.MEAN);
    }

    static How start(String... columns) {
      return new How(Optional.empty(), List.of(columns), Rows.MEAN);
    }
  }

  private static String page(Path file, String y, ResponseScale scale, How how, String... factors) {
    return Markdown.page(
        new StudyRequest(
                file,
                y,
                "",
                new Aim.Factors(List.of(factors)),
                Optional.empty(),
                how.replicate(),
                Optional.empty(),
                how.start(),
                how.rows(),
                scale,
                "x")
            .page());
  }

  private String page(String csv, How how, String... factors) throws IOException {
    Path file = folder.resolve("figures.csv");
    Files.writeString(file, csv.replace('/', '\n'));
    return page(file, "y", ResponseScale.LN, how, factors);
  }

  private static Path file(String name) {
    return EVIDENCE.resolve(name + ".csv");
  }

  @Test
  void aFactorOfWholePlotsIsJudgedByTheDifferencesBetweenThem() {
    // lmer(yield ~ Variety * nitro + (1 | Block / Variety)): F 1.49, p 0.27; of log(yield) 2.01,
    // 0.18.
    String oats = page(file("Oats"), "yield", ResponseScale.LN, How.PLAINLY, "Variety", "nitro");
    assertThat(oats)
        .containsPattern("\\| Variety \\| 2 \\| 6.0 % \\| 2.01 \\| 0.18 \\| [^|]+ \\| no \\|")
        .contains("Variety is judged as set once for consecutive rows");
    assertThat(
            page(file("Oats"), "yield", ResponseScale.LN, How.start("Variety"), "Variety", "nitro"))
        .containsPattern("\\| 2.01 \\| 0.18 \\| [^|]+ \\| no \\|");
    assertThat(page(file("Oats"), "yield", ResponseScale.LN, How.start("row"), "Variety", "nitro"))
        .containsPattern("\\| 4.45 \\| 0.016 \\| [^|]+ \\| yes \\|");
  }

  @Test
  void startsMayBeNamedByColumnsWhereThereAreNoBlocks() {
    // lmer(angle ~ recipe * temperature + (1 | recipe:replicate)): F 0.249, p 0.78.
    assertThat(
            page(
                file("cake"),
                "angle",
                ResponseScale.PLAIN,
                How.start("recipe", "replicate"),
                "recipe",
                "temperature"))
        .containsPattern("\\| 0.249 \\| 0.78 \\| [^|]+ \\| no \\|")
        .containsPattern("\\| 20.5 \\| &lt; 0.0001 \\| [^|]+ \\| yes \\|");
  }

  @Test
  void whatIsConfoundedWithBlocksIsRefusedInOneSentence() {
    assertThatThrownBy(
            () ->
                page(file("confounded_block"), "y", ResponseScale.LN, How.PLAINLY, "build", "mode"))
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith("build is confounded with the blocks: it is the same throughout");
  }

  @Test
  void aSplitPlotWithoutAColumnOfBlocksIsRefusedUntilItsStartsAreNamed() {
    // Box, Hunter and Hunter: heats p 0.21, coating p 0.002.
    assertThatThrownBy(
            () ->
                page(
                    file("corrosion"),
                    "resistance",
                    ResponseScale.PLAIN,
                    How.PLAINLY,
                    "heats",
                    "coating"))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("heats cannot be separated")
        .hasMessageContaining("--start");
    assertThat(
            page(
                file("corrosion"),
                "resistance",
                ResponseScale.PLAIN,
                How.start("run"),
                "heats",
                "coating"))
        .containsPattern("\\| heats \\| 2 \\|.*\\| no \\|")
        .containsPattern("\\| coating \\| 3 \\|.*\\| yes \\|");
  }

  @Test
  void levelsKeepTheOrderOfTheFileAndAChangeItsDirection() {
    assertThat(page(file("old_new"), "y", ResponseScale.LN, How.PLAINLY, "build"))
        .contains("build, new against old: y −20.", "| build, new against old | 0.79");
    assertThat(page(file("low_high"), "y", ResponseScale.LN, How.PLAINLY, "cache", "threads"))
        .contains("cache, high against low: y +51.", "| threads, high against low | 1.2");
  }

  @Test
  void numbersOfReplicatesAreNoBlocks() {
    // aov(y ~ mat * temp): material F 7.91, temperature 28.97, interaction 3.56.
    assertThat(page(file("battery"), "y", ResponseScale.PLAIN, How.replicate("rep"), "mat", "temp"))
        .containsPattern("\\| 7.91 \\| 0.002 \\| [^|]+ \\| yes \\|")
        .containsPattern("\\| 29 \\| &lt; 0.0001 \\| [^|]+ \\| yes \\|")
        .contains("| 3.56 | 0.019 | 0.019 | yes |");
  }

  @Test
  void rowsAreReplicatesWhereTheUserSaysSo() {
    assertThat(page(file("n_no_rep_column"), "y", ResponseScale.LN, How.PLAINLY, "build"))
        .contains("20 rows of 2 trials");
    assertThat(page(file("n_no_rep_column"), "y", ResponseScale.LN, How.BY_ROWS, "build"))
        .contains("build, new against old: y −9.2 % (95 % interval −10.7 % to −7.6 %");
  }

  @Test
  void aFileSortedBySizeShowsNoEffectOfNothing() throws IOException {
    StringBuilder csv = new StringBuilder("a,rep,y");
    for (int rep = 1; rep <= 6; rep++) {
      csv.append("/off,%d,%d/on,%d,%d".formatted(rep, 90 + 4 * rep, rep, 91 + 4 * rep));
    }
    assertThat(page(csv.toString(), How.replicate("rep"), "a"))
        .contains("No effect is statistically significant");
  }

  @Test
  void aMissingCellKeepsTheInteractionOfThreeFactors() {
    assertThat(page(file("n_3way_missing"), "y", ResponseScale.LN, How.PLAINLY, "a", "b", "c"))
        .contains("a × b × c: the effect of one factor depends on the levels of the others");
  }

  @Test
  void aScreenOfPlackettAndBurmanIsJudgedByLenth() {
    String[] factors = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10"};
    assertThat(page(file("f28_12fac_pb"), "y", ResponseScale.LN, How.PLAINLY, factors))
        .contains("f0, 1 against 0: y +30.8 % (95 % interval +29.3 % to +32.4 %)")
        .contains("Lenth's method");
  }

  @Test
  void treatmentsWithSpreadsOfTheirOwnAreNotPooled() throws IOException {
    double[] noise = {-1.3, -0.7, -0.2, 0.1, 0.3, 0.5, 0.6, 0.7};
    StringBuilder csv = new StringBuilder("a,y");
    for (double each : noise) {
      csv.append("/q,%s/r,%s/s,%s".formatted(100 + each, 101 + each, 130 + 60 * each));
    }
    // The standard error of a quiet level is 0.26; pooled it would be about 10.
    assertThat(page(csv.toString(), How.BY_ROWS, "a")).contains("| a q | 100 | [99.4, 101] |");
  }

  @Test
  void anIntervalThatSaysNothingIsNotPrinted() {
    assertThat(page(file("warpbreaks"), "breaks", ResponseScale.LN, How.PLAINLY, "wool", "tension"))
        .contains("No effect is statistically significant; the largest, tension")
        .doesNotContain("1,188");
  }
}
