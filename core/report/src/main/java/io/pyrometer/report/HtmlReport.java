package io.pyrometer.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A page as one HTML file: style, script, chart library and figures are in it, and its policy
 * forbids every request. It follows the reader's light or dark scheme, fits a phone, and prints.
 */
public final class HtmlReport {
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Page page;
  private final Writer out;
  private final HtmlTable tables;
  private final ArrayNode options = JSON.createArrayNode();

  private HtmlReport(Page page, Writer out) {
    this.page = page;
    this.out = out;
    this.tables = new HtmlTable(out);
  }

  /**
   * Writes the page in place of what was there.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void write(Page page, Path file) {
    try (Writer out = Files.newBufferedWriter(file)) {
      new HtmlReport(page, out).write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write() throws IOException {
    String charts = charts();
    String script = Html.script(resource("page.js"));
    String policy = "script-src " + hash(charts) + " " + hash(script);
    out.write(head(page.title(), policy + "; style-src 'unsafe-inline'", resource("page.css")));
    navigation();
    out.write("<main id=\"top\">\n");
    answer();
    for (Section section : page.sections()) {
      section(section);
    }
    notes();
    again();
    out.write("</main>\n");
    data("options", JSON.writeValueAsString(options));
    data("rows", JSON.writeValueAsString(tables.paged()));
    out.write("<script>" + charts + "</script>\n<script>" + script + "</script>\n</body></html>\n");
  }

  /** A document up to its body; its policy forbids all requests and all but what is named. */
  private static String head(String title, String policy, String styles) {
    return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; %s; \
        img-src data:; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>%s</title>
        <link rel="icon" href="data:,">
        <style>
        %s</style></head>
        <body>
        """
        .formatted(policy, Html.text(title + " · Pyrometer"), styles);
  }

  private void navigation() throws IOException {
    out.write("<nav aria-label=\"Sections\"><a class=\"brand\" href=\"#top\">Pyrometer</a>");
    if (!page.answer().isEmpty()) {
      link("answer", "Answer");
    }
    for (Section section : page.sections()) {
      link(section.id(), section.title());
    }
    if (!page.again().isEmpty()) {
      link("again", "Run it again");
    }
    out.write("</nav>\n");
  }

  private void link(String id, String title) throws IOException {
    out.write("<a href=\"#" + Html.text(id) + "\">" + Html.text(title) + "</a>");
  }

  private void answer() throws IOException {
    out.write("<header id=\"answer\"><p class=\"title\">" + Html.text(page.title()) + "</p>\n");
    out.write("<h1>" + Html.text(page.question()) + "</h1>\n");
    findings();
    if (!page.about().isEmpty()) {
      out.write("<p class=\"about\">" + Html.sentence(page.about()) + "</p>\n");
    }
    out.write("</header>\n");
  }

  private void findings() throws IOException {
    if (page.answer().isEmpty()) {
      return;
    }
    out.write("<div class=\"answer\">");
    boolean first = true;
    for (Finding finding : page.answer()) {
      finding(finding, first);
      first = false;
    }
    out.write("</div>\n");
  }

  private void finding(Finding finding, boolean first) throws IOException {
    String severity = finding.severity().name().toLowerCase(Locale.ROOT);
    out.write("<article class=\"finding " + severity + (first ? " first" : "") + "\"><p>");
    if (finding.severity() != Finding.Severity.INFO) {
      String word = finding.severity() == Finding.Severity.WARNING ? "Warning" : "Note";
      out.write("<strong class=\"severity\">" + word + "</strong> ");
    }
    out.write(Html.sentence(finding.sentence()) + "</p><details><summary>");
    out.write(finding.estimates().isEmpty() ? "What would change it" : "Behind it");
    out.write("</summary>");
    estimates(finding);
    out.write("<p>Would change it: " + Html.text(finding.remedy().orElse("")) + "</p>");
    out.write("</details></article>\n");
  }

  private void estimates(Finding finding) throws IOException {
    if (finding.estimates().isEmpty()) {
      return;
    }
    out.write("<dl>");
    for (Map.Entry<String, Estimate> entry : finding.estimates().entrySet()) {
      out.write("<div><dt>" + Html.text(entry.getKey()) + "</dt><dd>");
      out.write(Html.text(Numbers.estimateWithUnit(entry.getValue())) + "</dd></div>");
    }
    out.write("</dl>");
  }

  private void section(Section section) throws IOException {
    out.write("<section id=\"" + Html.text(section.id()) + "\"><h2>");
    out.write(Html.text(section.title()) + "</h2>\n");
    if (!section.lead().isEmpty()) {
      out.write("<p class=\"lead\">" + Html.sentence(section.lead()) + "</p>\n");
    }
    for (Figure figure : section.figures()) {
      figure(figure);
    }
    out.write("</section>\n");
  }

  private void figure(Figure figure) throws IOException {
    out.write("<figure><figcaption>" + Html.text(figure.caption()) + "</figcaption>\n");
    out.write("<button type=\"button\" class=\"csv\">CSV</button>\n");
    if (figure.chart().isPresent()) {
      chart(figure.chart().get(), figure.caption());
      tables.collapsed(figure.table());
    } else {
      tables.open(figure.table());
    }
    out.write("</figure>\n");
  }

  private void chart(Chart chart, String caption) throws IOException {
    out.write("<div class=\"chart\" role=\"img\" aria-label=\"" + Html.text(caption));
    out.write(" The table below holds the same figures.\" data-option=\"" + options.size());
    out.write("\" style=\"height:" + chart.height() + "px\"></div>\n");
    options.add(chart.option());
  }

  private void notes() throws IOException {
    if (!tables.notes().isEmpty()) {
      out.write("<section id=\"notes\"><h2>Notes to the tables</h2>\n");
      for (String note : tables.notes()) {
        out.write("<p class=\"note\">" + Html.text(note) + "</p>\n");
      }
      out.write("</section>\n");
    }
  }

  private void again() throws IOException {
    if (page.again().isEmpty()) {
      return;
    }
    out.write("<section id=\"again\"><h2>Run it again</h2>\n");
    for (Page.Command command : page.again()) {
      out.write("<div class=\"command\"><p>" + Html.text(command.purpose()) + "</p><pre><code>");
      out.write(Html.text(command.line()) + "</code></pre>");
      out.write("<button type=\"button\" class=\"copy\">Copy</button></div>\n");
    }
    out.write("</section>\n");
  }

  private void data(String id, String json) throws IOException {
    out.write("<script type=\"application/json\" id=\"" + id + "\">" + Html.json(json));
    out.write("</script>\n");
  }

  /** A script or style as a policy names it. */
  private static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  static String charts() {
    return Html.script(read(ECHARTS));
  }

  /** A file that lies beside this class. */
  private static String resource(String name) {
    return read("/io/pyrometer/report/" + name);
  }

  private static String read(String resource) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("The class path lacks " + resource + ".");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Tables in a page. A long one stands in the document with its first rows alone; all its rows are
   * data, which the page's script pages and searches, so that ten thousand of them open at once.
   */
  private static final class HtmlTable {
    private static final int ROWS_AT_ONCE = 50;
    private static final int SHORT = 200;
    private static final Pattern ARTEFACT =
        Pattern.compile(
            "(trials/[\\w.-]+(/[\\w.-]+)?|logs/[\\w.-]+|[\\w.-]+-flames/[\\w.-]+|[\\w.-]+/report\\.html)");

    private final Writer out;
    private final Set<String> notes = new LinkedHashSet<>();
    private final ArrayNode paged = JsonNodeFactory.instance.arrayNode();

    HtmlTable(Writer out) {
      this.out = out;
    }

    /** All rows of the long tables written so far, by the number in their {@code data-rows}. */
    ArrayNode paged() {
      return paged;
    }

    void collapsed(Table table) throws IOException {
      out.write("<details class=\"figures\"><summary>Table</summary>");
      open(table);
      out.write("</details>\n");
    }

    void open(Table table) throws IOException {
      boolean isLong = table.rows().size() > SHORT;
      out.write("<div class=\"scroll\" tabindex=\"0\"><table");
      if (isLong) {
        out.write(" data-rows=\"" + paged.size() + "\"");
        paged.add(data(table));
      }
      List<String> header = table.header();
      out.write(" data-header=\"" + Html.text(String.join("\t", header)) + "\"><thead><tr>");
      for (int c = 0; c < table.header().size(); c++) {
        out.write("<th scope=\"col\"" + style(table, c) + ">" + Html.text(table.header().get(c)));
        out.write("</th>");
      }
      out.write("</tr></thead><tbody>");
      for (List<String> row : isLong ? table.rows().subList(0, ROWS_AT_ONCE) : table.rows()) {
        row(table, row);
      }
      out.write("</tbody></table></div>\n");
      if (isLong) {
        String rows = String.format(Locale.ROOT, "%,d", table.rows().size());
        out.write("<p class=\"pager\">The first " + ROWS_AT_ONCE + " of " + rows + " rows.</p>\n");
      }
      notes.addAll(table.notes());
    }

    /** What is to be read with the tables written so far, each once. */
    Set<String> notes() {
      return notes;
    }

    private void row(Table table, List<String> row) throws IOException {
      out.write("<tr>");
      for (int c = 0; c < row.size(); c++) {
        out.write("<td" + style(table, c) + ">" + cell(row.get(c)) + "</td>");
      }
      out.write("</tr>");
    }

    /**
     * The name of a trial's artefact is a link, since the page lies in the run's folder; that of a
     * run's report is one in the page that lies beside the runs, and that of a flame graph in a
     * page of a comparison. Where spaces align a text, it is a drawing, such as a timeline.
     */
    private static String cell(String text) {
      String shown = Html.text(text);
      if (text.contains("  ")) {
        return "<code>" + shown + "</code>";
      }
      return ARTEFACT.matcher(text).matches()
          ? "<a href=\"" + shown + "\">" + shown + "</a>"
          : shown;
    }

    private static String style(Table table, int column) {
      return table.alignment().get(column) == Table.Align.RIGHT ? " class=\"n\"" : "";
    }

    private static ObjectNode data(Table table) {
      ObjectNode data = JsonNodeFactory.instance.objectNode();
      ArrayNode right = data.putArray("right");
      table.alignment().forEach(align -> right.add(align == Table.Align.RIGHT));
      ArrayNode rows = data.putArray("rows");
      for (List<String> row : table.rows()) {
        ArrayNode cells = rows.addArray();
        row.forEach(cells::add);
      }
      return data.put("atOnce", ROWS_AT_ONCE);
    }
  }
}
