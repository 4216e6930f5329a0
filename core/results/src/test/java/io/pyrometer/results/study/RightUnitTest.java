package io.pyrometer.results.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Markdown;
import io.pyrometer.results.study.StudyRequest.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published and made-up files whose unit of replication was mistaken once; truths by R. */
final class RightUnitTest {
  @TempDir Path folder;

  private static String page(
      Path file,
      String y,
      ResponseScale scale,
      String replicate,
      List<String> start,
      Rows rows,
      String... factors) {
    return Markdown.page(
        Studies.of(file, y, false, rows, scale, "", replicate, start, List.of(factors)));
  }

  private static String page(String file, String y, ResponseScale scale, String... factors) {
    return page(evidence(file), y, scale, "", List.of(), Rows.MEAN, factors);
  }

  private static Path evidence(String name) {
    return Path.of("../analysis/src/test/resources/evidence", name + ".csv");
  }

  private Path written(String csv) throws IOException {
    return Files.writeString(folder.resolve("figures.csv"), csv.replace('/', '\n'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        // lmer(log(yield) ~ Variety * nitro + (1 | Block / Variety)): F 2.01, p 0.18
        "Oats; yield; LN; -; Variety, nitro; \\| Variety \\| 2 \\| 6.0 % \\| 2.01 \\| 0.18 \\|.* no",
        "Oats; yield; LN; Variety; Variety, nitro; \\| 2.01 \\| 0.18 \\|.* no",
        "Oats; yield; LN; row; Variety, nitro; \\| 4.45 \\| 0.016 \\|.* yes",
        // lmer(angle ~ recipe * temperature + (1 | recipe:replicate)): F 0.249, p 0.78
        "cake; angle; PLAIN; recipe, replicate; recipe, temperature; \\| 0.249 \\| 0.78 \\|.* no",
        "cake; angle; PLAIN; recipe, replicate; recipe, temperature; \\| 20.5 \\| &lt; 0.0001 \\|.* yes",
        // Box, Hunter and Hunter: heats p 0.21, coating p 0.002
        "corrosion; resistance; PLAIN; run; heats, coating; \\| heats \\| 2 \\|.*\\| no",
        "corrosion; resistance; PLAIN; run; heats, coating; \\| coating \\| 3 \\|.*\\| yes",
        "old_new; y; LN; -; build; \\| build, new against old \\| 0.79",
        "low_high; y; LN; -; cache, threads; \\| cache, high against low \\| 1.5",
        "low_high; y; LN; -; cache, threads; \\| threads, high against low \\| 1.2",
        "n_3way_missing; y; LN; -; a, b, c; a × b × c: the effect of one factor depends on",
        "f28_12fac_pb; y; LN; -; f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10; f0, 1 against 0: y .30.8 %"
      })
  void aFactorIsJudgedByTheUnitThatItIsSetFor(
      String file,
      String y,
      ResponseScale scale,
      @Nullable String start,
      String factors,
      String row) {
    List<String> starts = start == null ? List.of() : List.of(start.split(", "));
    assertThat(page(evidence(file), y, scale, "", starts, Rows.MEAN, factors.split(", ")))
        .containsPattern(row);
  }

  @Test
  void whatIsConfoundedWithBlocksOrStartsIsRefused() {
    assertThatThrownBy(() -> page("confounded_block", "y", ResponseScale.LN, "build", "mode"))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("build");
    assertThatThrownBy(
            () -> page("corrosion", "resistance", ResponseScale.PLAIN, "heats", "coating"))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("--start");
  }

  @Test
  void numbersOfReplicatesAreNoBlocks() {
    // aov(y ~ mat * temp): material F 7.91, temperature 28.97, interaction 3.56.
    assertThat(
            page(
                evidence("battery"),
                "y",
                ResponseScale.PLAIN,
                "rep",
                List.of(),
                Rows.MEAN,
                "mat",
                "temp"))
        .containsPattern("\\| 7.91 \\| 0.002 \\| [^|]+ \\| yes \\|")
        .containsPattern("\\| 29 \\| &lt; 0.0001 \\| [^|]+ \\| yes \\|")
        .contains("| 3.56 | 0.019 | 0.019 | yes |");
  }

  private static String byRows(Path file) {
    return page(file, "y", ResponseScale.LN, "", List.of(), Rows.REPLICATES, "a");
  }

  @Test
  void rowsAreReplicatesWhereTheUserSaysSo() throws IOException {
    String csv = Files.readString(evidence("n_no_rep_column")).replaceFirst("build", "a");
    assertThat(byRows(written(csv)))
        .contains("a, new against old: y −9.2 % (95 % interval −10.7 % to −7.6 %");
  }

  @Test
  void treatmentsWithSpreadsOfTheirOwnAreNotPooled() throws IOException {
    double[] noise = {-1.3, -0.7, -0.2, 0.1, 0.3, 0.5, 0.6, 0.7};
    StringBuilder csv = new StringBuilder("a,y");
    for (double each : noise) {
      csv.append("/q,%s/r,%s/s,%s".formatted(100 + each, 101 + each, 130 + 60 * each));
    }
    // The standard error of a quiet level is 0.26; pooled it would be about 10.
    assertThat(byRows(written(csv.toString()))).contains("| a q | 100 | [99.4, 101] |");
  }

  @Test
  void anIntervalThatSaysNothingIsNotPrinted() {
    assertThat(page("warpbreaks", "breaks", ResponseScale.LN, "wool", "tension"))
        .doesNotContain("1,188");
  }
}
