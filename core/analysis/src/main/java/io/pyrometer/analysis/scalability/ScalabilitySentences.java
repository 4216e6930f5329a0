package io.pyrometer.analysis.scalability;

import static io.pyrometer.analysis.Figures.percent;
import static io.pyrometer.analysis.Figures.plain;
import static java.util.stream.Collectors.joining;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.scalability.Scalability.Decline;
import io.pyrometer.analysis.scalability.Scalability.Peak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** What the fits say, in words. */
final class ScalabilitySentences {
  private static final double DELTA = ComparisonRule.HIGHER_IS_BETTER.delta();

  private final Scalability found;
  private final LawFit law;
  private final LawFit chosen;
  private final String what;
  private final String further;

  ScalabilitySentences(Scalability found) {
    this.found = found;
    this.law = found.law();
    this.chosen = found.chosen();
    this.what = found.options().what();
    this.further = "Measurements at further numbers of " + what;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    found.outlier().map(this::outlying).ifPresent(findings::add);
    findings.add(course());
    findings.add(winner());
    addCaveats(findings);
    return findings;
  }

  private Finding course() {
    if (most() <= least() * (1 + DELTA)) {
      return flat();
    }
    if (found.saturatesOrPeaks()) {
      return undecided();
    }
    Optional<Estimate> saturation = chosen.saturation();
    if (saturation.isPresent() && !chosen.misfits() && found.decline() == Decline.NONE) {
      return saturated(saturation.get());
    }
    if (!found.lawHolds()) {
      return withoutLaw();
    }
    Estimate sigma = law.parameter("σ").estimate();
    if (sigma.value() > 1) {
      return sigma.low() > 1 ? hop(sigma) : nearOne(sigma);
    }
    return found.peak().map(this::peak).orElseGet(this::noPeak);
  }

  private DoubleStream observed() {
    return chosen.points().stream().mapToDouble(LawFit.Point::observed);
  }

  private double most() {
    return observed().max().orElseThrow();
  }

  private double least() {
    return observed().min().orElseThrow();
  }

  /** All that was measured lies within the smallest relevant difference. */
  private Finding flat() {
    return finding(
        Severity.NOTICE,
        "From %s to %s %s all measured throughputs lie between %s and %s, less than %s apart: more %s gain nothing here. A limit outside them, such as the load generator, gives such a curve."
            .formatted(
                plain(found.smallestN()),
                plain(found.largestN()),
                what,
                plain(least()),
                amount(most()),
                percent(DELTA),
                what),
        parameters(law));
  }

  private Finding undecided() {
    return finding(
        Severity.NOTICE,
        "From about %s %s on throughput saturates or peaks: not decided, as without replicates a decline is not distinguishable from noise."
            .formatted(plain(found.bestN()), what),
        parameters(chosen));
  }

  private Finding saturated(Estimate from) {
    Estimate most = chosen.throughputInterval(found.largestN());
    return finding(
        Severity.INFO,
        "Throughput grows up to about %s %s (%s) and then stays near %s: something is used up there that further %s do not add to. No decline was measured, so no peak follows from these points."
            .formatted(plain(from.value()), what, interval(from), amount(most.value()), what),
        Finding.estimates("N*", from, "X", most));
  }

  /**
   * The course where the law does not fit; its parameters are not interpreted. Where no model fits
   * it is that of the measured means.
   */
  private Finding withoutLaw() {
    ToDoubleFunction<Double> at = chosen.misfits() ? found::measuredAt : chosen::throughput;
    double first = at.applyAsDouble(found.smallestN());
    double last = at.applyAsDouble(found.largestN());
    double growth = last / first / (found.largestN() / found.smallestN());
    if (growth > 1 + DELTA) {
      return superlinear(first, last);
    }
    String why =
        law.misfits()
            ? "lack of fit, " + Figures.p(law.lackOfFit().orElse(1))
            : "the %s model is %s ahead by AICc"
                .formatted(
                    chosen.model().label(),
                    Figures.plain(
                        Math.rint(10 * (found.criterion(law) - found.criterion(chosen))) / 10));
    String course = last < first ? "falls" : "grows";
    boolean hop = !chosen.misfits() && chosen.model().shapeParameters().contains("h");
    return finding(
        Severity.NOTICE,
        "From %s to %s %s throughput %s, from about %s to %s. The scalability law does not describe these points (%s), so σ, κ and a peak are not interpreted.%s"
            .formatted(
                plain(found.smallestN()),
                plain(found.largestN()),
                what,
                course,
                plain(first),
                amount(last),
                why,
                hop
                    ? " By the %s model a request costs %s more when its key lives on another node."
                        .formatted(chosen.model().label(), percent(chosen.value("h")))
                    : ""),
        parameters(chosen));
  }

