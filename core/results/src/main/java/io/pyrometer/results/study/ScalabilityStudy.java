package io.pyrometer.results.study;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
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
import io.pyrometer.report.Table;
import io.pyrometer.report.chart.ScalabilityCharts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** How a response goes with one number. */
public final class ScalabilityStudy {
  /** How far beyond the largest measured number is predicted. */
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
    List<Finding> findings = new ArrayList<>(found.findings());
    heldOut.map(HeldOut::finding).ifPresent(findings::add);
    return new StudyResult(
        about(found),
        findings,
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
    return new Section(
        "fit",
        "The fit",
        "The line is the %s model, %s; the band is its 95 %% interval. Beyond the measured range the band is that of all models together which the points do not rule out, weighted by how well they fit (Akaike weights)."
            .formatted(model, found.chosen().model().formula()),
        List.of(ScalabilityCharts.fit(measured.responseWithUnit() + " against " + what, found)));
  }

  private static Section beyond(String what, Scalability found, Optional<HeldOut> heldOut) {
    List<Figure> figures = new ArrayList<>();
    List<List<String>> rows = ahead(found).stream().map(ScalabilityStudy::row).toList();
    if (!rows.isEmpty()) {
      figures.add(
          Figure.of(
              "Extrapolated: the interval is that of the models named, weighted by how well they fit",
              Table.of(List.of(what, "Predicted", "95 %", "Models"), 3, rows)
                  .withAbsent("no interval: too few points")));
    }
    heldOut.ifPresent(held -> figures.add(check(what, held)));
    return new Section(
        "beyond",
        "Beyond the measured",
        heldOut
            .map(held -> held.finding().sentence())
            .orElse(
                found
                    .noExtrapolation()
                    .map(why -> why + ".")
                    .orElse("There are too few numbers to leave the largest out and predict it.")),
        figures);
  }

  private static List<Prediction> ahead(Scalability found) {
    if (found.noExtrapolation().isPresent()) {
      return List.of();
    }
    return DoubleStream.of(BEYOND)
        .map(times -> Math.ceil(times * found.largestN()))
        .distinct()
        .mapToObj(found::at)
        .toList();
  }

  private static List<String> row(Prediction ahead) {
    return List.of(
        Numbers.shorten(ahead.n()),
        Numbers.whole(ahead.throughput().value()),
        Numbers.interval(ahead.throughput()),
        models(ahead));
  }

  private static String models(Prediction ahead) {
    return ahead.models().stream().map(Model::label).collect(Collectors.joining(", "));
  }

  private static Figure check(String what, HeldOut held) {
    return Figure.of(
        "The largest number left out of the fit and predicted",
        Table.of(
                List.of(what, "Predicted", "95 %", "Measured", "95 %", "Result"),
                0,
                List.of(
                    List.of(
                        Numbers.shorten(held.n()),
                        Numbers.whole(held.predicted().value()),
                        Numbers.interval(held.predicted()),
                        Numbers.whole(held.measured().value()),
                        Numbers.interval(held.measured()),
                        came(held))))
            .withAbsent("no interval: it needs two blocks"));
  }

  private static String came(HeldOut held) {
    return switch (held.outcome()) {
      case WITHIN -> "within";
      case TOUCHING -> "missed, intervals touch";
      case OUTSIDE -> "missed";
    };
  }

  private static Section models(Scalability found) {
    List<Figure> figures = new ArrayList<>();
    figures.add(
        ScalabilityCharts.models(
            "The models, by Akaike's criterion for few points (less is better)", found));
    figures.add(
        ScalabilityCharts.parameters(
            "The scalability law, " + found.law().model().formula(), found.law()));
    if (found.chosen().model() != found.law().model()) {
      figures.add(
          ScalabilityCharts.parameters(
              "The chosen model, " + found.chosen().model().formula(), found.chosen()));
    }
    return new Section(
        "models",
        "The models",
        "Intervals are profile intervals: all values whose best fit is not significantly worse.",
        figures);
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
          items.add(new StudyResult.Item(at + " predicted", held.predicted(), came(held)));
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
