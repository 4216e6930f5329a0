package io.pyrometer.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * Published results as one page that needs no network: all treatments in tables that are sorted and
 * filtered, one for each machine, since figures of different machines are not comparable, and all
 * that belongs to each result. The figures are data of the page, compressed, so that a thousand
 * results fit into a megabyte; its script shows them.
 */
public final class ResultsSite {
  /** The page's name in the folder of the results. */
  public static final String FILE = "index.html";

  /**
   * Beside the results: a line for each product, with its name, a tab, and words that begin with
   * "restricted" if its licence does not permit that benchmarks are published.
   */
  static final String LICENCES = "licences.tsv";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String EXPLANATION =
      """
      <p class="lead">Each machine has a table of its own, because throughput and latency of \
      different machines are not comparable. A ratio is to the baseline of the same result. The \
      interval under a figure is its confidence interval; a figure of one block has none and is \
      provisional. p99 is that of the slowest operation, in a closed loop unless a rate is given; of \
      several rates a result below has a chart. The evidence of a result lies beside it: <code>pyrometer publish --check FILE</code> \
      recomputes its figures.</p>
      """;

  private static final String MARKS =
      """
      <section id="marks"><h2>Marks</h2><dl class="facts">
      <div><dt>repeated</dt><dd>The ratio was measured on another date or machine as well: same \
      experiment, treatment, baseline and product version, and the intervals overlap.</dd></div>
      <div><dt>guarantee refuted</dt><dd>A probe found stale or lost keys that the access path \
      claims not to have.</dd></div>
      <div><dt>oversubscribed</dt><dd>The trial's own processes needed more CPU than the machine \
      has: throughput compares CPU cost.</dd></div>
      <div><dt>disturbed</dt><dd>Other work on the machine disturbed the trials.</dd></div>
      <div><dt>not warm, not settled</dt><dd>The code was still being compiled, or throughput still \
      changed, while it was measured.</dd></div>
      <div><dt>limited by the load generator, client busy</dt><dd>The grid may be faster than \
      this.</dd></div>
      <div><dt>calls begun late</dt><dd>The load generator began calls after their intended start: \
      p99 includes that delay.</dd></div>
      <div><dt>rate missed</dt><dd>Less than 98 % of the offered rate was achieved.</dd></div>
      <div><dt>agents differ</dt><dd>One of several agents started late or was slower than the \
      others.</dd></div>
      <div><dt>unequal</dt><dd>The products could not be given equal terms in this respect; the \
      result has the reason.</dd></div>
      <div><dt>2/3</dt><dd>In two of three trials.</dd></div>
      <div><dt>published, not reproducible here</dt><dd>The figure is that of a text, measured on \
      machines and with versions of its own. It has no interval and no evidence, and is never ranked \
      with measured figures or with those of another text.</dd></div>
      <div><dt>tuned</dt><dd>The configuration was tuned for this experiment.</dd></div>
      </dl></section>
      """;

  private ResultsSite() {}

  /**
   * Reads all {@code *.json} of a folder and writes its page in place of what was there.
   *
   * @return the number of results that it shows
   * @throws BadDataException if a file cannot be read, if it lacks a field or has one of another
   *     type, if a licence restricts its publication, or if the folder has no result
   */
  public static int write(Path folder) {
    List<PublishedResult> results = read(folder);
    Map<String, String> licences = licences(folder);
    results.forEach(result -> requirePermission(result, licences));
    markRepeated(results);
    try {
      Files.writeString(folder.resolve(FILE), page(results, licences));
    } catch (IOException e) {
      throw BadDataException.of("%s cannot be written: %s.", folder.resolve(FILE), e);
    }
    return results.size();
  }

