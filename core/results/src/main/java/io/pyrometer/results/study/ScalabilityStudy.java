package io.pyrometer.results.study;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.scalability.HeldOut;
import io.pyrometer.analysis.scalability.Model;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.Scalability.Prediction;
import io.pyrometer.analysis.scalability.ScalePoint;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.ScalabilityCharts;
import io.pyrometer.results.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Scaling of a response with one number. */
public final class ScalabilityStudy {
  /** Multiples of the largest measured number to predict. */
  private static final double[] BEYOND = {1.25, 1.5, 2};

  private ScalabilityStudy() {}

  /**
   * Studies the response against the numbers that are the levels of {@code what}.
   *
   * @throws io.pyrometer.analysis.BadDataException in one sentence, if that cannot be fitted
   */
  public static StudyResult of(StudyData measured, String what) {
    List<ScalePoint> points = ScalePoint.of(measured.observations(), what, measured.response());
    AnalysisOptions options =
        AnalysisOptions.DEFAULT.on(measured.scale()).named(what, measured.unit());
    Scalability found = Scalability.of(points, options);
    return new StudyResult(
        about(found),
        ScalabilityFindings.of(found, HeldOut.of(points, options)),
        sections(measured, what, found));
  }

  private static String about(Scalability found) {
    return "%s at %s · fitted on %s"
        .formatted(
            Figures.count(found.chosen().points().size(), "point"),
            Figures.count(found.levels(), "level"),
            found.options().scale() == ResponseScale.LN ? "logarithms" : "the figures as they are");
  }

  private static List<Section> sections(StudyData measured, String what, Scalability found) {
    Model model = found.chosen().model();
    List<Section> sections = new ArrayList<>();
    sections.add(
        Texts.section(
            "fit",
            Texts.of("fit.lead", model.label(), model.formula()),
            List.of(
                ScalabilityCharts.fit(measured.responseWithUnit() + " against " + what, found))));
    List<Prediction> ahead = ahead(found);
    if (!ahead.isEmpty()) {
      Figure table =
          Texts.<Prediction>table("beyond")
              .formatted(what, each -> Numbers.shorten(each.n()))
              .estimate("Predicted", each -> Optional.of(each.throughput()))
              .text("Models", ScalabilityStudy::models)
              .figure(Texts.of("beyond.union"), ahead);
      sections.add(Section.of("beyond", "Beyond the measured range", "", table));
    }
    List<Figure> models = new ArrayList<>();
    models.add(ScalabilityCharts.models(Texts.of("models.criterion"), found));
    models.add(
        ScalabilityCharts.parameters(
            "The scalability law, " + found.law().model().formula(), found.law()));
    if (model != found.law().model()) {
      models.add(
          ScalabilityCharts.parameters("The chosen model, " + model.formula(), found.chosen()));
    }
    sections.add(Texts.section("models", Texts.of("models.lead"), models));
    return sections;
  }

  private static List<Prediction> ahead(Scalability found) {
    return found.extrapolates()
        ? DoubleStream.of(BEYOND)
            .map(times -> Math.ceil(times * found.largestN()))
            .distinct()
            .mapToObj(found::at)
            .toList()
        : List.of();
  }

  private static String models(Prediction ahead) {
    return ahead.models().stream().map(Model::label).collect(Collectors.joining(", "));
  }
}
