package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain;
import io.pyrometer.analysis.factorial.Effect;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.Lenth;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.List;
import java.util.stream.Collectors;

/** The figures of a two-level experiment that are about its effects. */
public final class EffectCharts {
  private static final int ROW_HEIGHT = 28;

  private static final String PARETO =
      """
      {"grid": {"left": 4, "right": 16, "top": 28, "bottom": 34, "containLabel": true},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "value", "min": 0, "name": "size of the effect |2q|",
                 "nameLocation": "middle", "nameGap": 30,
                 "axisLabel": {"formatter": "fn:short", "hideOverlap": true}},
       "yAxis": {"type": "category", "inverse": true, "axisTick": {"show": false},
                 "axisLabel": {"color": "var(--ink)", "fontSize": 13, "interval": 0}},
       "series": [{"type": "bar", "barMaxWidth": 16, "itemStyle": {"borderRadius": [0, 3, 3, 0]},
                   "markLine": {"silent": true, "symbol": "none",
                                "lineStyle": {"color": "var(--accent)", "type": "dashed"},
                                "label": {"position": "start", "color": "var(--accent)",
                                          "formatter": "{b}"},
                                "data": []}}]}
      """;

  private EffectCharts() {}

  /** Effects by size, with Lenth's limits where nothing was replicated. */
  public static Figure pareto(String caption, FactorialEffects found) {
    ObjectNode option = Options.of(PARETO);
    ArrayNode names = Options.data((ObjectNode) option.get("yAxis"));
    ObjectNode series = Options.series(option, 0);
    ArrayNode bars = Options.data(series);
    for (Effect effect : found.effects()) {
      names.add(name(effect));
      ObjectNode bar = bars.addObject();
      bar.put("value", Options.number(Math.abs(effect.size())));
      bar.put("tip", tip(found, effect));
      bar.putObject("itemStyle").put("color", effect.active() ? "var(--s2)" : "var(--s8)");
    }
    limits(option, found);
    int height = 70 + ROW_HEIGHT * found.effects().size();
    return Figure.of(caption, new Chart(option, height), table(found));
  }

  private static void limits(ObjectNode option, FactorialEffects found) {
    if (found.replicated() || found.lenth().isEmpty()) {
      return;
    }
    Lenth lenth = found.lenth().get();
    double largest = found.effects().stream().mapToDouble(e -> Math.abs(e.size())).max().orElse(0);
    ArrayNode lines = (ArrayNode) Options.series(option, 0).get("markLine").get("data");
    lines.addObject().put("name", "ME").put("xAxis", Options.number(lenth.me()));
    boolean both = lenth.sme() < 2 * largest;
    double farthest = Math.max(largest, both ? lenth.sme() : lenth.me());
    ((ObjectNode) option.get("xAxis"))
        .put("max", Options.number(Math.ceil(1.06 * farthest * 1e3) / 1e3));
    ((ObjectNode) option.get("xAxis").get("axisLabel")).put("showMaxLabel", false);
    if (both) {
      lines.addObject().put("name", "SME").put("xAxis", Options.number(lenth.sme()));
    }
  }

  private static Table table(FactorialEffects found) {
    boolean ratio = found.options().scale() == ResponseScale.LN;
    List<String> header =
        List.of(
            "Effect",
            "Means",
            ratio ? "Low to high, ratio" : "Low to high",
            "2q",
            "Variation",
            "Variation of y",
            found.replicated() ? "p (Holm)" : "Lenth's t",
            "Significant");
    return Table.of(header, 2, found.effects().stream().map(e -> row(found, e)).toList());
  }

  private static List<String> row(FactorialEffects found, Effect effect) {
    boolean ratio = found.options().scale() == ResponseScale.LN;
    String letters = effect.chain().first().letters();
    return List.of(
        effect.chain().terms().stream()
            .map(AliasChain.Term::signed)
            .limit(4)
            .collect(Collectors.joining(" = ")),
        effect.chain().first().name(),
        ratio ? Numbers.ratio(effect.change()) : Numbers.estimate(effect.change()),
        Numbers.shorten(effect.size(), 4),
        Numbers.percent(effect.share()),
        Numbers.percent(found.untransformedShares().getOrDefault(letters, 0.0)),
        effect.adjustedP().isPresent()
            ? Figures.bareP(effect.adjustedP().getAsDouble())
            : Numbers.fixed(effect.lenthT(), 2),
        effect.active() ? "yes" : "no");
  }

  /** What each effect is aliased with; a table alone. */
  public static Figure aliases(String caption, FactorialEffects found) {
    List<List<String>> rows =
        found.data().design().aliasChains().stream()
            .map(chain -> List.of(chain.letters(), chain.first().name(), chain.inWords()))
            .toList();
    return Figure.of(caption, Table.ofWords(List.of("Chain", "Simplest", "In words"), rows));
  }

  private static String name(Effect effect) {
    return effect.chain().first().letters() + "  " + effect.chain().first().name();
  }

  private static String tip(FactorialEffects found, Effect effect) {
    String change =
        found.options().scale() == ResponseScale.LN
            ? Numbers.ratio(effect.change())
            : Numbers.estimate(effect.change());
    return name(effect)
        + "\nlow to high "
        + change
        + "\n"
        + Numbers.percent(effect.share())
        + " of the variation";
  }
}