  private static List<PublishedResult> read(Path folder) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.json")) {
      found.forEach(files::add);
    } catch (IOException e) {
      throw BadDataException.of("%s is not a folder of results that can be read.", folder);
    }
    if (files.isEmpty()) {
      throw BadDataException.of(
          "%s holds no result; pyrometer publish RUN --to %s adds one.", folder, folder);
    }
    return files.parallelStream()
        .map(PublishedResult::new)
        .sorted(
            Comparator.comparing(PublishedResult::date)
                .reversed()
                .thenComparing(result -> result.page().path("id").asText()))
        .toList();
  }

  /** What the licence of each product says of publishing benchmarks. */
  private static Map<String, String> licences(Path folder) {
    Path file = folder.resolve(LICENCES);
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream()
              .map(line -> line.split("\t", 2))
              .collect(Collectors.toMap(cells -> cells[0], cells -> cells[cells.length - 1]))
          : Map.of();
    } catch (IOException | IllegalStateException unreadable) {
      throw BadDataException.of("%s cannot be read (%s).", file, unreadable.getMessage());
    }
  }

  private static void requirePermission(PublishedResult result, Map<String, String> licences) {
    for (String product : result.products()) {
      if (licences.getOrDefault(product, "").startsWith("restricted")) {
        throw BadDataException.of(
            "The licence of %s restricts the publication of benchmarks: remove %s.json, or note its"
                + " vendor's permission in %s.",
            product, result.page().path("id").asText(), LICENCES);
      }
    }
  }

  private static String fact(String name, String words) {
    return "<div><dt>%s</dt><dd>%s</dd></div>\n".formatted(Html.text(name), Html.text(words));
  }

  /** Marks ratios whose interval overlaps with that of another date or machine. */
  private static void markRepeated(List<PublishedResult> results) {
    record Point(String origin, PublishedResult.Row row, Estimate ratio) {
      boolean repeats(Point other) {
        return ratio.low() <= other.ratio.high()
            && other.ratio.low() <= ratio.high()
            && !origin.equals(other.origin);
      }
    }
    Map<String, List<Point>> treatments = new HashMap<>();
    Map<String, String> origins = new HashMap<>();
    for (PublishedResult result : results) {
      // One instance of equal texts, because many pairs of points are compared.
      String origin = origins.computeIfAbsent(result.date() + result.machine(), made -> made);
      for (PublishedResult.Row row : result.rows()) {
        row.ratio()
            .ifPresent(
                ratio ->
                    treatments
                        .computeIfAbsent(row.treatment(), made -> new ArrayList<>())
                        .add(new Point(origin, row, ratio)));
      }
    }
    for (List<Point> same : treatments.values()) {
      same.stream()
          .filter(point -> same.stream().anyMatch(point::repeats))
          .forEach(point -> point.row.shown().put("repeated", true));
    }
  }

  private static String page(List<PublishedResult> results, Map<String, String> licences)
      throws IOException {
    String styles = "\n" + HtmlReport.resource("page.css") + HtmlReport.resource("site.css");
    String script = HtmlReport.scripts("site.js");
    String policy =
        "script-src %s; style-src %s".formatted(HtmlReport.hash(script), HtmlReport.hash(styles));
    return HtmlReport.head("Published results", policy, styles.substring(1))
        + """
        <nav aria-label="Sections"><a class="brand" href="#top">Pyrometer</a>\
        <a href="#treatments">Treatments</a><a href="#results">Results</a>\
        <a href="#marks">Marks</a><a href="#licences">Licences</a></nav>
        <main id="top"><header><h1>Published results of data grids and caches</h1>
        """
        + "<p class=\"about\">"
        + about(results)
        + "</p></header>\n"
        + "<section id=\"treatments\"><h2>Treatments</h2>\n"
        + EXPLANATION
        + """
        <noscript><p>The tables need JavaScript. Each result is a JSON file beside this \
        page.</p></noscript>
        <div class="filters" role="search" aria-label="Treatments"></div>
        <p class="note" role="status"></p><div id="machines"></div></section>
        <section id="results"><h2>Results</h2><div id="list"></div></section>
        """
        + MARKS
        + """
        <section id="licences"><h2>Licences</h2><p>What the products' licences say of publishing \
        benchmarks; those of products that are not listed were not checked. A product whose licence \
        restricts it is shown only with its vendor's permission.</p><dl class="facts">
        """
        + new TreeMap<>(licences)
            .entrySet().stream()
                .map(each -> fact(each.getKey(), each.getValue()))
                .collect(Collectors.joining())
        + "</dl></section></main>\n<script type=\"text/plain\" id=\"data\">"
        + packed(results)
        + "</script>\n<script>"
        + script
        + "</script>\n</body></html>\n";
  }

  /** How many figures there are, those that were measured apart from those of texts. */
  private static String about(List<PublishedResult> results) {
    Map<Boolean, List<PublishedResult>> ofText =
        results.stream().collect(Collectors.partitioningBy(PublishedResult::ofText));
    List<PublishedResult> measured = ofText.getOrDefault(false, List.of());
    List<PublishedResult> texts = ofText.getOrDefault(true, List.of());
    List<String> parts = new ArrayList<>();
    if (!measured.isEmpty()) {
      parts.add(
          "%s of %s on %s, the latest of %s"
              .formatted(
                  Figures.count(rows(measured), "treatment"),
                  Figures.count(measured.size(), "result"),
                  Figures.count(
                      measured.stream().map(PublishedResult::machine).distinct().count(),
                      "machine"),
                  measured.get(0).date()));
    }
    if (!texts.isEmpty()) {
      parts.add(
          Figures.count(rows(texts), "figure") + " of " + Figures.count(texts.size(), "text"));
    }
    return String.join("; ", parts) + ".";
  }

  private static int rows(List<PublishedResult> results) {
    return results.stream().mapToInt(result -> result.rows().size()).sum();
  }

  /** JSON in gzip in base64, which has no character that could end the block it stands in. */
  private static String packed(List<PublishedResult> results) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      JSON.writeValue(gzip, data(results));
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /**
   * The results, and the cells of all their treatments by column, which compress to a third of what
   * they would as rows: of figures a text, of others the place of their value in a table; −1 where
   * a treatment has none.
   */
  private static ObjectNode data(List<PublishedResult> results) {
    ObjectNode data = JSON.createObjectNode();
    ArrayNode all = data.putArray("results");
    ArrayNode table = data.putArray("table");
    ObjectNode columns = data.putObject("columns");
    Map<JsonNode, Integer> places = new HashMap<>();
    int treatments = 0;
    for (PublishedResult result : results) {
      all.add(result.page().deepCopy().put("rows", result.rows().size()));
      for (PublishedResult.Row row : result.rows()) {
        for (Map.Entry<String, JsonNode> cell : row.shown().properties()) {
          ArrayNode column = columns.withArray(cell.getKey());
          absent(column, treatments);
          if (PublishedResult.FIGURES.contains(cell.getKey())) {
            column.add(cell.getValue().path(0).asText() + "\t" + cell.getValue().path(1).asText());
          } else {
            Integer known = places.putIfAbsent(cell.getValue(), table.size());
            column.add(known == null ? table.size() : known);
            if (known == null) {
              table.add(cell.getValue());
            }
          }
        }
        treatments++;
      }
    }
    for (JsonNode column : columns) {
      absent((ArrayNode) column, treatments);
    }
    return data;
  }

  private static void absent(ArrayNode column, int until) {
    while (column.size() < until) {
      column.add(-1);
    }
  }
}
