package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reports in a browser: everything is drawn, and everybody can read it, wide or narrow, light or
 * dark. Skipped only where {@code ./check} has said that there is no browser.
 */
@DisabledIfSystemProperty(named = "pyrometer.browser", matches = "none")
final class AccessibilityIT {
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final Set<String> SERIOUS = Set.of("serious", "critical");

  @TempDir static Path folder;
  private static Devtools browser;

  @BeforeAll
  static void start() throws Exception {
    browser = Devtools.start(folder);
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  private static void open(Page page, int width, int height, String scheme) throws Exception {
    Path file = folder.resolve("report.html");
    HtmlReport.write(page, file);
    browser.open(file.toUri(), width, height, scheme);
    browser.await("document.documentElement.dataset.drawn");
  }

  private static int count(String selector) throws Exception {
    return browser.value("document.querySelectorAll('" + selector + "').length").asInt();
  }

  /** axe-core finds nothing serious, and the check can fail: it finds what is put in. */
  @ParameterizedTest
  @CsvSource({"1280, light", "390, dark"})
  void axeFindsNothingSerious(int width, String scheme) throws Exception {
    open(SamplePages.run(), width, 900, scheme);
    browser.value("document.querySelectorAll('details').forEach(d => { d.open = true; });0");
    assertThat(violations()).isEmpty();
    if (scheme.equals("light")) {
      browser.value(
          "document.querySelector('main').innerHTML ="
              + " '<img src=\"data:,\"><p style=\"color:#ddd;background:#fff\">pale</p>';0");
      assertThat(violations())
          .anyMatch(v -> v.startsWith("image-alt"))
          .anyMatch(v -> v.startsWith("color-contrast"));
    }
  }

  @ParameterizedTest
  @CsvSource({"1280, 800", "390, 844"})
  void theFirstScreenHasTheAnswerItsConfidenceAndAChart(int width, int height) throws Exception {
    open(SamplePages.run(), width, height, "light");
    for (String part : List.of(".choices", ".confidence", ".preview .chart svg")) {
      assertThat(
              browser
                  .value(
                      "document.querySelector('%s').getBoundingClientRect().bottom".formatted(part))
                  .asDouble())
          .as(part)
          .isPositive()
          .isLessThan(height);
    }
  }

  @Test
  void everythingIsDrawnAndTheConsoleStaysEmpty() throws Exception {
    Page page = SamplePages.run();
    open(page, 1280, 900, "light");
    List<Chart> charts =
        page.sections().stream()
            .flatMap(section -> section.figures().stream())
            .flatMap(figure -> figure.chart().stream())
            .toList();
    assertThat(charts).extracting(Chart::kind).contains(Chart.Kind.values());
    assertThat(count(".chart[role=img][aria-label] svg")).isEqualTo(charts.size() + 1);
    assertThat(count("figure")).isEqualTo(count("figure .csv")).isGreaterThan(charts.size());
    assertThat(count("figure details.figures table")).isEqualTo(charts.size());
    assertThat(count("li[data-id]")).isEqualTo(page.answer().size());
    browser.value("document.querySelector('figure .csv').click()");
    assertThat(browser.value("document.documentElement.dataset.downloaded").asText())
        .contains(".csv ");
    assertLinesDifferWithoutColour();
    assertThat(browser.console()).isEmpty();
  }

  private static void assertLinesDifferWithoutColour() throws Exception {
    JsonNode dashes =
        browser.value(
            "[...document.querySelectorAll('.chart')].map(n => echarts.getInstanceByDom(n)"
                + ".getOption().series.filter(s => s.type === 'line' && s.name && !s.xAxisIndex)"
                + ".map(s => String(s.lineStyle.type))).filter(types => types.length > 1)");
    assertThat(dashes).isNotEmpty();
    for (JsonNode chart : dashes) {
      assertThat(chart).doesNotHaveDuplicates();
    }
  }

  /** No column of a table is outside of the window, and ten thousand rows are pages. */
  @ParameterizedTest
  @CsvSource({"1280, false", "800, false", "390, true"})
  void everyColumnIsVisibleAndANarrowTableIsCards(int width, boolean cards) throws Exception {
    List<String> header = new ArrayList<>(List.of("treatment"));
    List<String> row = new ArrayList<>(List.of("put-all in batches"));
    for (int i = 1; i < 12; i++) {
      header.add("p99 get-all " + i + " [ms]");
      row.add("12.3 ± 0.4");
    }
    Table wide = Table.of(header, 1, Collections.nCopies(10_000, row));
    Page page =
        new Page(
            "wide",
            "Does it fit?",
            "",
            List.of(),
            List.of(Section.of("wide", "Wide", "", Figure.of("Twelve columns", wide))),
            List.of());
    open(page, width, 900, "light");
    assertThat(browser.value("document.querySelector('.pager span').textContent").asText())
        .isEqualTo("1–50 of 10,000");
    assertThat(count("section td")).isEqualTo(50 * 12);
    assertThat(count(".answer")).as("an empty answer").isZero();
    assertThat(
            browser
                .value(
                    "[...document.querySelectorAll('section td')].filter(cell => {"
                        + " const at = cell.getBoundingClientRect();"
                        + " return at.right > innerWidth || at.left < 0; }).length")
                .asInt())
        .as("cells outside of the window")
        .isZero();
    assertThat(
            browser
                .value(
                    "getComputedStyle(document.querySelectorAll('section td')[3], '::before').content")
                .asText())
        .isEqualTo(cards ? "\"p99 get-all 3 [ms]\"" : "none");
  }

  private static List<String> violations() throws Exception {
    browser.value(axe() + ";0");
    JsonNode found =
        browser.value(
            "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],"
                + " resultTypes: ['violations']})"
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
