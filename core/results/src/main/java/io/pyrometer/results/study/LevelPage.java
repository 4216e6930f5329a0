package io.pyrometer.results.study;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.factorial.LevelEffects;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.MeansCharts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;

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
                terms().figure("Analysis of variance", found.terms()))));
  }

  private static Map<String, Double> shares(LevelEffects found) {
    Map<String, Double> shares = new LinkedHashMap<>();
    found.terms().forEach(term -> shares.put(term.name(), term.share()));
    shares.put("unexplained", found.error() / found.total());
    return shares;
  }

  private static MetricTable<LevelEffects.Term> terms() {
    return new MetricTable<LevelEffects.Term>(
            "no test: without replicates there is no error to compare with")
        .text("Term", LevelEffects.Term::name)
        .count("Degrees of freedom", LevelEffects.Term::degreesOfFreedom)
        .formatted("Variation", term -> Numbers.percent(term.share()))
        .formatted("F", term -> orAbsent(term.f(), Numbers::shorten))
        .formatted("p", term -> orAbsent(term.p(), Figures::bareP))
        .formatted("Significant", term -> term.active() ? "yes" : "no");
  }

  private static String orAbsent(OptionalDouble figure, DoubleFunction<String> words) {
    return figure.isPresent() ? words.apply(figure.getAsDouble()) : Table.ABSENT;
  }
}
