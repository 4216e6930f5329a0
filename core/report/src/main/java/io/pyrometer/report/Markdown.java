package io.pyrometer.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Findings and tables as GitHub's Markdown, for comments on pull requests and for docs. */
public final class Markdown {
  private Markdown() {}

  /** A table with its alignment, without its notes. */
  public static String table(Table table) {
    String rule =
        table.alignment().stream()
            .map(align -> align == Table.Align.LEFT ? "---" : "--:")
            .collect(Collectors.joining("|", "|", "|"));
    String rows = table.rows().stream().map(Markdown::row).collect(Collectors.joining("\n"));
    return row(table.header()) + "\n" + rule + "\n" + rows + "\n";
  }

  /** Findings as a list, warnings in bold. */
  public static String findings(List<Finding> findings) {
    return findings.stream()
        .map(
            finding ->
                finding.severity() == Finding.Severity.WARNING
                    ? "- **" + text(finding.sentence()) + "**\n"
                    : "- " + text(finding.sentence()) + "\n")
        .collect(Collectors.joining());
  }

  /** A page without its charts: the answer, the tables of every section, then their notes. */
  public static String page(Page page) {
    Set<String> notes = new LinkedHashSet<>();
    StringBuilder out = new StringBuilder("# " + text(page.title()) + "\n\n");
    out.append(text(page.question())).append("\n\n").append(findings(page.answer()));
    for (Section section : page.sections()) {
      out.append("\n## ").append(text(section.title())).append("\n\n");
      if (!section.lead().isEmpty()) {
        out.append(text(section.lead())).append("\n\n");
      }
      for (Figure figure : section.inText()) {
        out.append(text(figure.caption()))
            .append("\n\n")
            .append(table(figure.table()))
            .append("\n");
        notes.addAll(figure.table().notes());
      }
    }
    notes.forEach(note -> out.append("\n").append(text(note)).append("\n"));
    return out.toString();
  }

  private static String row(List<String> cells) {
    return cells.stream().map(Markdown::text).collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String text(String text) {
    return text.replace("\\", "\\\\")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .replace("\n", " ");
  }
}
