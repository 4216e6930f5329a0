package io.pyrometer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A page as lines of text: the answer, then the tables, long ones cut. */
public final class TerminalPage {
  private static final int MOST_ROWS = 24;
  private static final int WIDEST_TEXT = 100;

  private TerminalPage() {}

  /**
   * The page.
   *
   * @param width of the terminal in characters
   */
  public static String render(Page page, int width, TerminalTable.Rules rules) {
    StringBuilder out = new StringBuilder();
    List<Table> tables = new ArrayList<>();
    out.append(wrapped(page.question(), "", width)).append("\n\n");
    out.append(findings(page.answer(), width));
    page.sections().forEach(section -> out.append(section(section, width, rules, tables)));
    String notes = TerminalTable.notes(tables, width);
    return out.append(notes.isEmpty() ? "" : "\n" + notes + "\n").toString();
  }

  /**
   * The tables of a section with their captions.
   *
   * @param shown receives the tables, for their notes
   */
  public static String section(
      Section section, int width, TerminalTable.Rules rules, List<Table> shown) {
    StringBuilder out = new StringBuilder();
    for (Figure figure : section.inText()) {
      out.append('\n').append(wrapped(figure.caption(), "", width)).append('\n');
      out.append(table(figure.table(), width, rules)).append('\n');
      shown.add(figure.table());
    }
    return out.toString();
  }

  /** Findings one below the other, wrapped. */
  public static String findings(List<Finding> findings, int width) {
    return findings.stream()
        .map(finding -> wrapped(mark(finding) + finding.sentence(), "  ", width) + "\n")
        .collect(Collectors.joining());
  }

  private static String mark(Finding finding) {
    return switch (finding.severity()) {
      case INFO -> "* ";
      case NOTICE -> "* Note: ";
      case WARNING -> "! ";
    };
  }

  private static String table(Table table, int width, TerminalTable.Rules rules) {
    int rows = table.rows().size();
    if (rows <= MOST_ROWS) {
      return TerminalTable.render(table, width, rules);
    }
    return TerminalTable.render(table.head(MOST_ROWS), width, rules)
        + "\n… and %d further rows, which the report holds".formatted(rows - MOST_ROWS);
  }

  /** Lines no longer than the terminal or 100 columns; those that follow are indented. */
  public static String wrapped(String text, String indent, int width) {
    int room = Math.max(20, Math.min(width, WIDEST_TEXT));
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" (?!%)", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > room) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
      } else if (line.length() > 0) {
        line.append(' ');
      }
      line.append(word);
    }
    lines.add(line.toString());
    return String.join("\n", lines);
  }
}
