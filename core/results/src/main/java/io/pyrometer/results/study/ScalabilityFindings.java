package io.pyrometer.results.study;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.scalability.HeldOut;
import io.pyrometer.analysis.scalability.LawFit;
import io.pyrometer.analysis.scalability.OutlyingPoint;
import io.pyrometer.analysis.scalability.Scalability;
import io.pyrometer.analysis.scalability.Scalability.Decline;
import io.pyrometer.analysis.scalability.Scalability.Peak;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Findings on scaling: the measured growth first, then the fitted model, then their limits. */
final class ScalabilityFindings {
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
    return largest < 2 * smallest
        ? growth
        : growth.with("doubling", Value.change(last / throughputAt(largest / 2)));
  }

  private double throughputAt(double n) {
    return found.replicates().containsKey(n) ? found.measuredAt(n) : chosen.throughput(n);
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
      Finding saturated = Finding.info("scalability.saturation").with("N*", saturation.get());
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
    boolean hop = !chosen.misfits() && chosen.model().shapeParameters().contains("h");
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
    return Stream.concat(Stream.of(course).filter(each -> !declines), earliestPeak(kappa).stream())
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
    return Finding.info("scalability.law")
        .with("model", chosen.model().label())
        .with("formula", chosen.model().formula())
        .with("others", Optional.of(others).filter(o -> !o.isEmpty()).map(Value::names))
        .with(parameters(chosen));
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

  private static Map<String, Estimate> parameters(LawFit fit) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    fit.parameters().forEach(p -> estimates.put(p.name(), p.estimate()));
    return estimates;
  }
}
