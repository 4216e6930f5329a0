package io.pyrometer.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Finding;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;

/** Writes one page to one writer. */
final class HtmlPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Page page;
  private final Writer out;
  private final HtmlTable tables;
  private final ArrayNode options = JSON.createArrayNode();

  HtmlPage(Page page, Writer out) {
    this.page = page;
    this.out = out;
    this.tables = new HtmlTable(out);
  }

  void write() throws IOException {
    String charts = PageResources.charts();
    String script = PageResources.script();
    head(PageResources.hash(charts) + " " + PageResources.hash(script));
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

  private void head(String scripts) throws IOException {
    out.write(
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s; \
        style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>%s</title>
        <link rel="icon" href="data:,">
        <style>
        %s</style></head>
        <body>
        """
            .formatted(scripts, Html.text(page.title() + " · Pyrometer"), PageResources.style()));
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
    out.write("<p>Would change it: " + Html.text(finding.wouldChange()) + "</p>");
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
}
