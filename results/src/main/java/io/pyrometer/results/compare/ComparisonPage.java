package io.pyrometer.results.compare;

import io.pyrometer.analysis.comparison.Comparison;
import io.pyrometer.analysis.comparison.GateResult.Outcome;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.Charts;
import io.pyrometer.report.chart.Ranked;
import io.pyrometer.results.compare.RunComparison.Row;
import io.pyrometer.results.run.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A comparison as a page: whether there is harm first, then every treatment. */
public final class ComparisonPage {
  private final RunComparison found;

  private ComparisonPage(RunComparison found) {
    this.found = found;
  }

  /**
   * @param command as typed, to make the page again
   */
  public static Page of(RunComparison found, String command) {
    ComparisonPage page = new ComparisonPage(found);
    List<Section> sections = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      if (found.rows().stream().anyMatch(row -> row.metric() == metric)) {
        sections.add(page.metric(metric));
      }
    }
    sections.add(page.runs());
    return new Page(
        "compare",
        "Is %s worse than %s?"
            .formatted(found.runs().size() == 2 ? "B" : "any other run", RunComparison.letter(0)),
        found.margins().origin(),
        ComparisonFindings.of(found),
        sections,
        List.of(new Page.Command("Compare again", command)));
  }

  private Section metric(Metric metric) {
    List<Row> rows = found.rows().stream().filter(row -> row.metric() == metric).toList();
    List<Ranked> points =
        rows.stream()
            .map(
                row ->
                    new Ranked(
                        named(row), row.comparison().ratio(), Optional.empty(), verdict(row)))
            .toList();
    return new Section(
        metric.name().toLowerCase(Locale.ROOT),
        Character.toUpperCase(metric.label().charAt(0)) + metric.label().substring(1),
        lead(metric),
        List.of(
            Charts.ranking("Ratio to A of " + metric.label() + ", with its interval", "×", points),
            Exhibit.of("All figures", table(metric, rows))));
  }

  private String lead(Metric metric) {
    String better = metric == Metric.CPU ? "Less is better." : "More is better.";
    return better
        + " The verdict comes from the interval of the ratio against the smallest relevant"
        + " difference, %s. Harm is told for all rows together: p, corrected for their number, is"
            .formatted(Numbers.percent(found.margins().of(metric)))
        + " below 0.01 and the loss is beyond that difference.";
  }

  private String named(Row row) {
    return found.runs().size() == 2
        ? row.treatment()
        : row.treatment() + " in " + RunComparison.letter(row.candidate());
  }

  static String verdict(Row row) {
    return switch (row.comparison().verdict()) {
      case BETTER -> "better";
      case WORSE -> "worse";
      case NO_RELEVANT_DIFFERENCE -> "no relevant difference";
      case NOT_ENOUGH_RUNS -> "not enough runs" + further(row.comparison());
    };
  }

  private static String further(Comparison comparison) {
    return comparison.furtherRuns().isPresent()
        ? " (about %d more)".formatted(comparison.furtherRuns().getAsInt())
        : "";
  }

  private static Table table(Metric metric, List<Row> rows) {
    List<List<String>> cells = new ArrayList<>();
    for (Row row : rows) {
      Comparison c = row.comparison();
      cells.add(
          List.of(
              row.treatment(),
              RunComparison.letter(row.candidate()),
              Numbers.shorten(c.baseline().value()),
              Numbers.shorten(c.candidate().value()),
              Numbers.ratio(c.ratio()),
              c.ratio().replicates() + (c.paired() ? " pairs" : " each"),
              verdict(row),
              row.gate().map(gate -> Numbers.shorten(gate.p())).orElse("–"),
              harm(row.outcome())));
    }
    List<String> header =
        List.of(
            "treatment",
            "run",
            "A, " + metric.unit(),
            "this, " + metric.unit(),
            "ratio to A",
            "runs",
            "verdict",
            "p of harm",
            "harm");
    Table.Align l = Table.Align.LEFT;
    Table.Align r = Table.Align.RIGHT;
    return new Table(header, cells, List.of(l, l, r, r, r, r, l, r, l));
  }

  private static String harm(Outcome outcome) {
    return switch (outcome) {
      case PASS -> "none";
      case HARM -> "harm";
      case NOT_ENOUGH_RUNS -> "not told";
    };
  }

  private Section runs() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < found.runs().size(); i++) {
      RunRecord run = found.runs().get(i);
      rows.add(
          List.of(
              RunComparison.letter(i),
              String.valueOf(run.folder().path().getFileName()),
              "./pyrometer " + String.join(" ", run.plan().arguments()),
              String.valueOf(run.blocksSeen()),
              String.valueOf(run.plan().seed()),
              run.environment().commit().isEmpty() ? "–" : run.environment().commit(),
              run.environment().taken()));
    }
    return new Section(
        "runs",
        "The runs",
        "",
        List.of(
            Exhibit.of(
                "What is compared",
                Table.ofWords(
                    List.of("", "run", "made by", "blocks", "seed", "commit", "begun"), rows))));
  }
}
