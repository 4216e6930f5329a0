package io.pyrometer.report;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import com.github.freva.asciitable.OverflowBehaviour;
import java.util.ArrayList;
import java.util.List;

/** A table as lines of text that fit a terminal. */
public final class TerminalTable {
  /** Below this a column of words is no longer readable, so it stays. */
  private static final int NARROWEST = 10;

  /** How rules are drawn. */
  public enum Rules {
    ASCII,
    UNICODE
  }

  private TerminalTable() {}

  /** The table with ASCII rules. */
  public static String render(Table table, int width) {
    return render(table, width, Rules.ASCII);
  }

  /**
   * The table, and below it why figures are absent; the widest columns are wrapped until it fits.
   *
   * @param width of the terminal in characters
   */
  public static String render(Table table, int width, Rules rules) {
    int[] widths = fit(naturalWidths(table), width);
    List<ColumnData<List<String>>> columns = new ArrayList<>();
    for (int c = 0; c < widths.length; c++) {
      int column = c;
      HorizontalAlign align =
          table.alignment().get(c) == Table.Align.LEFT
              ? HorizontalAlign.LEFT
              : HorizontalAlign.RIGHT;
      columns.add(
          new Column()
              .header(table.header().get(c))
              .headerAlign(align)
              .dataAlign(align)
              .maxWidth(widths[c] + 2, OverflowBehaviour.NEWLINE)
              .with(row -> row.get(column)));
    }
    return AsciiTable.builder().border(border(rules)).data(table.rows(), columns).asString()
        + table.note().map(note -> "\n" + TerminalPage.wrapped(note, "  ", width)).orElse("");
  }

  private static Character[] border(Rules rules) {
    Character[] border = AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER.clone();
    for (int i = 0; i < border.length && rules == Rules.UNICODE; i++) {
      border[i] = border[i] == null ? null : drawn(border[i]);
    }
    return border;
  }

  private static char drawn(char ascii) {
    return switch (ascii) {
      case '-' -> '─';
      case '|' -> '│';
      case '+' -> '┼';
      default -> ascii;
    };
  }

  private static int[] naturalWidths(Table table) {
    int[] widths = new int[table.header().size()];
    for (int c = 0; c < widths.length; c++) {
      int column = c;
      int cells = table.rows().stream().mapToInt(row -> length(row.get(column))).max().orElse(0);
      widths[c] = Math.max(1, Math.max(cells, length(table.header().get(c))));
    }
    return widths;
  }

  /** Takes from the widest column, character by character, until the line fits. */
  private static int[] fit(int[] widths, int width) {
    int excess = -width - 1;
    for (int w : widths) {
      excess += w + 3;
    }
    while (excess-- > 0) {
      int widest = 0;
      for (int c = 1; c < widths.length; c++) {
        widest = widths[c] > widths[widest] ? c : widest;
      }
      if (widths[widest] <= NARROWEST) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
