package io.pyrometer.report.chart;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.scalability.LawFit;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.Scalability.Prediction;
import io.pyrometer.report.Chart;
import io.pyrometer.report.Chart.Axis;
import io.pyrometer.report.Chart.Kind;
import io.pyrometer.report.Figure;
import io.pyrometer.report.MetricTable;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Table;
import java.util.List;
import java.util.function.Predicate;

/** The figures of a scalability analysis. */
public final class ScalabilityCharts {
  private ScalabilityCharts() {}

  /** Measured throughput against N with the chosen model, its interval and its extrapolation. */
  public static Figure fit(String caption, Scalability found) {
    List<List<Object>> measured =
        found.chosen().points().stream()
            .map(
                point ->
                    Chart.point(
                        point.n(),
                        Estimate.unreplicated(point.observed(), found.options().unit()),
                        tip(found, point)))
            .toList();
    Chart chart =
        new Chart(
            Kind.FIT,
            Axis.linear(found.options().name()),
            Axis.linear(found.options().unit()),
            List.of(
                new Chart.Series("measured", measured),
                new Chart.Series("fit", curve(found, p -> !p.extrapolated())),
                new Chart.Series("extrapolated", curve(found, p -> p.n() >= found.largestN()))));
    return Figure.of(caption, chart, points(found));
  }

  private static List<List<Object>> curve(Scalability found, Predicate<Prediction> part) {
    return found.curve().stream()
        .filter(part)
        .map(prediction -> Chart.point(prediction.n(), prediction.throughput(), ""))
        .toList();
  }

  private static String tip(Scalability found, LawFit.Point point) {
    String unit = found.options().unit();
    return "%s %s\nmeasured %s %s\nfitted %s"
        .formatted(
            Numbers.shorten(point.n()),
            found.options().name(),
            Numbers.whole(point.observed()),
            unit,
            Numbers.whole(point.fitted()));
  }

  private static Table points(Scalability found) {
    return new MetricTable<LawFit.Point>("no interval: too few points")
        .formatted(found.options().name(), point -> Numbers.shorten(point.n()))
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
    return new MetricTable<LawFit>("")
        .text("Model", fit -> name(found, fit))
        .text("X(N)", fit -> fit.model().formula())
        .formatted(found.criterionName(), fit -> Numbers.fixed(found.criterion(fit), 3))
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
