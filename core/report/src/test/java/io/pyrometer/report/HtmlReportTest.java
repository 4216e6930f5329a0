package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.protocol.Json;
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
  void theFileHoldsThePageAsData() throws IOException {
    JsonNode data = data(written(SamplePages.run()));
    assertThat(data.at("/recommendation/rows/0/choice").asText()).isEqualTo("put-all 1 000");
    assertThat(data.at("/sections/0/figures/0/chart/kind").asText()).isEqualTo("POINTS");
    assertThat(data.at("/sections/0/figures/0/table/rows")).hasSize(5);
  }

  @Test
  void textOfTheUserNeverBecomesMarkup() throws IOException {
    String html = written(SamplePages.run());
    assertThat(html).doesNotContain("<script>alert(1)").contains("&lt;script&gt;alert(1)");
    assertThat(data(html).at("/answer/2/sentence").asText()).contains("<script>alert(1)");
  }

  @Test
  void thePolicyForbidsEveryRequest() throws IOException {
    String html = written(SamplePages.run());
    assertThat(html).contains("default-src 'none'; script-src 'sha256-");
    String ours = html.replace(HtmlReport.library(), "");
    assertThat(ours).doesNotContainPattern("<(link|script|img)[^>]+(src|href)=\"(?!data:)");
  }

  @Test
  void aPageOfTenThousandTrialsIsSmall() throws IOException {
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
    assertThat(html).contains("trial 9999");
    assertThat(html.length()).isLessThan(3_000_000);
  }

  private static JsonNode data(String html) throws IOException {
    String start = "<script type=\"application/json\" id=\"data\">";
    int from = html.indexOf(start) + start.length();
    return Json.LINES.readTree(html.substring(from, html.indexOf("</script>", from)));
  }
}
