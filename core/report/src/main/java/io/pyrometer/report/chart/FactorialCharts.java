package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.factorial.AliasChain;
import io.pyrometer.analysis.factorial.CellMean;
import io.pyrometer.analysis.factorial.FactorialEffects;
import io.pyrometer.analysis.factorial.FactorialEffects.Effect;
import io.pyrometer.analysis.factorial.Lenth;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The figures of a factorial experiment: effects by size, what is aliased, and means by the levels
 * of one factor, or of two, as small multiples on one scale.
 */
public final class FactorialCharts {
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

  private static final int HEIGHT = 190;

  private static final String FRAME =
      """
      {"multiples": {"width": 230, "height": 190},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "title": [], "grid": [], "xAxis": [], "yAxis": [], "series": []}
      """;
  private static final String X_AXIS =
      """
      {"type": "category", "axisTick": {"show": false}, "axisLabel": {"color": "var(--ink)"}}
      """;
  private static final String Y_AXIS =
      """
      {"type": "value", "scale": true, "splitNumber": 3, "axisLabel": {"formatter": "fn:short"}}
      """;
  private static final String LINE =
      """
      {"type": "line", "symbol": "circle", "symbolSize": 8, "z": 3, "lineStyle": {"width": 2},
       "endLabel": {"show": false}, "labelLayout": {"moveOverlap": "shiftY"}}
      """;
  private static final String INTERVALS =
      """
      {"type": "custom", "renderItem": "fn:verticalInterval", "silent": true, "z": 2,
       "encode": {"x": 0, "y": [1, 2]}}
      """;

  private FactorialCharts() {}

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
        .text("Effect", FactorialCharts::chain)
        .text("Means", effect -> means(found, effect))
        .formatted(ratio ? "Change, ratio" : "Change", effect -> change(found, effect))
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

  /** A main effect with its direction. */
  private static String means(FactorialEffects found, Effect effect) {
    String name = effect.chain().first().name();
    return found.data().design().factors().stream()
        .filter(factor -> factor.name().equals(name))
        .map(factor -> "%s, %s against %s".formatted(name, factor.high(), factor.low()))
        .findFirst()
        .orElse(name);
  }

  private static String change(FactorialEffects found, Effect effect) {
    return found.options().scale() == ResponseScale.LN
        ? Numbers.ratio(effect.change())
        : Numbers.estimate(effect.change());
  }

  private static String rivals(AliasChain chain) {
    return chain.rivals(2).stream()
        .map(term -> (term.sign() < 0 ? "−" : "") + term.name())
        .collect(Collectors.joining(", "));
  }

  /** The aliases of each effect; a table alone. */
  public static Figure aliases(String caption, FactorialEffects found) {
    return new MetricTable<AliasChain>()
        .text("Chain", AliasChain::letters)
        .text("Simplest", chain -> chain.first().name())
        .text("Aliased with", FactorialCharts::rivals)
        .figure(caption, found.data().design().aliasChains());
  }

  private static String name(Effect effect) {
    return effect.chain().first().letters() + "  " + effect.chain().first().name();
  }

  private static String tip(FactorialEffects found, Effect effect) {
    return "%s\nchange %s\n%s of the variation"
        .formatted(name(effect), change(found, effect), Numbers.percent(effect.share()));
  }

  /** Means at the levels of each factor. */
  public static Figure mainMeans(String caption, List<CellMean> means) {
    Map<String, List<CellMean>> byFactor = new LinkedHashMap<>();
    for (CellMean mean : means) {
      String factor = mean.levels().keySet().iterator().next();
      byFactor.computeIfAbsent(factor, f -> new ArrayList<>()).add(mean);
    }
    ObjectNode option = Options.of(FRAME);
    double[] range = range(means);
    byFactor.forEach(
        (factor, cells) -> {
          int i = frame(option, factor, levels(cells, factor), range);
          line(option, i, "", cells, "var(--s1)");
        });
    return Figure.of(caption, chart(option, byFactor.size()), table(means));
  }

