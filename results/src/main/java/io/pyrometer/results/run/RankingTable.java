package io.pyrometer.results.run;

import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A job's ranking as a table. */
public final class RankingTable {
  private RankingTable() {}

  public static Table of(Ranking ranking) {
    List<List<String>> rows = new ArrayList<>();
    for (Ranking.Row row : ranking.rows()) {
      rows.add(
          List.of(
              row.label(),
              Words.promises(row.guarantee()),
              row.probed().harmed(ProbeKind.ORDER),
              row.probed().harmed(ProbeKind.READ),
              row.probed().harmed(ProbeKind.KILL),
              Numbers.shorten(row.throughput().value()),
              row.ratio().map(Numbers::ratio).orElse("1"),
              row.published().map(p -> Numbers.shorten(p.value())).orElse(""),
              row.cpuMicros().map(e -> Numbers.shorten(e.value())).orElse("–"),
              micros(row.p50()),
              micros(row.p99()),
              String.join("; ", row.marks())));
    }
    for (Ranking.Unranked row : ranking.unranked()) {
      rows.add(List.of(row.label(), "", "", "", "", "–", "–", "", "–", "–", "–", row.why()));
    }
    String against = ranking.baseline().isEmpty() ? "ratio" : "× " + ranking.baseline();
    List<String> header =
        List.of(
            "path",
            "promises",
            "harmed keys",
            "stale reads",
            "harmed by a kill",
            "records/s",
            against,
            "published ratio",
            "CPU µs/record",
            "p50/call",
            "p99/call",
            "marks");
    Table.Align l = Table.Align.LEFT;
    Table.Align r = Table.Align.RIGHT;
    return narrowed(new Table(header, rows, List.of(l, l, r, r, r, r, r, r, r, r, r, l)));
  }

  private static String micros(Optional<Double> value) {
    return value.map(Numbers::micros).orElse("–");
  }

  /** Without the columns that are empty throughout. */
  private static Table narrowed(Table table) {
    List<Integer> kept = new ArrayList<>();
    for (int c = 0; c < table.header().size(); c++) {
      int column = c;
      if (table.rows().stream().anyMatch(row -> !row.get(column).isEmpty())) {
        kept.add(c);
      }
    }
    return new Table(
        kept.stream().map(table.header()::get).toList(),
        table.rows().stream().map(row -> kept.stream().map(row::get).toList()).toList(),
        kept.stream().map(table.alignment()::get).toList());
  }

  /** What a path promises, in words; empty for one that does not write. */
  public static String promises(Optional<Guarantee> guarantee) {
    return Words.promises(guarantee);
  }

  /** The job's title, for a heading. */
  public static String title(Ranking ranking) {
    return Words.title(ranking.job());
  }
}
