package io.pyrometer.report.chart;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.scalability.LawFit;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.Scalability.Prediction;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.List;

/** The figures of a scalability analysis. */
public final class ScalabilityCharts {
  private static final String FIT =
      """
      {"grid": {"left": 8, "right": 24, "top": 46, "bottom": 34, "containLabel": true},
       "legend": {"top": 0, "left": 0, "data": ["measured", "fit", "beyond the measured"]},
       "tooltip": {"trigger": "item", "confine": true, "formatter": "fn:tip"},
       "xAxis": {"type": "value", "nameLocation": "middle", "nameGap": 30, "minInterval": 1,
                 "min": 0, "max": "dataMax", "splitLine": {"show": false},
                 "axisLabel": {"showMaxLabel": false}},
       "yAxis": {"type": "value", "min": 0, "axisLabel": {"formatter": "fn:short"}},
       "series": [
         {"type": "custom", "renderItem": "fn:band", "silent": true, "z": 1, "clip": true,
          "itemStyle": {"color": "var(--band)", "opacity": 0.16}},
         {"type": "custom", "renderItem": "fn:band", "silent": true, "z": 1, "clip": true,
          "itemStyle": {"color": "var(--s8)", "opacity": 0.14}},
         {"type": "line", "name": "fit", "showSymbol": false, "silent": true, "z": 2,
          "lineStyle": {"width": 2, "color": "var(--s1)"}, "itemStyle": {"color": "var(--s1)"}},
         {"type": "line", "name": "beyond the measured", "showSymbol": false, "silent": true,
          "z": 2, "lineStyle": {"width": 2, "type": "dashed", "color": "var(--s8)"},
          "itemStyle": {"color": "var(--s8)"}},
         {"type": "scatter", "name": "measured", "symbolSize": 8, "z": 3,
          "itemStyle": {"color": "var(--s2)"}}]}
      """;
  private static final int LINE_POINTS = 120;

  private ScalabilityCharts() {}

  /** Measured throughput against N with the chosen model, its interval, and what lies beyond. */
  public static Figure fit(String caption, Scalability found) {
    ObjectNode option = Options.of(FIT);
    ((ObjectNode) option.get("xAxis")).put("name", found.options().what());
    List<Prediction> curve = found.curve();
    List<Prediction> measured = curve.stream().filter(p -> !p.extrapolated()).toList();
    List<Prediction> beyond = curve.stream().filter(p -> p.n() >= found.largestN()).toList();
    band(option, 0, measured);
    band(option, 1, beyond);
    line(option, 2, found.chosen(), measured);
    line(option, 3, found.chosen(), beyond);
    ArrayNode points = Options.data(Options.series(option, 4));
    for (LawFit.Point point : found.chosen().points()) {
      ObjectNode mark = points.addObject();
      mark.set("value", Options.tuple(point.n(), point.observed()));
      mark.put("tip", tip(found, point));
    }
    return Figure.of(caption, new Chart(option, 420), points(found));
  }

  private static void band(ObjectNode option, int which, List<Prediction> predictions) {
    ObjectNode band = Options.series(option, which);
    ArrayNode corners = band.putArray("points");
    for (Prediction p : predictions) {
      corners.add(Options.tuple(p.n(), p.throughput().low(), p.throughput().high()));
    }
    ArrayNode once = Options.data(band);
    if (!predictions.isEmpty()) {
      Prediction first = predictions.get(0);
      once.add(Options.tuple(first.n(), first.throughput().value()));
    }
  }

  /** In equal ratios of N, since the law bends most where N is small. */
  private static void line(ObjectNode option, int which, LawFit fit, List<Prediction> range) {
    ArrayNode line = Options.data(Options.series(option, which));
    if (range.isEmpty()) {
      return;
    }
    double from = range.get(0).n();
    double to = range.get(range.size() - 1).n();
    for (int i = 0; i <= LINE_POINTS; i++) {
      double n = from * Math.pow(to / from, i / (double) LINE_POINTS);
      line.add(Options.tuple(n, fit.throughput(n)));
    }
  }

  private static String tip(Scalability found, LawFit.Point point) {
    String unit = found.options().unit();
    return "%s %s\nmeasured %s %s\nfitted %s"
        .formatted(
            Numbers.shorten(point.n()),
            found.options().what(),
            Numbers.whole(point.observed()),
            unit,
            Numbers.whole(point.fitted()));
  }

  private static Table points(Scalability found) {
    return new MetricTable<LawFit.Point>("no interval: too few points")
        .formatted(found.options().what(), point -> Numbers.shorten(point.n()))
        .formatted("Measured", point -> Numbers.whole(point.observed()))
        .formatted("Fitted", point -> Numbers.whole(point.fitted()))
        .formatted("Deviation", point -> Numbers.percent(point.observed() / point.fitted() - 1))
        .formatted("95 %", point -> Numbers.interval(found.at(point.n()).throughput()))
        .of(found.chosen().points());
  }

  /** The parameters of a model with their profile intervals; a table alone. */
  public static Figure parameters(String caption, LawFit fit) {
    return new MetricTable<LawFit.Parameter>()
        .text("Parameter", LawFit.Parameter::name)
        .formatted("Value", parameter -> Numbers.shorten(parameter.estimate().value(), 6))
        .formatted("Profile interval", ScalabilityCharts::interval)
        .formatted("Standard error", parameter -> Numbers.shorten(parameter.standardError()))
        .formatted("", parameter -> parameter.estimate().unit())
        .figure(caption, fit.parameters());
  }

  private static String interval(LawFit.Parameter parameter) {
    return "[%s, %s%s]"
        .formatted(
            Numbers.shorten(parameter.estimate().low(), 5),
            Numbers.shorten(parameter.estimate().high(), 5),
            parameter.openHigh() ? " or more" : "");
  }

  /** All models that could be fitted, the chosen one first; a table alone. */
  public static Figure models(String caption, Scalability found) {
    double least = found.criterion(found.chosen());
    return new MetricTable<LawFit>("too few points for the AICc of this model")
        .text("Model", fit -> name(found, fit))
        .text("X(N)", fit -> fit.model().formula())
        .formatted(
            "AICc",
            fit ->
                fit.aicc().isPresent() ? Numbers.fixed(fit.aicc().getAsDouble(), 3) : Table.ABSENT)
        .formatted("Behind the best", fit -> Numbers.fixed(found.criterion(fit) - least, 1))
        .formatted("Explained", fit -> explained(fit.r2()))
        .figure(caption, found.fits());
  }

  private static String name(Scalability found, LawFit fit) {
    return fit.model().label() + (fit.model() == found.chosen().model() ? " (chosen)" : "");
  }

  private static String explained(double r2) {
    return r2 > 0 ? Numbers.percent(r2) : "nothing";
  }
}
