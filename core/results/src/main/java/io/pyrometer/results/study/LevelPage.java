package io.pyrometer.results.study;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.factorial.LevelEffects;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.MeansCharts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sections of an experiment with factors of any number of levels. */
final class LevelPage {
  private LevelPage() {}

  static List<Section> of(LevelEffects found) {
    String unit = found.options().unit();
    return List.of(
        new Section(
            "means",
            "Means",
            "The others averaged evenly; all panels share one scale.",
            List.of(
                MeansCharts.main(
                    "Mean at each level" + (unit.isEmpty() ? "" : " in " + unit),
                    found.levelMeans()))),
        new Section(
            "variation",
            "Allocation of variation",
            "",
            List.of(
                IntervalChart.shares("Share of the variation", shares(found)),
                Figure.of("Analysis of variance", terms(found)))));
  }

  private static Map<String, Double> shares(LevelEffects found) {
    Map<String, Double> shares = new LinkedHashMap<>();
    found.terms().forEach(term -> shares.put(term.name(), term.share()));
    shares.put("unexplained", found.error() / found.total());
    return shares;
  }

  private static Table terms(LevelEffects found) {
    List<List<String>> rows =
        found.terms().stream()
            .map(
                term ->
                    List.of(
                        term.name(),
                        String.valueOf(term.degreesOfFreedom()),
                        Numbers.percent(term.share()),
                        term.f().isPresent()
                            ? Numbers.shorten(term.f().getAsDouble())
                            : Table.ABSENT,
                        term.p().isPresent() ? Figures.bareP(term.p().getAsDouble()) : Table.ABSENT,
                        term.active() ? "yes" : "no"))
            .toList();
    return Table.of(
            List.of("Term", "Degrees of freedom", "Variation", "F", "p", "Significant"), 1, rows)
        .withAbsent("no test: without replicates there is no error to compare with");
  }
}
