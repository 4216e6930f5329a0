package io.pyrometer.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Markdown;
import io.pyrometer.report.Page;
import io.pyrometer.report.TerminalTable;
import io.pyrometer.results.study.StudyRequest.Aim;
import io.pyrometer.results.study.StudyRequest.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

  private static Page study(
      Path file, String y, Aim aim, Optional<String> trial, Rows rows, ResponseScale scale) {
    return StudyPage.of(
        new StudyRequest(
            file,
            y,
            "",
            aim,
            trial,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            rows,
            scale,
            "./pyrometer analyse"));
  }

  private static String published(Rows rows) {
    return Markdown.page(
        study(
            PUBLISHED.resolve("factorial-per-client.csv"),
            "throughput",
            new Aim.Factors(FACTORS),
            Optional.of("experiment"),
            rows,
            ResponseScale.PLAIN));
  }

  private Page written(String csv, Aim aim) throws IOException {
    Path file = folder.resolve("figures.csv");
    Files.writeString(file, csv.replace('/', '\n'));
    return study(file, "throughput", aim, Optional.empty(), Rows.MEAN, ResponseScale.LN);
  }

  @Test
  void theSingleHostFiguresGiveBackThePublishedParameters() {
    String text =
        Markdown.page(
            study(
                PUBLISHED.resolve("single-host-scaling.csv"),
                "throughput",
                new Aim.Against("nodes"),
                Optional.empty(),
                Rows.MEAN,
                ResponseScale.PLAIN));
    assertThat(text).contains("| λ | 46,474.3 |", "| σ | 2.10911 |", "| κ | 0.0774972 |");
    assertThat(text).contains("| hop − linear (chosen) |", "| 253.436 |", "| 262.924 |");
  }

  @ParameterizedTest
  @CsvSource({
    "false_peak, scalability.not-decided",
    "saturation, scalability.saturation",
    "s13_decreasing_from_2, scalability.no-law",
    "s15_superlinear, scalability.superlinear",
  })
  void theFormOfACurveHasItsFinding(String file, String id) {
    Page page =
        study(
            PUBLISHED.resolveSibling("evidence").resolve(file + ".csv"),
            "X",
            new Aim.Against("N"),
            Optional.empty(),
            Rows.MEAN,
            ResponseScale.LN);
    assertThat(page.answer()).extracting(Finding::id).contains(id, "scalability.law");
    assertThat(page.answer().get(0).id())
        .isIn("scalability.growth", "scalability.fall", "scalability.rise-and-fall");
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
    assertThat(Markdown.page(written(csv.toString(), new Aim.Factors(List.of("a", "b")))))
        .contains("| a |");
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
    assertThat(Markdown.page(written(wide.toString(), new Aim.Factors(factors))))
        .contains("f0, 1 against 0: throughput +");
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
    assertThat(Markdown.page(written(csv.toString(), new Aim.Factors(List.of("a", "b", "c", "d")))))
        .contains("| A = −BCD |", "| D = −ABC |", "| D=−ABC |", "I=−ABCD");
  }
}
