package io.pyrometer.report;

import io.pyrometer.report.Finding.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The answer of a page in at most 40 lines of a terminal: what it is of, the answer and the next
 * step, one table, and the limits that matter most.
 *
 * @param head lines such as the versions compared
 * @param answer the answers, the most important first
 * @param limits other findings, of which the most severe are shown
 */
public record BriefText(
    List<String> head, List<Finding> answer, Figure table, List<Finding> limits) {
  private static final int MAX_ANSWERS = 4;
  private static final int MAX_TABLE_LINES = 23;
  private static final int MAX_LIMITS = 3;

  /**
   * The text.
   *
   * @param width of the terminal in characters
   */
  public String render(int width, TerminalTable.Rules rules) {
    List<String> lines = new ArrayList<>();
    head.forEach(line -> lines.add(TerminalPage.wrapped(line, "  ", width)));
    lines.add("");
    lines.add(
        TerminalPage.findings(answer.subList(0, Math.min(MAX_ANSWERS, answer.size())), width)
            .stripTrailing());
    answer.stream()
        .findFirst()
        .flatMap(Finding::remedy)
        .ifPresent(next -> lines.add(TerminalPage.wrapped("Next: " + next, "  ", width)));
    lines.add("");
    lines.add(TerminalPage.wrapped(table.caption(), "", width));
    int rows = table.table().rows().size();
    int shownRows = rows;
    String cells = TerminalTable.render(table.table(), width, rules);
    while (cells.lines().count() > MAX_TABLE_LINES) {
      shownRows--;
      cells = TerminalTable.render(table.table().head(shownRows), width, rules);
    }
    lines.add(cells);
    if (rows > shownRows) {
      lines.add("… and %d further rows in the report".formatted(rows - shownRows));
    }
    List<Finding> severe =
        limits.stream()
            .filter(limit -> limit.severity() != Severity.INFO)
            .sorted(Comparator.comparing(Finding::severity).reversed())
            .toList();
    if (!limits.isEmpty()) {
      int shown = Math.min(MAX_LIMITS, severe.size());
      lines.add("");
      lines.add(TerminalPage.findings(severe.subList(0, shown), width).stripTrailing());
      if (limits.size() > shown) {
        int more = limits.size() - shown;
        lines.add(
            "%d further %s in the report".formatted(more, more == 1 ? "finding" : "findings"));
      }
    }
    return String.join("\n", lines) + "\n";
  }
}
