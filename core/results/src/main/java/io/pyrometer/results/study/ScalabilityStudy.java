package io.pyrometer.results.study;

import io.pyrometer.analysis.AnalysisOptions;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.scalability.HeldOut;
import io.pyrometer.analysis.scalability.LawFit;
import io.pyrometer.analysis.scalability.Model;
import io.pyrometer.analysis.scalability.OutlyingPoint;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.Scalability.Decline;
import io.pyrometer.analysis.scalability.Scalability.Peak;
import io.pyrometer.analysis.scalability.Scalability.Prediction;
import io.pyrometer.analysis.scalability.ScalePoint;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Finding;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.Section;
import io.pyrometer.report.chart.ScalabilityCharts;
import io.pyrometer.results.Texts;
import io.pyrometer.results.study.StudyResult.StudyData;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

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

  /** Findings on scaling: the measured growth first, then the fitted model, then their limits. */
  static final class ScalabilityFindings {
    private static final double DELTA = ComparisonRule.HIGHER_IS_BETTER.delta();

    private final Scalability found;
    private final LawFit law;
    private final LawFit chosen;
    private final String what;

    private ScalabilityFindings(Scalability found) {
      this.found = found;
      law = found.law();
      chosen = found.chosen();
      what = found.options().name();
    }

    static List<Finding> of(Scalability found, Optional<HeldOut> heldOut) {
      ScalabilityFindings all = new ScalabilityFindings(found);
      List<Finding> findings = new ArrayList<>();
      findings.add(all.growth());
      found.outlier().map(all::outlier).ifPresent(findings::add);
      findings.addAll(all.course());
      findings.add(all.chosenLaw());
      findings.addAll(all.limits());
      heldOut.map(all::heldOut).ifPresent(findings::add);
      return findings;
    }

    private Value at(double n) {
      String noun = n == 1 && what.length() > 2 ? what.replaceFirst("s$", "") : what;
      return Value.name(Figures.plain(n) + " " + noun);
    }

    private Finding throughput(Finding finding, String name, double value) {
      String unit = found.options().unit();
      return finding
          .with(name, Value.rate(value))
          .with("unit", Optional.of(unit).filter(u -> !u.isEmpty()).map(Value::name));
    }

    private Finding growth() {
      double smallest = found.smallestN();
      double largest = found.largestN();
      double first = found.measuredAt(smallest);
      double last = found.measuredAt(largest);
      if (isFlat()) {
        return Finding.notice("scalability.flat")
            .with("from", at(smallest))
            .with("to", Value.number(largest))
            .with("range", Value.share(spread()))
            .with("what", what);
      }
      boolean peaked = found.decline() == Decline.MEASURED && found.bestN() > smallest;
      String id = peaked ? "rise-and-fall" : last < first ? "fall" : "growth";
      Finding growth =
          Finding.info("scalability." + id)
              .with("from", at(smallest))
              .with("to", Value.number(largest))
              .with("times", Value.ratio(last / first))
              .with("change", Value.change(last / first));
      growth = throughput(throughput(growth, "first", first), "last", last);
      if (peaked) {
        return throughput(growth, "most", found.measuredAt(found.bestN()))
            .with("best", Value.number(found.bestN()));
      }
      double half = largest / 2;
      double atHalf =
          found.replicates().containsKey(half) ? found.measuredAt(half) : chosen.throughput(half);
      return half < smallest ? growth : growth.with("doubling", Value.change(last / atHalf));
    }

    /** The largest measured throughput over the smallest, less 1. */
    private double spread() {
      DoubleSummaryStatistics observed =
          chosen.points().stream().mapToDouble(LawFit.Point::observed).summaryStatistics();
      return observed.getMax() / observed.getMin() - 1;
    }

    private boolean isFlat() {
      return spread() <= DELTA;
    }

    private Finding outlier(OutlyingPoint outlier) {
      Finding finding = Finding.warning("scalability.outlier").with("at", at(outlier.point().n()));
      finding = throughput(finding, "measured", outlier.point().throughput());
      return throughput(finding, "expected", outlier.expected());
    }

    /** The form of the curve, as far as the points show it. */
    private List<Finding> course() {
      if (isFlat()) {
        return List.of();
      }
      if (found.saturatesOrPeaks()) {
        return List.of(Finding.notice("scalability.not-decided").with("from", at(found.bestN())));
      }
      Optional<Estimate> saturation = chosen.saturation();
      if (saturation.isPresent() && !chosen.misfits() && found.decline() == Decline.NONE) {
        Estimate most = chosen.throughputInterval(found.largestN());
        Finding saturated =
            Finding.info("scalability.saturation").with("N*", saturation.get().times(1, what));
        return List.of(throughput(saturated, "throughput", most.value()).with("X", most));
      }
      if (!found.lawHolds()) {
        return withoutLaw();
      }
      Estimate sigma = law.parameter("σ").estimate();
      if (sigma.low() > 1) {
        return List.of(
            Finding.warning("scalability.hop")
                .with("sigma", Value.number(sigma.value()))
                .with("cost", Value.share(sigma.value() - 1))
                .with("what", what));
      }
      if (sigma.value() > 1) {
        return List.of(
            Finding.notice("scalability.sigma-near-one")
                .with("low", Value.number(sigma.low()))
                .with("high", Value.number(sigma.high()))
                .with("what", what));
      }
      return found.peak().map(peak -> List.of(peak(peak))).orElseGet(this::noPeak);
    }

    /** The growth alone; where no model fits, it is that of the measured means. */
    private List<Finding> withoutLaw() {
      double smallest = found.smallestN();
      double largest = found.largestN();
      double growth =
          chosen.misfits()
              ? found.measuredAt(largest) / found.measuredAt(smallest)
              : chosen.throughput(largest) / chosen.throughput(smallest);
      double ofEach = growth / (largest / smallest);
      if (ofEach > 1 + DELTA) {
        return List.of(
            Finding.notice("scalability.superlinear")
                .with("times", Value.ratio(ofEach))
                .with("what", what));
      }
      Finding noLaw =
          law.misfits()
              ? Finding.notice("scalability.no-law").with("p", Figures.p(law.lackOfFit().orElse(1)))
              : Finding.notice("scalability.no-law")
                  .with("model", chosen.model().label())
                  .with("ahead", Value.number(found.criterion(law) - found.criterion(chosen)));
      boolean hop =
          !chosen.misfits()
              && chosen.model().shapeParameters().contains("h")
              && chosen.value("h") > 0
              && what.equals("nodes");
      return hop
          ? List.of(
              noLaw,
              Finding.info("scalability.hop-cost")
                  .with("model", chosen.model().label())
                  .with("cost", Value.share(chosen.value("h"))))
          : List.of(noLaw);
    }

    /** Contention alone, or a decline that was not measured; then the least possible peak. */
    private List<Finding> noPeak() {
      Estimate kappa = law.parameter("κ").estimate();
      double sigma = law.value("σ");
      Finding course =
          kappa.value() > 0
              ? Finding.notice("scalability.no-decline").with("what", what)
              : sigma > 0
                  ? Finding.info("scalability.serial").with("sigma", Value.share(sigma))
                  : Finding.info("scalability.proportional").with("what", what);
      boolean declines = found.decline() == Decline.MEASURED;
      return Stream.concat(
              Stream.of(course).filter(each -> !declines), earliestPeak(kappa).stream())
          .toList();
    }

    private Optional<Finding> earliestPeak(Estimate kappa) {
      if (law.parameter("κ").openHigh()) {
        return Optional.empty();
      }
      OptionalDouble earliest = law.earliestPeak();
      double largest = found.largestN();
      double farthest = Scalability.FARTHEST * largest;
      if (earliest.isEmpty() || earliest.getAsDouble() > farthest) {
        return Optional.of(Finding.info("scalability.peak-excluded").with("below", at(farthest)));
      }
      double from = Math.max(found.smallestN(), earliest.getAsDouble());
      return Optional.of(
          Finding.notice("scalability.peak-possible")
              .with("from", at(Math.floor(from)))
              .with("kappa", Value.number(kappa.high()))
              .with("next", Value.number(Math.ceil(Math.max(from, largest * 1.25))))
              .with("last", at(Math.ceil(2 * Math.max(from, largest)))));
    }

    private Finding peak(Peak peak) {
      double n = peak.n().value();
      Finding finding =
          n > found.largestN()
              ? Finding.notice("scalability.peak-extrapolated")
              : Finding.info(n < 1 ? "scalability.peak-at-one" : "scalability.peak");
      return throughput(finding, "throughput", peak.throughput().value())
          .with("what", what)
          .with("N*", peak.n())
          .with("X(N*)", peak.throughput())
          .with("knee", peak.knee());
    }

    private Finding chosenLaw() {
      List<String> others =
          found.rivals().stream()
              .filter(fit -> fit != chosen)
              .map(fit -> fit.model().label())
              .toList();
      Map<String, Estimate> parameters = new LinkedHashMap<>();
      chosen.parameters().forEach(each -> parameters.put(each.name(), each.estimate()));
      return Finding.info("scalability.law")
          .with("model", chosen.model().label())
          .with("formula", chosen.model().formula())
          .with("others", Optional.of(others).filter(o -> !o.isEmpty()).map(Value::names))
          .with(parameters);
    }

    private List<Finding> limits() {
      List<Finding> limits = new ArrayList<>();
      if (chosen.misfits()) {
        limits.add(
            Finding.warning("scalability.lack-of-fit")
                .with("model", chosen.model().label())
                .with("what", what)
                .with("p", Figures.p(chosen.lackOfFit().orElse(1))));
      }
      if (!found.extrapolates()) {
        limits.add(
            Finding.notice("scalability.not-extrapolated")
                .with("points", chosen.points().size())
                .with("enough", Scalability.ENOUGH_TO_EXTRAPOLATE));
      }
      if (!found.enough()) {
        limits.add(
            Finding.notice("scalability.not-enough-runs")
                .with("what", what)
                .with("levels", found.levels())
                .with("replicates", found.leastReplicates())
                .with("enough", Scalability.ENOUGH_LEVELS)
                .with("each", Scalability.ENOUGH_REPLICATES));
      }
      return limits;
    }

    private Finding heldOut(HeldOut held) {
      Finding finding =
          held.outcome() == HeldOut.Outcome.WITHIN
              ? Finding.info("scalability.held-out")
              : Finding.notice("scalability.held-out-missed");
      finding = throughput(finding, "forecast", held.predicted().value());
      return throughput(finding, "value", held.measured().value())
          .with("n", at(held.n()))
          .with("predicted", held.predicted())
          .with("measured", held.measured());
    }
  }
}
