package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reports can be read by everybody: axe-core finds nothing serious, wide or narrow, light or dark.
 */
@DisabledIfSystemProperty(named = "pyrometer.browser", matches = "none")
final class AccessibilityIT {
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final Set<String> SERIOUS = Set.of("serious", "critical");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"1280, light", "390, dark"})
  void axeFindsNothingSerious(int width, String scheme) throws Exception {
    try (Devtools browser = open(SamplePages.run(), width)) {
      browser.scheme(scheme);
      assertThat(violations(browser)).isEmpty();
    }
  }

  /** The check can fail: a picture without a text and a pale word are found. */
  @Test
  void axeFindsWhatIsWrong() throws Exception {
    try (Devtools browser = open(SamplePages.run(), 1280)) {
      browser.value(
          "document.querySelector('main').insertAdjacentHTML('beforeend',"
              + " '<img src=\"data:,\"><p style=\"color:#ddd;background:#fff\">pale</p>')");
      assertThat(violations(browser)).anyMatch(v -> v.startsWith("image-alt"));
      assertThat(violations(browser)).anyMatch(v -> v.startsWith("color-contrast"));
    }
  }

  @Test
  void everyChartAndTableCanBeDownloaded() throws Exception {
    try (Devtools browser = open(SamplePages.run(), 1280)) {
      int figures = browser.value("document.querySelectorAll('figure').length").asInt();
      assertThat(browser.value("document.querySelectorAll('figure .csv').length").asInt())
          .isEqualTo(figures)
          .isGreaterThan(3);
      browser.value("document.querySelector('figure .csv').click()");
      assertThat(browser.value("document.documentElement.dataset.downloaded").asText())
          .contains(".csv ");
    }
  }

  /** No column of a table is outside of the window, however many there are. */
  @ParameterizedTest
  @CsvSource({"1280, false", "800, false", "390, true"})
  void everyColumnOfEveryTableIsVisibleAndANarrowTableIsCards(int width, boolean cards)
      throws Exception {
    List<String> header = new ArrayList<>();
    List<String> row = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      header.add(i == 0 ? "treatment" : "p99 get-all " + i + " [ms]");
      row.add(i == 0 ? "put-all in batches" : "12.3 ± 0.4");
    }
    Table wide = Table.of(header, 1, List.of(row, row));
    Page sample = SamplePages.run();
    Page page =
        new Page(
            sample.title(),
            sample.question(),
            sample.about(),
            sample.answer(),
            List.of(
                new Section(
                    "wide",
                    "Wide",
                    "",
                    List.of(SamplePages.ranking(), Figure.of("Twelve columns", wide)))),
            sample.again());
    try (Devtools browser = open(page, width)) {
      browser.width(width);
      assertThat(browser.value("document.querySelectorAll('section table').length").asInt())
          .isEqualTo(2);
      assertThat(
              browser
                  .value(
                      "[...document.querySelectorAll('section td')].filter(cell => {"
                          + " const at = cell.getBoundingClientRect();"
                          + " return at.width > 0 && (at.right > innerWidth || at.left < 0); })"
                          + ".length")
                  .asInt())
          .as("cells outside of the window")
          .isZero();
      assertThat(
              browser
                  .value(
                      "[...document.querySelectorAll('section td')].every(cell =>"
                          + " cell.parentElement.parentElement.parentElement.classList"
                          + ".contains('cards') === "
                          + cards
                          + ")")
                  .asBoolean())
          .as("cards")
          .isTrue();
      assertThat(
              browser
                  .value(
                      "getComputedStyle(document.querySelectorAll('section table')[1]"
                          + ".querySelectorAll('td')[3], '::before').content")
                  .asText())
          .isEqualTo(cards ? "\"p99 get-all 3 [ms]\"" : "none");
    }
  }

  /** Without colour lines still differ: two that share a chart have other dashes. */
  @Test
  void linesOfAChartDifferWithoutColour() throws Exception {
    try (Devtools browser = open(SamplePages.run(), 1280)) {
      JsonNode dashes =
          browser.value(
              "[...document.querySelectorAll('.chart')].map(n => echarts.getInstanceByDom(n)"
                  + ".getOption().series.filter(s => s.type === 'line' && s.name && !s.xAxisIndex)"
                  + ".map(s => String(s.lineStyle.type))).filter(types => types.length > 1)");
      assertThat(dashes).isNotEmpty();
      for (JsonNode chart : dashes) {
        List<String> types = new ArrayList<>();
        chart.forEach(type -> types.add(type.asText()));
        assertThat(types.subList(0, Math.min(8, types.size()))).doesNotHaveDuplicates();
      }
    }
  }

  private Devtools open(Page page, int width) throws Exception {
    Path file = folder.resolve("report.html");
    HtmlReport.write(page, file);
    Devtools browser = Devtools.open(file.toUri(), folder, width, 900);
    browser.await("document.documentElement.dataset.drawn");
    return browser;
  }

  /** What axe-core finds in a page that is serious. */
  static List<String> violations(Devtools browser) throws Exception {
    browser.value(axe() + ";0");
    JsonNode found =
        browser.value(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})"
                + ".then(r => r.violations.map(v => ({id: v.id, impact: v.impact,"
                + " where: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)"
                + " + ' ' + n.failureSummary)})))");
    List<String> serious = new ArrayList<>();
    for (JsonNode violation : found) {
      if (SERIOUS.contains(violation.path("impact").asText())) {
        serious.add(violation.path("id").asText() + ": " + violation.path("where"));
      }
    }
    return serious;
  }

  private static String axe() throws IOException {
    try (InputStream in = AccessibilityIT.class.getResourceAsStream(AXE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
