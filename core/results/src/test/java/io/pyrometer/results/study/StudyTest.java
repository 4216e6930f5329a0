package io.pyrometer.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.report.TerminalTable;
import io.pyrometer.results.study.StudyRequest.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StudyTest {
  private static final Path PUBLISHED = Path.of("../analysis/src/test/resources/published");
  private static final List<String> FACTORS =
      List.of(
          "nodes", "isPartionAware", "cacheIsPartioned", "isPerstistent", "cacheSize", "cpuCores");

  @TempDir Path folder;

  private static String published(Rows rows) {
    return Markdown.page(
        Studies.of(
            PUBLISHED.resolve("factorial-per-client.csv"),
            "throughput",
            false,
            rows,
            ResponseScale.PLAIN,
            "experiment",
            "",
            List.of(),
            FACTORS));
  }

  private String written(String csv, List<String> factors) throws IOException {
    Path file = folder.resolve("figures.csv");
    Files.writeString(file, csv.replace('/', '\n'));
    return Markdown.page(
        Studies.of(
            file, "throughput", false, Rows.MEAN, ResponseScale.LN, "", "", List.of(), factors));
  }

  @ParameterizedTest
  @CsvSource({
    "false_peak, scalability.not-decided",
    "saturation, scalability.saturation",
    "s13_decreasing_from_2, scalability.no-law",
    "s15_superlinear, scalability.superlinear",
  })
  void theFormOfACurveHasItsFinding(String file, String id) {
    Path evidence = PUBLISHED.resolveSibling("evidence").resolve(file + ".csv");
    Page page = Studies.against(evidence, "X", ResponseScale.LN, "N");
    assertThat(page.answer()).extracting(Finding::id).contains(id, "scalability.law");
    assertThat(page.answer().get(0).id())
        .isIn("scalability.growth", "scalability.fall", "scalability.rise-and-fall");
    assertThat(page.answer())
        .filteredOn(finding -> finding.id().equals("scalability.saturation"))
        .allMatch(finding -> finding.estimates().get("N*").unit().equals("N"));
    assertThat(StudyPage.brief(page).render(100, TerminalTable.Rules.ASCII).lines())
        .hasSizeLessThan(40)
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void theFactorialFiguresNameTheOutlyingRunAndTheFoldover() {
    assertThat(published(Rows.MEAN))
        .contains("gave 32.7 k where the other runs predict 59.1 k")
        .contains("No effect is statistically significant; one of +35.9 k or more is excluded")
        .contains("A=BE=ACDF=BCDEF", "resolution 6 (I=ABCDEF)");
    assertThat(published(Rows.SUM)).contains("| A  nodes | 64.5 % |");
  }

  @Test
  void manyLevelsAndManyFactorsAreAnalysedWithoutTheirInteractions() throws IOException {
    StringBuilder csv = new StringBuilder("a,b,throughput");
    for (int a = 0; a < 60; a++) {
      for (int b = 0; b < 60; b++) {
        csv.append("/").append(a).append(',').append(b).append(',');
        csv.append(100 + a + (a * 7 + b * 13) % 5);
      }
    }
    assertThat(written(csv.toString(), List.of("a", "b"))).contains("| a |");
    List<String> factors = IntStream.range(0, 26).mapToObj(f -> "f" + f).toList();
    StringBuilder wide = new StringBuilder(String.join(",", factors) + ",throughput");
    Random random = new Random(26);
    for (int row = 0; row < 64; row++) {
      wide.append('/');
      int first = random.nextInt(2);
      wide.append(first);
      for (int f = 1; f < 26; f++) {
        wide.append(',').append(random.nextInt(2));
      }
      wide.append(',').append(100 + 50 * first + random.nextInt(9));
    }
    assertThat(written(wide.toString(), factors)).contains("f0, 1 against 0: throughput +");
  }

  @Test
  void aliasesAreShownWithTheirSigns() throws IOException {
    StringBuilder csv = new StringBuilder("a,b,c,d,throughput");
    for (int run = 0; run < 8; run++) {
      int a = 2 * (run & 1) - 1;
      int b = (run & 2) - 1;
      int c = (run & 4) / 2 - 1;
      csv.append("/%d,%d,%d,%d,%d".formatted(a, b, c, -a * b * c, 100 + 10 * a + run % 3));
    }
    assertThat(written(csv.toString(), List.of("a", "b", "c", "d")))
        .contains("| A = −BCD |", "| D = −ABC |", "| D=−ABC |", "I=−ABCD");
  }
}
