package io.pyrometer.cli;

import io.pyrometer.journal.RunException;
import io.pyrometer.report.Table;
import io.pyrometer.report.TerminalPage;
import io.pyrometer.report.TerminalTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Output in the terminal. */
final class Console {
  private static final int NO_TERMINAL_COLUMNS = 100;
  private static final int NARROWEST = 60;
  private static final int MAX_COLUMNS = 100;

  private Console() {}

  /** Returns whether standard output is a terminal, as the start script found. */
  static boolean terminal() {
    return Boolean.getBoolean("pyrometer.terminal");
  }

  /**
   * Asks a question, if the start script found that somebody can answer it.
   *
   * @param refused what is said if the answer is not yes
   * @throws RunException if it is not
   */
  static void confirm(String question, String refused, PrintWriter err) {
    if (Boolean.getBoolean("pyrometer.interactive")) {
      ask(question, refused, new InputStreamReader(System.in, StandardCharsets.UTF_8), err);
    }
  }

  static void ask(String question, String refused, Reader answers, PrintWriter err) {
    err.print(question + " [y/N] ");
    err.flush();
    try {
      String answer = new BufferedReader(answers).readLine();
      if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
        throw new RunException(refused);
      }
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    }
  }

  static int columns() {
    int columns = Integer.getInteger("pyrometer.columns", NO_TERMINAL_COLUMNS);
    return columns < NARROWEST ? NO_TERMINAL_COLUMNS : columns;
  }

  /** Prints a sentence in lines no longer than the terminal. */
  static void say(PrintWriter out, String sentence) {
    out.println(TerminalPage.wrapped(sentence, "  ", columns()));
  }

  static void table(PrintWriter out, Table table) {
    out.println(TerminalTable.render(table, columns(), rules()));
  }

  /** Rows of a name, a short value and a text that wraps in its column; at most 100 columns. */
  static void list(PrintWriter out, List<List<String>> rows) {
    int names = rows.stream().mapToInt(row -> row.get(0).length()).max().orElse(0);
    int values = rows.stream().mapToInt(row -> row.get(1).length()).max().orElse(0);
    String head = "  %-" + names + "s  %" + values + "s  ";
    rows.forEach(row -> paragraph(out, head.formatted(row.get(0), row.get(1)), row.get(2)));
  }

  /** Prints a text that wraps beside its head. */
  static void paragraph(PrintWriter out, String head, String text) {
    String wrapped = TerminalPage.wrapped(text, "", textColumns() - head.length());
    out.println(head + wrapped.replace("\n", "\n" + " ".repeat(head.length())));
  }

  /** The width of texts; longer lines are hard to read. */
  static int textColumns() {
    return Math.min(MAX_COLUMNS, columns());
  }

  static TerminalTable.Rules rules() {
    return terminal() ? TerminalTable.Rules.UNICODE : TerminalTable.Rules.ASCII;
  }

  /** {@code 4:05}, minutes and seconds. */
  static String time(double seconds) {
    long whole = Math.round(seconds);
    return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }

  /** {@code 5 min}, or {@code 40 s}. */
  static String shortTime(double seconds) {
    return seconds < 100 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min";
  }
}
