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
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
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
    return new MetricTable<Effect>()
        .text("Effect", EffectCharts::chain)
        .text("Means", effect -> effect.chain().first().name())
        .formatted(ratio ? "Low to high, ratio" : "Low to high", effect -> change(found, effect))
        .formatted("2q", effect -> Numbers.shorten(effect.size(), 4))
        .formatted("Variation", effect -> Numbers.percent(effect.share()))
        .formatted(
            "Variation of y",
            effect ->
                Numbers.percent(
                    found
                        .untransformedShares()
                        .getOrDefault(effect.chain().first().letters(), 0.0)))
        .formatted(
            found.replicated() ? "p (Holm)" : "Lenth's t",
            effect ->
                effect.adjustedP().isPresent()
                    ? Figures.bareP(effect.adjustedP().getAsDouble())
                    : Numbers.fixed(effect.lenthT(), 2))
        .formatted("Significant", effect -> effect.active() ? "yes" : "no")
        .of(found.effects());
  }

  private static String chain(Effect effect) {
    return effect.chain().terms().stream()
        .map(AliasChain.Term::signed)
        .limit(4)
        .collect(Collectors.joining(" = "));
  }

  private static String change(FactorialEffects found, Effect effect) {
    return found.options().scale() == ResponseScale.LN
        ? Numbers.ratio(effect.change())
        : Numbers.estimate(effect.change());
  }

  /** What each effect is aliased with; a table alone. */
  public static Figure aliases(String caption, FactorialEffects found) {
    return new MetricTable<AliasChain>()
        .text("Chain", AliasChain::letters)
        .text("Simplest", chain -> chain.first().name())
        .text("In words", AliasChain::inWords)
        .figure(caption, found.data().design().aliasChains());
  }

  private static String name(Effect effect) {
    return effect.chain().first().letters() + "  " + effect.chain().first().name();
  }

  private static String tip(FactorialEffects found, Effect effect) {
    return "%s\nlow to high %s\n%s of the variation"
        .formatted(name(effect), change(found, effect), Numbers.percent(effect.share()));
  }
}
