package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtmlReportTest {
  @TempDir Path folder;

  private String written(Page page) throws IOException {
    Path file = folder.resolve("report.html");
    HtmlReport.write(page, file);
    return Files.readString(file);
  }

  @Test
  void theAnswerStandsBeforeTheSections() throws IOException {
    String html = written(SamplePages.run());
    assertThat(html.indexOf("Write with put-all in batches"))
        .isPositive()
        .isLessThan(html.indexOf("<section id=\"writing\""));
  }

  @Test
  void textOfTheUserNeverBecomesMarkup() throws IOException {
    assertThat(written(SamplePages.run()))
        .doesNotContain("<script>alert(1)")
        .contains("&lt;script&gt;alert(1)");
  }

  @Test
  void thePolicyForbidsEveryRequest() throws IOException {
    String html = written(SamplePages.run());
    assertThat(html).contains("default-src 'none'; script-src 'sha256-");
    String ours = html.replace(HtmlReport.charts(), "");
    assertThat(ours).doesNotContainPattern("<(link|script|img)[^>]+(src|href)=\"(?!data:)");
  }

  @Test
  void everyChartHasATableAndWordsForThoseWhoDoNotSeeIt() throws IOException {
    String html = written(SamplePages.run());
    assertThat(html.split("class=\"chart\" role=\"img\" aria-label=\"", -1)).hasSize(6);
    assertThat(html.split("<details class=\"figures\">", -1)).hasSize(6);
  }

  @Test
  void aDrawingInATableKeepsItsColumns() throws IOException {
    Figure drawing =
        Figure.of(
            "Timeline",
            Table.ofWords(List.of("timeline"), List.of(List.of("1 s  read   ├─┤"), List.of("so"))));
    Page page =
        new Page(
            "drawn",
            "When?",
            "",
            SamplePages.findings(),
            List.of(new Section("timeline", "Timeline", "", List.of(drawing))),
            List.of());
    assertThat(written(page)).contains("<td><code>1 s  read   ├─┤</code></td>", "<td>so</td>");
  }

  @Test
  void tenThousandTrialsAreWrittenAsDataAndFiftyRows() throws IOException {
    Figure trials = Figure.of("Every trial", SamplePages.trials(10_000));
    Page page =
        new Page(
            "many",
            "How many?",
            "",
            SamplePages.findings(),
            List.of(new Section("trials", "Trials", "", List.of(trials))),
            List.of());
    String html = written(page);
    assertThat(html.split("<tr>", -1)).hasSize(52);
    assertThat(html).contains("trial 9999");
    assertThat(html.length()).isLessThan(3_000_000);
  }
}
