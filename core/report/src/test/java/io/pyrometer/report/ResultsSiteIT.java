package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of published results in a real browser. */
@DisabledIfSystemProperty(named = "pyrometer.browser", matches = "none")
final class ResultsSiteIT {
  private static final String EVIL = "<img src=x onerror=\"window.hacked=1\"><b>put";

  @TempDir Path folder;

  /** Two machines, a repetition, a refuted guarantee, a text, and texts that try to be markup. */
  @BeforeEach
  void write() throws Exception {
    ObjectNode first = SampleResults.result("first", "2026-11-25", "AMD EPYC");
    ObjectNode refuted = SampleResults.row(first, "streamer", 200_000, 50);
    refuted.withArray("marks").add("guarantee refuted");
    SampleResults.probe(refuted, "order", 79, 400);
    SampleResults.row(first, "put-all", 90_000, 20);
    SampleResults.row(first, "put", 3_000, 1);
    SampleResults.write(folder, first);
    ObjectNode second = SampleResults.result("second", "2026-11-20", "Intel Xeon");
    second.put("tuned", true);
    SampleResults.row(second, "put-all", 400_000, 21);
    SampleResults.row(second, EVIL, 5_000, 1);
    second.put("question", EVIL).put("command", EVIL);
    second.withObject("configuration").put(EVIL, EVIL);
    SampleResults.write(folder, second);
    SampleResults.write(folder, SampleResults.text("text").put("experiment", "first-light"));
    ResultsSite.write(folder);
  }

  private Devtools open(int width) throws Exception {
    Devtools browser = Devtools.open(folder.resolve(ResultsSite.FILE).toUri(), folder, width, 900);
    browser.await("document.documentElement.dataset.drawn");
    browser.width(width);
    return browser;
  }

  private static List<String> texts(Devtools browser, String selector) throws Exception {
    List<String> texts = new ArrayList<>();
    for (JsonNode text :
        browser.value(
            "[...document.querySelectorAll('"
                + selector
                + "')]"
                + ".filter(n => n.checkVisibility()).map(n => n.textContent)")) {
      texts.add(text.asText());
    }
    return texts;
  }