  /** Superlinear growth: the fitted contention σ is negative, which the law does not allow. */
  private Finding superlinear(double first, double last) {
    return finding(
        Severity.NOTICE,
        "From %s to %s %s throughput grows more than in proportion (superlinear, σ < 0), from about %s to %s, %s times as much for each of them. Either each does better with more of them, as where data then fit into memory, or something else limited the few; neither goes on for ever, so nothing follows for larger numbers, and σ, κ and a peak are not interpreted."
            .formatted(
                plain(found.smallestN()),
                plain(found.largestN()),
                what,
                plain(first),
                amount(last),
                plain(last / first / (found.largestN() / found.smallestN()))),
        parameters(chosen));
  }

  /** What the points exclude is said with its bound; a peak beyond the ladder is not excluded. */
  private Finding noPeak() {
    Estimate kappa = law.parameter("κ").estimate();
    return finding(
        kappa.low() > 0 || kappa.value() == 0 ? Severity.INFO : Severity.NOTICE,
        noPeak(kappa) + "; " + boundOfPeak(kappa) + "." + contention(),
        parameters(law));
  }

  private String noPeak(Estimate kappa) {
    if (kappa.low() > 0) {
      return found.decline() == Decline.MEASURED
          ? "Throughput turns beyond the largest measured number of " + what
          : "No decline was measured, so a peak is only bounded from below";
    }
    if (kappa.value() > 0) {
      return "The points do not tell whether throughput turns";
    }
    double sigma = law.value("σ");
    return sigma == 0
        ? "Throughput grows in proportion to the number of %s as far as measured".formatted(what)
        : "As far as measured %s of the work is serial and no crosstalk is seen (κ = 0)"
            .formatted(percent(sigma));
  }

  private String boundOfPeak(Estimate kappa) {
    if (law.parameter("κ").openHigh()) {
      return "the points set no limit to κ, so a peak anywhere is possible";
    }
    OptionalDouble earliest = law.earliestPeak();
    double largest = found.largestN();
    double farthest = Scalability.FARTHEST * largest;
    if (earliest.isEmpty() || earliest.getAsDouble() > farthest) {
      return "a peak below %s %s is excluded (%s), of one beyond nothing is said"
          .formatted(plain(farthest), what, percent(found.options().confidence()));
    }
    double from = Math.max(found.smallestN(), earliest.getAsDouble());
    return "κ may be up to %s, so a peak anywhere from %s %s on is possible; measure %s to %s %s to find it"
        .formatted(
            plain(kappa.high()),
            plain(Math.floor(from)),
            Math.floor(from) == 1 ? what.replaceFirst("s$", "") : what,
            plain(Math.ceil(Math.max(from, largest * 1.25))),
            plain(Math.ceil(2 * Math.max(from, largest))),
            what);
  }

  private Finding outlying(OutlyingPoint outlier) {
    return Finding.warning(
        Kind.OUTLYING_RUN,
        "At %s %s %s was measured where every model fitted to the other points expects about %s or farther off (studentised residual %s, %s): repeat that trial; it was not left out, and what is said of a peak may rest on it."
            .formatted(
                plain(outlier.point().n()),
                outlier.point().n() == 1 ? what.replaceFirst("s$", "") : what,
                amount(outlier.point().throughput()),
                amount(outlier.expected()),
                plain(outlier.studentised()).replace('-', '−'),
                Figures.p(outlier.p())),
        "A repeat of that trial that gives the same, or points next to it.");
  }

  private Finding nearOne(Estimate sigma) {
    return finding(
        Severity.NOTICE,
        "σ lies between %s and %s, so the points do not tell whether more %s gain anything or lose."
            .formatted(plain(sigma.low()), plain(sigma.high()), what),
        parameters(law));
  }

  /** The law as a sum of service times, for σ above 1: λ/(1+h(1−1/N)+κ(N−1)) with h = σ−1. */
  private Finding hop(Estimate sigma) {
    Estimate kappa = law.parameter("κ").estimate();
    Estimate lambda = law.parameter("λ").estimate();
    String sentence =
        "σ = %s is above 1, where the law has no maximum but is the same curve as a hop: a request costs %s more when its key lives on another node, and %s more for each further one of the %s; so throughput is largest at N = 1."
            .formatted(
                plain(sigma.value()), percent(sigma.value() - 1), percent(kappa.value()), what);
    double least = Math.max(lambda.low(), 1e-9 * lambda.value());
    Map<String, Estimate> estimates =
        Finding.estimates(
            "h = σ−1",
            like(sigma, sigma.value() - 1, sigma.low() - 1, sigma.high() - 1),
            "κ",
            kappa);
    estimates.put("1/λ", like(lambda, 1 / lambda.value(), 1 / lambda.high(), 1 / least));
    return Finding.warning(
        Kind.SCALABILITY,
        sentence,
        estimates,
        "A load that grows with the number of %s: with one closed-loop client this is the time of one request, not the capacity."
            .formatted(what));
  }

  private static Estimate like(Estimate source, double value, double low, double high) {
    return new Estimate(value, low, high, source.confidence(), source.replicates(), "");
  }