  /** The means of pairs of factors: lines that are not parallel are interactions. */
  public static Figure interactionMeans(String caption, List<List<CellMean>> pairs) {
    ObjectNode option = Options.of(FRAME);
    ((ObjectNode) option.get("multiples")).put("right", 40);
    List<CellMean> all = pairs.stream().flatMap(List::stream).toList();
    double[] range = range(all);
    for (List<CellMean> cells : pairs) {
      List<String> factors = List.copyOf(cells.get(0).levels().keySet());
      String across = factors.get(0);
      String lines = factors.get(1);
      int i = frame(option, across + " × " + lines, levels(cells, across), range);
      int colour = 1;
      for (String level : levels(cells, lines)) {
        List<CellMean> of =
            cells.stream().filter(cell -> level.equals(cell.levels().get(lines))).toList();
        line(option, i, level, of, "var(--s" + colour++ + ")");
      }
    }
    return Figure.of(caption, chart(option, pairs.size()), table(all));
  }

  private static Chart chart(ObjectNode option, int multiples) {
    return new Chart(option, HEIGHT * ((multiples + 3) / 4));
  }

  private static Set<String> levels(List<CellMean> cells, String factor) {
    Set<String> levels = new LinkedHashSet<>();
    cells.forEach(cell -> levels.add(String.valueOf(cell.levels().get(factor))));
    return levels;
  }

  /** One scale for all, so that a steep line is a large effect everywhere. */
  private static double[] range(List<CellMean> cells) {
    double low = cells.stream().mapToDouble(cell -> cell.mean().low()).min().orElse(0);
    double high = cells.stream().mapToDouble(cell -> cell.mean().high()).max().orElse(1);
    double room = 0.05 * (high - low);
    return new double[] {low - room, high + room};
  }

  private static int frame(ObjectNode option, String title, Set<String> levels, double[] range) {
    int i = option.get("grid").size();
    Options.array(option, "title").addObject().put("text", title);
    Options.array(option, "grid").addObject();
    ObjectNode x = Options.of(X_AXIS).put("gridIndex", i);
    levels.forEach(Options.data(x)::add);
    Options.array(option, "xAxis").add(x);
    ObjectNode y = Options.of(Y_AXIS).put("gridIndex", i);
    y.put("min", Options.number(range[0])).put("max", Options.number(range[1]));
    ((ObjectNode) y.get("axisLabel")).put("showMinLabel", false).put("showMaxLabel", false);
    Options.array(option, "yAxis").add(y);
    return i;
  }

  private static void line(
      ObjectNode option, int grid, String name, List<CellMean> cells, String colour) {
    ObjectNode line = Options.of(LINE).put("name", name);
    ObjectNode intervals = Options.of(INTERVALS);
    ArrayNode means = Options.data(line);
    ArrayNode ends = Options.data(intervals);
    for (int x = 0; x < cells.size(); x++) {
      Estimate mean = cells.get(x).mean();
      ObjectNode point = means.addObject();
      point.set("value", Options.tuple(x, mean.value()));
      point.put("tip", words(cells.get(x)) + "\n" + Numbers.estimateWithUnit(mean));
      if (mean.hasInterval()) {
        ends.add(Options.tuple(x, mean.low(), mean.high()));
      }
    }
    for (ObjectNode series : List.of(line, intervals)) {
      series.put("xAxisIndex", grid).put("yAxisIndex", grid);
      series.putObject("itemStyle").put("color", colour);
      Options.array(option, "series").add(series);
    }
    if (!name.isEmpty()) {
      ((ObjectNode) line.get("endLabel"))
          .put("show", true)
          .put("formatter", "{a}")
          .put("color", colour)
          .put("fontSize", 11);
    }
  }

  private static String words(CellMean cell) {
    StringBuilder words = new StringBuilder();
    cell.levels()
        .forEach((factor, level) -> words.append(factor).append(' ').append(level).append(", "));
    return words.substring(0, words.length() - 2);
  }

  private static Table table(List<CellMean> cells) {
    return new MetricTable<CellMean>("no interval: without replicates the noise is not measured")
        .text("Levels", FactorialCharts::words)
        .formatted("Mean", cell -> Numbers.shorten(cell.mean().value(), 4))
        .formatted("Interval", cell -> Numbers.interval(cell.mean()))
        .of(cells);
  }
}