  /** The treatments of every machine, from the top. */
  private static List<String> treatments(Devtools browser) throws Exception {
    return texts(browser, "tbody th").stream()
        .map(text -> text.replaceAll("(writing-ladder|first-light)$", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "390, dark"})
  void axeFindsNothingSerious(int width, String scheme) throws Exception {
    try (Devtools browser = open(width)) {
      browser.scheme(scheme);
      browser.value("document.querySelectorAll('.result').forEach(r => { r.open = true; })");
      browser.await("document.querySelectorAll('.result .facts').length > 3");
      assertThat(AccessibilityIT.violations(browser)).isEmpty();
    }
  }

  @Test
  void figuresAreSortedWithinAMachineAlone() throws Exception {
    try (Devtools browser = open(1280)) {
      assertThat(texts(browser, "#machines h3"))
          .containsExactly(
              "AMD EPYC, 2 cores, 24 GiB",
              "Intel Xeon, 2 cores, 24 GiB",
              PublishedResult.IN_A_TEXT + "https://example.org/a");
      String sorted = "[...document.querySelectorAll('th[aria-sort]')].map(h => h.ariaSort)";
      String click = "document.querySelectorAll('thead tr')[1].cells[3].firstChild.click()";
      browser.value(click);
      assertThat(treatments(browser))
          .containsExactly("streamer", "put-all", "put", "put-all", EVIL, "put");
      assertThat(browser.value(sorted + "[3]").asText()).isEqualTo("descending");
      assertThat(browser.value(sorted + "[2]").asText()).isEqualTo("none");
      browser.value(click);
      assertThat(treatments(browser))
          .containsExactly("put", "put-all", "streamer", EVIL, "put-all", "put");
      assertThat(browser.value(sorted + "[3]").asText()).isEqualTo("ascending");
    }
  }

  @Test
  void aTableOfATextHasOnlyTheColumnsThatItHasFiguresFor() throws Exception {
    try (Devtools browser = open(1280)) {
      assertThat(texts(browser, "#machines section:last-child thead th"))
          .containsExactly("Treatment", "Product", "Throughput", "Marks");
      choose(browser, "Order", "6");
      assertThat(treatments(browser)).hasSize(6).endsWith("put");
    }
  }

  @Test
  void filtersAndASearchLeaveWhatMatches() throws Exception {
    try (Devtools browser = open(1280)) {
      choose(browser, "Experiment", "first-light");
      assertThat(treatments(browser)).containsExactly("put");
      assertThat(texts(browser, ".result > summary")).hasSize(1);
      choose(browser, "Experiment", "");
      choose(browser, "Machine", "AMD EPYC, 2 cores, 24 GiB");
      assertThat(texts(browser, "#machines h3")).hasSize(1);
      choose(browser, "Machine", "");
      choose(browser, "Guarantee", "no stale reads");
      assertThat(treatments(browser)).hasSize(5);
      search(browser, "Repeated");
      assertThat(treatments(browser)).containsExactly("put-all", "put-all");
      search(browser, "repeated 79");
      assertThat(treatments(browser)).isEmpty();
      search(browser, "stream refuted");
      assertThat(treatments(browser)).containsExactly("streamer");
      assertThat(texts(browser, "[role=status]").get(0))
          .isEqualTo("1 of 6 treatments, 1 of 3 results");
    }
  }

  private static void search(Devtools browser, String words) throws Exception {
    browser.value(
        "(() => { const s = document.querySelector('input[type=search]'); s.value = '%s';"
                .formatted(words)
            + " s.dispatchEvent(new Event('input')); })()");
  }

  private static void choose(Devtools browser, String title, String value) throws Exception {
    browser.value(
        "(() => { const s = [...document.querySelectorAll('.filters label')]"
            + ".find(l => l.firstChild.textContent === '%s').lastChild;".formatted(title)
            + " s.value = '%s'; s.dispatchEvent(new Event('change')); })()".formatted(value));
  }

  @Test
  void aTreatmentLeadsToItsResultAndTextsOfStrangersStayTexts() throws Exception {
    try (Devtools browser = open(1280)) {
      browser.value("document.querySelector('a[href=\"#r-second\"]').click()");
      browser.await("document.querySelector('#r-second .facts')");
      assertThat(browser.value("document.getElementById('r-second').open").asBoolean()).isTrue();
      assertThat(texts(browser, "#r-second code")).containsExactly(EVIL);
      assertThat(texts(browser, "#r-second h4"))
          .containsExactly("Repeat it", "Terms that could not be made equal", "Configuration");
      assertThat(browser.value("document.querySelectorAll('main img, main b').length").asInt())
          .isZero();
      assertThat(browser.value("window.hacked === undefined").asBoolean()).isTrue();
    }
  }

  @Test
  void onAPhoneEveryTreatmentIsACard() throws Exception {
    try (Devtools browser = open(390)) {
      browser.value("document.querySelectorAll('.result').forEach(r => { r.open = true; })");
      browser.await("document.querySelectorAll('.result .facts').length > 3");
      assertThat(browser.value("document.documentElement.scrollWidth").asInt())
          .isLessThanOrEqualTo(390);
      assertThat(
              browser
                  .value(
                      "[...document.querySelectorAll('#machines table')]"
                          + ".every(t => t.classList.contains('cards'))")
                  .asBoolean())
          .isTrue();
      assertThat(
              browser
                  .value(
                      "[...document.querySelectorAll('tbody td, tbody th, dd')].filter(c => {"
                          + " const at = c.getBoundingClientRect();"
                          + " return at.right > innerWidth || at.left < 0; }).length")
                  .asInt())
          .isZero();
      choose(browser, "Order", "4");
      assertThat(treatments(browser).subList(0, 3)).containsExactly("streamer", "put-all", "put");
    }
  }

  @Test
  void aResultOfSeveralRatesHasAChartWithALineForEachTreatment() throws Exception {
    ObjectNode result = SampleResults.result("rates", "2026-11-24", "AMD EPYC");
    ArrayNode rankings = (ArrayNode) result.at("/results/rankings");
    for (int rate : List.of(4_000, 500, 1_000)) {
      ObjectNode ranking = SampleResults.ranking(rankings.removeAll(), "write", rate);
      for (String path : List.of("get", "put")) {
        ObjectNode row = SampleResults.row(result, path + " · rate " + rate, rate, 1);
        SampleResults.estimate(
            row.withArray("latencies")
                .addObject()
                .put("operation", path)
                .putObject("percentiles")
                .putObject("P99"),
            path.equals("get") ? rate : rate * 10,
            "µs");
      }
      result.withArray("made").add(ranking);
    }
    rankings.removeAll().addAll((ArrayNode) result.remove("made"));
    SampleResults.write(folder, result);
    ResultsSite.write(folder);
    try (Devtools browser = open(1280)) {
      browser.value("document.getElementById('r-rates').open = true");
      browser.await("document.querySelector('#r-rates .chart svg')");
      assertThat(texts(browser, "#r-rates .chart text"))
          .contains("500", "4,000", "500\u00a0µs", "40\u00a0ms", "get", "put");
      String points = "document.querySelectorAll('#r-rates polyline')[%d].getAttribute('points')";
      List<Double> heights = new ArrayList<>();
      for (String point : browser.value(points.formatted(0)).asText().split(" ", -1)) {
        heights.add(Double.parseDouble(point.split(",", -1)[1]));
      }
      assertThat(heights).as("from the lowest rate, upwards").hasSize(3);
      assertThat(heights).isSortedAccordingTo(Comparator.reverseOrder());
      assertThat(texts(browser, "#r-first .chart")).isEmpty();
      assertThat(AccessibilityIT.violations(browser)).isEmpty();
    }
  }

  /** Errors of scripts and violations of the policy would be lines of the console. */
  @Test
  void theConsoleStaysEmpty() throws Exception {
    Browser.Opened opened = Browser.open(folder.resolve(ResultsSite.FILE), folder);
    assertThat(opened.dom()).contains("data-drawn=\"3\"").contains("6 of 6 treatments");
    assertThat(opened.log().lines().filter(line -> line.contains("CONSOLE"))).isEmpty();
    assertThat(Files.readString(folder.resolve(ResultsSite.FILE)))
        .doesNotContainPattern("(src|href)=\"(?![#d])");
  }
}