  private Finding peak(Peak peak) {
    double n = peak.n().value();
    boolean reached = n <= found.largestN();
    String sentence =
        n < 1
            ? "Throughput is largest at N = 1 and falls with each further one of the %s (the law's maximum would lie at N = %s, %s)."
                .formatted(what, plain(n), interval(peak.n()))
            : "Throughput peaks at about %s %s (%s) with %s%s; beyond about %s each further one costs more than it gives."
                .formatted(
                    plain(n),
                    what,
                    interval(peak.n()),
                    amount(peak.throughput().value()),
                    reached ? "" : ", which is extrapolated",
                    plain(Math.max(1, peak.knee().value())));
    sentence += contention();
    Map<String, Estimate> estimates = Finding.estimates("N*", peak.n(), "X(N*)", peak.throughput());
    estimates.put("knee", peak.knee());
    return finding(reached ? Severity.INFO : Severity.NOTICE, sentence, estimates);
  }

  /** States contention σ and coherency κ of the law, each with its interval. */
  private String contention() {
    return " Contention σ is %s and coherency κ %s."
        .formatted(withInterval(law.parameter("σ")), withInterval(law.parameter("κ")));
  }

  private static String withInterval(LawFit.Parameter parameter) {
    Estimate estimate = parameter.estimate();
    return "%s (%s%s)"
        .formatted(
            plain(estimate.value()), interval(estimate), parameter.openHigh() ? " or more" : "");
  }

  private static String interval(Estimate n) {
    return n.tooWide()
        ? "too few blocks or numbers for an interval"
        : "%s to %s".formatted(plain(n.low()), plain(n.high()));
  }

  private Finding winner() {
    String others =
        found.rivals().stream()
            .filter(fit -> fit != chosen)
            .map(fit -> fit.model().label())
            .collect(joining(", "));
    String spread =
        found.options().scale() == ResponseScale.LN
            ? percent(chosen.residualSd())
            : amount(chosen.residualSd());
    return finding(
        Severity.INFO,
        "Of %d models the one that explains the points best is %s, X(N) = %s, with a residual spread of %s; %s."
            .formatted(
                found.fits().size(),
                chosen.model().label(),
                chosen.model().formula(),
                spread,
                others.isEmpty() ? "every other model is ruled out" : "not ruled out: " + others),
        parameters(chosen));
  }

  private void addCaveats(List<Finding> findings) {
    if (chosen.misfits()) {
      findings.add(
          Finding.warning(
              Kind.SCALABILITY,
              "The means at each number of %s lie farther from the %s model than the replicates explain (lack of fit, %s): do not interpret its parameters or what it predicts beyond the measured."
                  .formatted(what, chosen.model().label(), Figures.p(chosen.lackOfFit().orElse(1))),
              further + "."));
    }
    found
        .noExtrapolation()
        .map(why -> Finding.notice(Kind.NOT_ENOUGH_RUNS, why + ".", further + "."))
        .ifPresent(findings::add);
    notEnough().ifPresent(findings::add);
    undetermined().ifPresent(findings::add);
  }

  private Optional<Finding> notEnough() {
    return found.enough()
        ? Optional.empty()
        : Optional.of(
            Finding.notice(
                Kind.NOT_ENOUGH_RUNS,
                "There are %s of %s with %s each at least: enough to fit, not for a verdict."
                    .formatted(
                        Figures.count(found.levels(), "level"),
                        what,
                        Figures.count(found.leastReplicates(), "replicate")),
                "At least %d levels with %d replicates each."
                    .formatted(Scalability.ENOUGH_LEVELS, Scalability.ENOUGH_REPLICATES)));
  }

  /** Warns where the points do not determine the parameters. */
  private Optional<Finding> undetermined() {
    String open =
        law.parameters().stream()
            .filter(LawFit.Parameter::openHigh)
            .map(LawFit.Parameter::name)
            .collect(joining(", "));
    String noEnd = open.isEmpty() ? "" : "set no upper end to the interval of " + open;
    String together =
        law.condition() > Scalability.WORST_CONDITION
            ? "do not determine λ, σ and κ separately (condition %s): another triple fits as well"
                .formatted(plain(law.condition()))
            : "";
    String both = together + (together.isEmpty() || noEnd.isEmpty() ? "" : ", and they ") + noEnd;
    return both.isEmpty()
        ? Optional.empty()
        : Optional.of(finding(Severity.WARNING, "The points " + both + ".", parameters(law)));
  }

  private static Map<String, Estimate> parameters(LawFit fit) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    fit.parameters().forEach(p -> estimates.put(p.name(), p.estimate()));
    return estimates;
  }

  private Finding finding(Severity severity, String sentence, Map<String, Estimate> estimates) {
    String change = further + ", above all beyond the largest.";
    return Finding.of(Kind.SCALABILITY, severity, sentence, estimates, change);
  }

  private String amount(double throughput) {
    String unit = found.options().unit();
    return plain(throughput) + (unit.isEmpty() ? "" : " " + unit);
  }
}
