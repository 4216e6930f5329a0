package io.pyrometer.results.study;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.scalability.FitOptions;
import io.pyrometer.analysis.scalability.HeldOut;
import io.pyrometer.analysis.scalability.LawFit;
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
    FitOptions options =
        FitOptions.DEFAULT.withScale(measured.scale()).named(what, measured.unit());
    Scalability found = Scalability.of(points, options);
    Optional<HeldOut> heldOut = HeldOut.of(points, options);
    return new StudyResult(
        about(found),
        ScalabilityFindings.of(found, heldOut),
        List.of(fit(measured, what, found), beyond(what, found, heldOut), models(found)),
        items(found, heldOut));
  }

  private static String about(Scalability found) {
    return "%s at %s · fitted on %s"
        .formatted(
            Figures.count(found.chosen().points().size(), "point"),
            Figures.count(found.levels(), "level"),
            found.options().scale() == ResponseScale.LN ? "logarithms" : "the figures as they are");
  }

  private static Section fit(StudyData measured, String what, Scalability found) {
    String model = found.chosen().model().label();
    return Texts.section(
        "fit",
        Texts.of("fit.lead", model, found.chosen().model().formula()),
        List.of(ScalabilityCharts.fit(measured.responseWithUnit() + " against " + what, found)));
  }

  private static Section beyond(String what, Scalability found, Optional<HeldOut> heldOut) {
    List<Figure> figures = new ArrayList<>();
    List<Prediction> ahead = ahead(found);
    if (!ahead.isEmpty()) {
      figures.add(
          Texts.<Prediction>table("beyond")
              .formatted(what, each -> Numbers.shorten(each.n()))
              .formatted("Predicted", each -> Numbers.whole(each.throughput().value()))
              .formatted("95 %", each -> Numbers.interval(each.throughput()))
              .text("Models", ScalabilityStudy::models)
              .figure(Texts.of("beyond.union"), ahead));
    }
    heldOut.ifPresent(
        check ->
            figures.add(
                Texts.<HeldOut>table("beyond")
                    .formatted(what, held -> Numbers.shorten(held.n()))
                    .formatted("Predicted", held -> Numbers.whole(held.predicted().value()))
                    .formatted("95 %", held -> Numbers.interval(held.predicted()))
                    .formatted("Measured", held -> Numbers.whole(held.measured().value()))
                    .formatted("95 %", held -> Numbers.interval(held.measured()))
                    .formatted("Result", ScalabilityStudy::result)
                    .figure(Texts.of("beyond.held-out"), List.of(check))));
    return new Section("beyond", "Beyond the measured range", "", figures);
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

  private static String result(HeldOut held) {
    return switch (held.outcome()) {
      case WITHIN -> "within";
      case TOUCHING -> "missed, intervals touch";
      case OUTSIDE -> "missed";
    };
  }

  private static Section models(Scalability found) {
    List<Figure> figures = new ArrayList<>();
    figures.add(ScalabilityCharts.models(Texts.of("models.criterion"), found));
    figures.add(
        ScalabilityCharts.parameters(
            "The scalability law, " + found.law().model().formula(), found.law()));
    if (found.chosen().model() != found.law().model()) {
      figures.add(
          ScalabilityCharts.parameters(
              "The chosen model, " + found.chosen().model().formula(), found.chosen()));
    }
    return Texts.section("models", Texts.of("models.lead"), figures);
  }

  private static List<StudyResult.Item> items(Scalability found, Optional<HeldOut> heldOut) {
    List<StudyResult.Item> items = new ArrayList<>();
    parameters(items, "law", found.law());
    if (found.chosen().model() != found.law().model()) {
      parameters(items, "chosen", found.chosen());
    }
    found
        .peak()
        .ifPresent(
            peak -> {
              items.add(new StudyResult.Item("N*", peak.n(), ""));
              items.add(new StudyResult.Item("X(N*)", peak.throughput(), ""));
              items.add(new StudyResult.Item("knee", peak.knee(), ""));
            });
    ahead(found)
        .forEach(
            p ->
                items.add(
                    new StudyResult.Item(
                        "X(" + Figures.plain(p.n()) + ")",
                        p.throughput(),
                        "extrapolated: " + models(p))));
    heldOut.ifPresent(
        held -> {
          String at = "held out X(" + Figures.plain(held.n()) + ")";
          items.add(new StudyResult.Item(at + " predicted", held.predicted(), result(held)));
          items.add(new StudyResult.Item(at + " measured", held.measured(), ""));
        });
    return items;
  }

  private static void parameters(List<StudyResult.Item> items, String which, LawFit fit) {
    fit.parameters()
        .forEach(
            p ->
                items.add(
                    new StudyResult.Item(
                        which + " " + p.name(), p.estimate(), fit.model().label())));
  }
}
