package io.pyrometer.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tables in a page. A long one stands in the document with its first rows alone; all its rows are
 * data, which the page's script pages and searches, so that ten thousand of them open at once.
 */
final class HtmlTable {
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
   * run's report is one in the page that lies beside the runs, and that of a flame graph in a page
   * of a comparison. Where spaces align a text, it is a drawing, such as a timeline.
   */
  private static String cell(String text) {
    String shown = Html.text(text);
    if (text.contains("  ")) {
      return "<code>" + shown + "</code>";
    }
    return ARTEFACT.matcher(text).matches() ? "<a href=\"" + shown + "\">" + shown + "</a>" : shown;
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
