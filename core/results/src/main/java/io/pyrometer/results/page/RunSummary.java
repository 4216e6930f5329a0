package io.pyrometer.results.page;

import io.pyrometer.experiment.model.AnalysisDeclaration;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Finding.Severity;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.TerminalPage;
import io.pyrometer.report.TerminalTable;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.analyses.RunAnalyses;
import io.pyrometer.results.ranking.Answer;
import io.pyrometer.results.ranking.Answer.Choice;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.RankingTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run's results for the terminal: the question, the answer, its confidence, a table for each job,
 * the reasons, and an explanation of each mark; at most {@value #MAX_LINES} lines of {@value
 * #MAX_COLUMNS} columns. Everything else is in the report.
 */
public final class RunSummary {
  static final int MAX_LINES = 40;
  static final int MAX_COLUMNS = 100;
  private static final int MAX_CHOICES = 8;
  private static final int MAX_CONCLUSIONS = 4;
  private static final int MAX_WARNINGS = 3;

  /** Lines that the caller prints: the path of the report and an empty line before it. */
  private static final int REPORT_PATH = 2;

  /** A table with fewer rows than this is left out rather than cut. */
  private static final int MIN_ROWS = 3;

  private static final String INDENT = "  ";
  private static final String LABELS = "  %-12s";
  private static final String NOTES = "      ";

  private final RunReport report;
  private final int width;
  private final List<String> lines = new ArrayList<>();

  private RunSummary(RunReport report, int width) {
    this.report = report;
    this.width = Math.min(width, MAX_COLUMNS);
  }

  /**
   * The lines of a run's summary.
   *
   * @param width of the terminal in characters
   */
  public static List<String> of(RunReport report, int width) {
    return new RunSummary(report, width).render();
  }

  private List<String> render() {
    text("", report.run().plan().question());
    lines.add("");
    conclusions().stream()
        .limit(MAX_CONCLUSIONS)
        .forEach(finding -> text(INDENT, finding.sentence()));
    choices();
    int end = lines.size();
    confidence();
    if (lines.size() > end) {
      lines.add(end, "");
    }
    List<Ranking> ranked = report.run().ranks() ? report.rankings() : List.<Ranking>of();
    List<String> last = new ArrayList<>();
    paragraph(last, warnings());
    paragraph(last, RankingTable.explanations(ranked));
    tables(ranked, MAX_LINES - REPORT_PATH - last.size());
    lines.addAll(last);
    return List.copyOf(lines);
  }

  private void paragraph(List<String> end, List<String> text) {
    if (!text.isEmpty()) {
      end.add("");
      text.forEach(line -> end.addAll(wrapped(INDENT, INDENT + "   ", line)));
    }
  }

  private void text(String label, String text) {
    lines.addAll(wrapped(label, " ".repeat(label.length()), text));
  }

  /** Lines of a text, of which the first stands after a label. */
  private List<String> wrapped(String label, String indent, String text) {
    List<String> lines = new ArrayList<>();
    TerminalPage.wrapped(text, "", width - indent.length())
        .lines()
        .forEach(line -> lines.add((lines.isEmpty() ? label : indent) + line));
    return lines;
  }

  /** The analyses that an experiment names before the ranking, or without one. */
  private List<String> leading() {
    List<String> asked = report.run().experiment().analyses();
    int ranking = asked.indexOf(AnalysisDeclaration.RANKING);
    return ranking < 0 ? asked : asked.subList(0, ranking);
  }

  /** The findings that answer the question of an experiment whose answer is not the ranking. */
  private List<Finding> conclusions() {
    List<Finding> none = noAnswer();
    return none.isEmpty()
        ? leading().stream()
            .flatMap(id -> RunAnalyses.answer(report.analyses(), id).stream())
            .toList()
        : none;
  }

  /** The reason why a run has no answer at all; empty where it has one. */
  private List<Finding> noAnswer() {
    return report.findings().stream()
        .filter(finding -> finding.category().equals("no-answer"))
        .limit(report.answer().choices().isEmpty() ? 1 : 0)
        .toList();
  }

  private void choices() {
    List<Choice> choices = report.answer().choices();
    List<Page.AnswerRow> rows =
        AnswerText.rows(report.answer()).stream().limit(MAX_CHOICES).toList();
    String form =
        "  %%-%ds  %%-%ds  %%%ds  %%%ds"
            .formatted(
                longest(rows, Page.AnswerRow::job),
                longest(rows, Page.AnswerRow::choice),
                longest(rows, Page.AnswerRow::figure),
                longest(rows, Page.AnswerRow::ratio));
    for (Page.AnswerRow row : rows) {
      String head = form.formatted(row.job(), row.choice(), row.figure(), row.ratio());
      List<String> notes = new ArrayList<>(row.notes());
      if (head.stripTrailing().length() > width) {
        head = form.formatted(row.job(), row.choice(), row.figure(), "");
        notes.add(0, row.ratio().strip());
      }
      if (head.stripTrailing().length() > width) {
        lines.add(INDENT + row.job());
        head = INDENT + INDENT + head.substring(INDENT.length() + row.job().length()).strip();
      }
      notes(head, notes);
    }
    choices.stream()
        .flatMap(choice -> choice.none().stream())
        .forEach(none -> text(INDENT, none.sentence()));
    if (choices.size() > MAX_CHOICES) {
      lines.add("  … and %d more in the report".formatted(choices.size() - MAX_CHOICES));
    }
  }

  private static int longest(List<Page.AnswerRow> rows, Function<Page.AnswerRow, String> cell) {
    return rows.stream().map(cell).mapToInt(String::length).max().orElse(0) + 1;
  }

  /** Notes follow a row where they fit, and stand below it where not. */
  private void notes(String head, List<String> notes) {
    String line = head;
    for (String note : notes) {
      if (line.length() + 3 + note.length() <= width) {
        line += "   " + note;
      } else {
        lines.add(line.stripTrailing());
        List<String> below = wrapped(NOTES, NOTES + INDENT, note);
        lines.addAll(below.subList(0, below.size() - 1));
        line = below.get(below.size() - 1);
      }
    }
    lines.add(line.stripTrailing());
  }

  private void confidence() {
    Answer answer = report.answer();
    String command =
        answer
            .next()
            .map(AnswerText::next)
            .or(() -> noAnswer().stream().findFirst().flatMap(Finding::remedy))
            .orElse("");
    String doubts = AnswerText.sentences(answer.loweredBy());
    String level =
        answer
            .confidence()
            .map(of -> Phrases.word(of) + (doubts.isEmpty() ? "" : ": " + doubts))
            .orElse("");
    String line = LABELS.formatted("confidence") + level;
    int gap = width - line.length() - command.length();
    if (!level.isEmpty() && gap >= 3) {
      int place = Math.max(3, Math.min(gap, 59 - line.length()));
      lines.add((line + " ".repeat(place) + command).stripTrailing());
    } else {
      labelled("confidence", level);
      labelled("next", command);
    }
    labelled("valid for", AnswerText.sentences(answer.validFor()));
  }

  private void labelled(String label, String text) {
    if (!text.isEmpty()) {
      text(LABELS.formatted(label), text);
    }
  }

  /** Warnings that the answer does not hold. */
  private List<String> warnings() {
    List<Finding> said = new ArrayList<>(conclusions());
    report.answer().choices().forEach(choice -> choice.none().ifPresent(said::add));
    return report.findings().stream()
        .filter(finding -> finding.severity() == Severity.WARNING)
        .filter(finding -> !said.contains(finding))
        .map(finding -> "! " + finding.sentence())
        .distinct()
        .limit(MAX_WARNINGS)
        .toList();
  }

  /** The tables as far as there is room for them. */
  private void tables(List<Ranking> ranked, int last) {
    List<Table> tables = new ArrayList<>();
    for (String id : leading()) {
      RunAnalyses.sections(report.analyses(), id).stream()
          .flatMap(section -> section.figures().stream())
          .map(Figure::table)
          .limit(1)
          .forEach(tables::add);
    }
    ranked.stream()
        .filter(ranking -> !ranking.rows().isEmpty())
        .map(RankingTable::brief)
        .forEach(tables::add);
    Set<String> explained =
        report.answer().recommended().stream()
            .flatMap(of -> Stream.of(of.treatment(), of.baseline()))
            .collect(Collectors.toSet());
    Table why = report.reasons().table(ranked, explained);
    if (!why.rows().isEmpty()) {
      tables.add(why);
    }
    int hidden = 0;
    for (Table table : tables) {
      List<List<String>> rows = TerminalTable.plain(table, width);
      int room = last - lines.size() - 1;
      int shown = fitting(rows, room);
      if (shown < rows.size()) {
        shown = fitting(rows, room - 1);
      }
      if (shown < Math.min(rows.size(), 1 + MIN_ROWS)) {
        hidden++;
        continue;
      }
      lines.add("");
      rows.subList(0, shown).forEach(lines::addAll);
      if (shown < rows.size()) {
        lines.add("  … more rows in the report");
      }
    }
    if (hidden > 0 && lines.size() < last) {
      lines.add("  … %d more %s in the report".formatted(hidden, hidden == 1 ? "table" : "tables"));
    }
  }

  /** Number of the first rows that have room, each of which may take several lines. */
  private static int fitting(List<List<String>> rows, int room) {
    int shown = 0;
    int used = 0;
    while (shown < rows.size() && used + rows.get(shown).size() <= room) {
      used += rows.get(shown).size();
      shown++;
    }
    return shown;
  }

  /** Every section and finding that the summary leaves out, for {@code --verbose}. */
  public static String details(RunReport report, int width, TerminalTable.Rules rules) {
    StringBuilder out = new StringBuilder(TerminalPage.findings(report.findings(), width));
    List<Table> tables = new ArrayList<>();
    for (Section section : RunPage.of(report).sections()) {
      out.append(TerminalPage.section(section, width, rules, tables));
    }
    String notes = TerminalTable.notes(tables, width);
    return out.append(notes.isEmpty() ? "" : "\n" + notes + "\n").toString();
  }
}
