package io.pyrometer.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table as lines of text that fit a terminal: cells are wrapped between words, then after hyphens
 * and slashes, never within a word or between a number and its unit.
 */
public final class TerminalTable {
  private static final String WORDS = " (?=\\[)|(?<![0-9]) ";
  private static final String PIECES = "(?<=[A-Za-z][-/_.:=+])(?=[A-Za-z])";

  /** How rules are drawn. */
  public enum Rules {
    ASCII("|", "-", "+"),
    UNICODE("│", "─", "┼"),
    NONE("", "", "");

    private final String bar;
    private final String line;
    private final String cross;

    Rules(String bar, String line, String cross) {
      this.bar = bar;
      this.line = line;
      this.cross = cross;
    }
  }

  private TerminalTable() {}

  /**
   * The table without rules and notes: columns are separated by spaces.
   *
   * @return the lines of the header, then those of each row
   */
  public static List<List<String>> plain(Table table, int width) {
    Table shown = fitted(table, width, Rules.NONE);
    int[] widths = widths(shown, room(shown, width, Rules.NONE));
    return Stream.concat(Stream.of(shown.header()), shown.rows().stream())
        .map(
            row ->
                lines(shown, row, widths, Rules.NONE).stream()
                    .map(line -> " " + line.stripTrailing())
                    .toList())
        .toList();
  }

  /**
   * The table without its notes, and without columns next to the last for which there is no room.
   *
   * @param width of the terminal in characters
   */
  public static String render(Table table, int width, Rules rules) {
    Table shown = fitted(table, width, rules);
    int[] widths = widths(shown, width);
    List<String> lines = new ArrayList<>(lines(shown, shown.header(), widths, rules));
    lines.add(
        Arrays.stream(widths)
            .mapToObj(w -> rules.line.repeat(w + 2))
            .collect(Collectors.joining(rules.cross)));
    shown.rows().forEach(row -> lines.addAll(lines(shown, row, widths, rules)));
    List<String> left =
        table.header().stream().filter(column -> !shown.header().contains(column)).toList();
    if (!left.isEmpty()) {
      String without = "(too narrow for: %s)".formatted(String.join(", ", left));
      lines.add(TerminalPage.wrapped(without, "  ", width));
    }
    return String.join("\n", lines);
  }

  /**
   * The table without columns next to the last for which there is no room, and without rows that
   * say nothing more then.
   */
  private static Table fitted(Table table, int width, Rules rules) {
    Table shown = table;
    while (total(widths(shown, room(shown, width, rules))) > room(shown, width, rules)
        && shown.header().size() > 2) {
      shown = shown.without(shown.header().size() - 2);
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> before = List.of();
    for (List<String> row : shown.rows()) {
      if (shown.header().size() == table.header().size() || !repeats(row, before)) {
        rows.add(row);
      }
      before = row;
    }
    return new Table(shown.header(), rows, shown.alignment());
  }

  /** A line has one rule less than columns; that of a plain table has none. */
  private static int room(Table table, int width, Rules rules) {
    return rules == Rules.NONE ? width + table.header().size() - 1 : width;
  }

  /**
   * Returns whether a row repeats the one before or leaves cells empty, so that it says nothing
   * more.
   */
  private static boolean repeats(List<String> row, List<String> before) {
    return row.size() == before.size()
        && IntStream.range(0, row.size())
            .allMatch(c -> row.get(c).isEmpty() || row.get(c).equals(before.get(c)));
  }

  /** The notes of some tables, each once; empty without any. */
  public static String notes(List<Table> tables, int width) {
    return tables.stream()
        .flatMap(table -> table.notes().stream())
        .distinct()
        .map(note -> TerminalPage.wrapped(note, "  ", width))
        .collect(Collectors.joining("\n"));
  }

  private static List<String> lines(Table table, List<String> row, int[] widths, Rules rules) {
    List<List<String>> cells =
        IntStream.range(0, widths.length).mapToObj(c -> wrapped(row.get(c), widths[c])).toList();
    int height = cells.stream().mapToInt(List::size).max().orElse(0);
    return IntStream.range(0, height)
        .mapToObj(
            line ->
                IntStream.range(0, widths.length)
                    .mapToObj(
                        c -> {
                          List<String> cell = cells.get(c);
                          String text = line < cell.size() ? cell.get(line) : "";
                          String room = " ".repeat(Math.max(0, widths[c] - length(text)));
                          return table.alignment().get(c) == Table.Align.LEFT
                              ? " " + text + room + " "
                              : " " + room + text + " ";
                        })
                    .collect(Collectors.joining(rules.bar)))
        .toList();
  }

  /** Natural widths; until the line fits, the widest column gives way down to its longest piece. */
  private static int[] widths(Table table, int width) {
    int[] widths = each(table, TerminalTable::length);
    for (int[] least :
        List.of(
            each(table, cell -> longest(cell.split(WORDS, -1))),
            each(table, cell -> longest(pieces(cell))))) {
      while (total(widths) > width) {
        int widest = -1;
        for (int c = 0; c < widths.length; c++) {
          if (widths[c] > least[c] && (widest < 0 || widths[c] > widths[widest])) {
            widest = c;
          }
        }
        if (widest < 0) {
          break;
        }
        widths[widest]--;
      }
    }
    return widths;
  }

  private static int total(int[] widths) {
    return Arrays.stream(widths).sum() + 3 * widths.length - 1;
  }

  private static int[] each(Table table, ToIntFunction<String> size) {
    return IntStream.range(0, table.header().size())
        .map(
            c ->
                Stream.concat(
                        Stream.of(table.header().get(c)), table.rows().stream().map(r -> r.get(c)))
                    .mapToInt(size)
                    .max()
                    .orElse(1))
        .map(longest -> Math.max(1, longest))
        .toArray();
  }

  private static String[] pieces(String cell) {
    return Arrays.stream(cell.split(WORDS, -1))
        .flatMap(word -> Arrays.stream(word.split(PIECES)))
        .toArray(String[]::new);
  }

  private static int longest(String[] pieces) {
    return Arrays.stream(pieces).mapToInt(TerminalTable::length).max().orElse(0);
  }

  private static List<String> wrapped(String cell, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : cell.split(WORDS, -1)) {
      String glue = line.length() > 0 ? " " : "";
      for (String piece : length(word) > width ? word.split(PIECES) : new String[] {word}) {
        if (line.length() > 0 && line.length() + glue.length() + length(piece) > width) {
          lines.add(line.toString());
          line = new StringBuilder();
          glue = "";
        }
        line.append(glue).append(piece);
        glue = "";
      }
    }
    lines.add(line.toString());
    return lines;
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
