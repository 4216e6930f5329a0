package io.pyrometer.lab.study;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.scalability.FitOptions;
import io.pyrometer.analysis.scalability.FitScale;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.ScalePoint;
import io.pyrometer.report.Exhibit;
import io.pyrometer.report.Page;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.Charts;
import java.util.ArrayList;
import java.util.List;

/** How a response goes with one number. */
final class ScalabilityStudy {
  private ScalabilityStudy() {}

  static Page page(FigureTable table, StudyRequest request, String column) {
    table.need(column);
    table.rows().forEach(row -> table.number(row, column));
    Gathered gathered = Gathered.from(table, request, List.of(column));
    List<ScalePoint> points = ScalePoint.of(gathered.observations(), column, request.response());
    FitScale scale = request.scale() == StudyRequest.Scale.LN ? FitScale.LOG : FitScale.LINEAR;
    Scalability found =
        Scalability.of(points, FitOptions.DEFAULT.withScale(scale).named(column, request.unit()));
    List<Finding> answer = new ArrayList<>(found.findings());
    answer.addAll(gathered.notes());
    return new Page(
        table.name(),
        "How does " + request.response() + " go with " + column + "?",
        about(table, found),
        answer,
        List.of(fit(request, column, found), models(column, found)),
        List.of(new Page.Command("Make this page again", request.command())));
  }

  private static String about(FigureTable table, Scalability found) {
    return "%s · %s at %s · fitted on %s"
        .formatted(
            table.name(),
            Figures.count(found.chosen().points().size(), "point"),
            Figures.count(found.levels(), "level"),
            found.options().scale() == FitScale.LOG ? "logarithms" : "the figures as they are");
  }

  private static Section fit(StudyRequest request, String column, Scalability found) {
    String model = found.chosen().model().label();
    String unit = request.unit().isEmpty() ? "" : " in " + request.unit();
    return new Section(
        "fit",
        "The fit",
        "The line is the %s model, %s; the band is its 95 %% interval. Beyond the measured range the band is the union over all models that the points do not rule out."
            .formatted(model, found.chosen().model().formula()),
        List.of(
            Charts.scalability(request.response() + unit + " against " + column, found),
            Charts.residuals("What the " + model + " model leaves", found.chosen(), column)));
  }

  private static Section models(String column, Scalability found) {
    List<Exhibit> exhibits = new ArrayList<>();
    exhibits.add(
        Charts.models("The models, by Akaike's criterion for few points (less is better)", found));
    exhibits.add(
        Charts.parameters("The scalability law, " + found.law().model().formula(), found.law()));
    if (found.chosen().model() != found.law().model()) {
      exhibits.add(
          Charts.parameters(
              "The chosen model, " + found.chosen().model().formula(), found.chosen()));
      exhibits.add(
          Charts.residuals("What the scalability law leaves, for comparison", found.law(), column));
    }
    return new Section(
        "models",
        "The models",
        "Intervals are profile intervals: all values whose best fit is not significantly worse.",
        exhibits);
  }
}
