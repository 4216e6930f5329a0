package io.pyrometer.results.study;

import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.Samples;
import io.pyrometer.analysis.factorial.Effect;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.TwoLevelDesign;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.EffectCharts;
import io.pyrometer.report.chart.IntervalChart;
import io.pyrometer.report.chart.MeansCharts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The sections of a two-level experiment. */
final class TwoLevelPage {
  private TwoLevelPage() {}

  static List<Section> of(FactorialEffects found) {
    return List.of(effects(found), means(found), variation(found), design(found));
  }

  private static Section effects(FactorialEffects found) {
    String judged =
        found.replicated()
            ? "An effect is significant where its p, adjusted for all effects, is below 0.05."
            : "Nothing was replicated: an effect is significant where it passes Lenth's margin of error (ME).";
    return new Section(
        "effects", "Effects", judged, List.of(EffectCharts.pareto("Effects by size", found)));
  }

  private static Section means(FactorialEffects found) {
    String unit = found.options().unit();
    String what =
        (found.options().scale() == ResponseScale.LN ? "Geometric mean" : "Mean")
            + (unit.isEmpty() ? "" : " in " + unit);
    List<Figure> figures = new ArrayList<>();
    figures.add(MeansCharts.main(what + " at each level", found.mainMeans()));
    if (!found.interactionMeans().isEmpty()) {
      figures.add(
          MeansCharts.interactions(
              what + " of each pair of factors: the first across, the second by lines",
              found.interactionMeans()));
    }
    return new Section(
        "means",
        "Means",
        "All panels share one scale. Lines that are not parallel are interactions, or what is aliased with them.",
        figures);
  }

  private static Section variation(FactorialEffects found) {
    Map<String, Double> shares = new LinkedHashMap<>();
    Map<String, Double> plain = new LinkedHashMap<>();
    Map<String, Double> untransformed = found.untransformedShares();
    for (Effect effect : found.effects()) {
      String letters = effect.chain().first().letters();
      String name = letters + "  " + effect.chain().first().name();
      shares.put(name, effect.share());
      plain.put(name, untransformed.getOrDefault(letters, 0.0));
    }
    if (found.replicated()) {
      shares.put("blocks", found.blocks() / found.total());
      shares.put("unexplained", found.unexplained());
    }
    List<Figure> figures = new ArrayList<>();
    if (found.options().scale() == ResponseScale.LN) {
      figures.add(IntervalChart.shares("Variation of the logarithm, by what it is due to", shares));
    }
    figures.add(
        IntervalChart.shares("Variation of the response itself, as papers allocate it", plain));
    return new Section("variation", "Allocation of variation", "", figures);
  }

  private static Section design(FactorialEffects found) {
    TwoLevelDesign design = found.data().design();
    double[][] responses = found.data().responses();
    List<Figure> figures = new ArrayList<>();
    figures.add(
        levels(design)
            .formatted(
                found.options().response(), run -> Numbers.whole(Samples.mean(responses[run])))
            .formatted("Expected of an outlying run", run -> expected(found, run))
            .figure("The runs", runs(design)));
    if (design.resolution() > 0) {
      figures.add(EffectCharts.aliases("Effects that these runs cannot separate", found));
    }
    if (design.resolution() == 3) {
      figures.add(
          levels(design.foldover())
              .figure(
                  "The foldover: further runs that separate main effects from interactions of two",
                  runs(design)));
    }
    String lead =
        design.resolution() == 0
            ? "All combinations were run, so no effect is mixed with another."
            : "%d runs of resolution %d, %s."
                .formatted(design.runs(), design.resolution(), design.definingRelation());
    return new Section("design", "The design", lead, figures);
  }

  private static List<Integer> runs(TwoLevelDesign design) {
    return IntStream.range(0, design.runs()).boxed().toList();
  }

  /** The number of each run and its levels. */
  private static MetricTable<Integer> levels(TwoLevelDesign design) {
    MetricTable<Integer> table =
        new MetricTable<Integer>().text("Run", run -> String.valueOf(run + 1));
    design
        .factors()
        .forEach(f -> table.text(f.name(), r -> design.levels(r).getOrDefault(f.name(), "")));
    return table;
  }

  private static String expected(FactorialEffects found, int run) {
    return found.outlyingRuns().stream()
        .filter(outlying -> outlying.run() == run)
        .findFirst()
        .map(outlying -> Numbers.whole(outlying.expected()))
        .orElse("");
  }
}
