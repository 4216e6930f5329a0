package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Skipped only where {@code ./check} has said that there is no browser. */
@DisabledIfSystemProperty(named = "pyrometer.browser", matches = "none")
final class ReportInBrowserIT {
  @TempDir Path folder;

  private Browser.Opened opened(Page page) throws Exception {
    Path file = folder.resolve("report.html");
    HtmlReport.write(page, file);
    return Browser.open(file, folder);
  }

  @Test
  void everyChartIsDrawnAndTheConsoleStaysEmpty() throws Exception {
    Page page = SamplePages.run();
    Browser.Opened opened = opened(page);
    long charts =
        page.sections().stream()
            .flatMap(section -> section.figures().stream())
            .filter(figure -> figure.chart().isPresent())
            .count();
    assertThat(opened.dom()).contains("data-drawn=\"" + charts + "\"");
    assertThat(opened.dom().split("<svg ", -1).length - 1).isGreaterThanOrEqualTo((int) charts);
    assertThat(opened.dom()).contains("Write with put-all in batches of 1 000");
    assertThat(console(opened)).isEmpty();
  }

  @Test
  void tenThousandTrialsOpenAsPages() throws Exception {
    Figure trials = Figure.of("Every trial", SamplePages.trials(10_000));
    Page page =
        new Page(
            "many",
            "Does it open?",
            "",
            SamplePages.findings(),
            List.of(new Section("trials", "Trials", "", List.of(SamplePages.ranking(), trials))),
            List.of());
    Browser.Opened opened = opened(page);
    assertThat(opened.dom()).contains("1–50 of 10,000");
    assertThat(console(opened)).isEmpty();
  }

  /** Errors of scripts, policy violations and requests all end up here. */
  private static List<String> console(Browser.Opened opened) {
    return opened.log().lines().filter(line -> line.contains("CONSOLE")).toList();
  }
}
