package io.pyrometer.analysis.scalability;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.Finding;
import io.pyrometer.analysis.Finding.Kind;
import io.pyrometer.analysis.Finding.Severity;
import io.pyrometer.analysis.ResponseScale;
import io.pyrometer.analysis.comparison.ComparisonRule;
import io.pyrometer.analysis.scalability.Scalability.Peak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What the fits say, in words. */
final class ScalabilitySentences {
  /** An interval from one end to so many times it is none. */
  private static final double MOST_TO_TELL = 100;

  private final Scalability found;
  private final String what;

  private ScalabilitySentences(Scalability found) {
    this.found = found;
    this.what = found.options().what();
  }

  static List<Finding> of(Scalability found) {
    ScalabilitySentences sentences = new ScalabilitySentences(found);
    List<Finding> findings = new ArrayList<>();
    found.outlier().ifPresent(outlier -> findings.add(sentences.outlying(outlier)));
    findings.add(sentences.course());
    findings.add(sentences.winner());
    sentences.addCaveats(findings);
    return findings;
  }

  private Finding course() {
    if (flat()) {
      return asGoodAsFlat();
    }
    Optional<Estimate> saturation = found.chosen().saturation();
    if (saturation.isPresent() && !found.chosen().misfits() && !found.declines()) {
      return saturated(saturation.get());
    }
    if (!found.lawHolds()) {
      return withoutLaw();
    }
    Estimate sigma = found.law().parameter("σ").estimate();
    if (sigma.value() > 1) {
      return sigma.low() > 1 ? hop(sigma) : nearOne(sigma);
    }
    return found.peak().map(this::peak).orElseGet(this::noPeak);
  }

  private Finding saturated(Estimate from) {
    Estimate most = found.chosen().throughputInterval(found.largestN());
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    estimates.put("N*", from);
    estimates.put("X", most);
    return finding(
        Severity.INFO,
        "Throughput grows up to about %s %s (%s) and then stays near %s: something is used up there that further %s do not add to. No decline was measured, so no peak follows from these points."
            .formatted(
                Figures.plain(from.value()), what, interval(from), amount(most.value()), what),
        estimates);
  }

  /** The measured course where the law does not fit; its parameters are not interpreted. */
  private Finding withoutLaw() {
    LawFit chosen = found.chosen();
    double first = chosen.throughput(found.smallestN());
    double last = chosen.throughput(found.largestN());
    double growth = last / first / (found.largestN() / found.smallestN());
    String why =
        found.law().misfits()
            ? "lack of fit, " + Figures.p(found.law().lackOfFit().orElse(1))
            : "the %s model is significantly closer".formatted(chosen.model().label());
    String course =
        last < first
            ? "falls"
            : growth > 1 + ComparisonRule.HIGHER_IS_BETTER.delta()
                ? "grows more than in proportion"
                : "grows";
    return finding(
        Severity.NOTICE,
        "From %s to %s %s throughput %s, from about %s to %s. The scalability law does not describe these points (%s), so σ, κ and a peak are not interpreted.%s"
            .formatted(
                Figures.plain(found.smallestN()),
                Figures.plain(found.largestN()),
                what,
                course,
                Figures.plain(first),
                amount(last),
                why,
                hopOfChosen()),
        parameters(chosen));
  }

  private String hopOfChosen() {
    LawFit chosen = found.chosen();
    return !chosen.misfits() && chosen.model().shapeParameters().contains("h")
        ? " By the %s model a request costs %s more when its key lives on another node."
            .formatted(chosen.model().label(), Figures.percent(chosen.value("h")))
        : "";
  }

  /** All that was measured lies within the smallest relevant difference. */
  private boolean flat() {
    return most() <= least() * (1 + ComparisonRule.HIGHER_IS_BETTER.delta());
  }

  private double most() {
    return found.chosen().points().stream().mapToDouble(LawFit.Point::observed).max().orElseThrow();
  }

  private double least() {
    return found.chosen().points().stream().mapToDouble(LawFit.Point::observed).min().orElseThrow();
  }

  private Finding asGoodAsFlat() {
    return finding(
        Severity.NOTICE,
        "From %s to %s %s all measured throughputs lie between %s and %s, less than %s apart: more %s gain nothing here. A limit outside them, such as the load generator, gives such a curve."
            .formatted(
                Figures.plain(found.smallestN()),
                Figures.plain(found.largestN()),
                what,
                Figures.plain(least()),
                amount(most()),
                Figures.percent(ComparisonRule.HIGHER_IS_BETTER.delta()),
                what),
        parameters(found.law()));
  }

  /** What the points exclude is said with its bound; a peak beyond the ladder is not excluded. */
  private Finding noPeak() {
    Estimate kappa = found.law().parameter("κ").estimate();
    double sigma = found.law().value("σ");
    String lead =
        kappa.low() > 0
            ? found.declines()
                ? "Throughput turns beyond the largest measured number of %s".formatted(what)
                : "No decline was measured, so a peak is only bounded from below"
            : kappa.value() == 0
                ? sigma == 0
                    ? "Throughput grows in proportion to the number of %s as far as measured"
                        .formatted(what)
                    : "As far as measured %s of the work is serial and no crosstalk is seen (κ = 0)"
                        .formatted(Figures.percent(sigma))
                : "The points do not tell whether throughput turns";
    OptionalDouble earliest = found.law().earliestPeak();
    double largest = found.largestN();
    double farthest = Scalability.FARTHEST * largest;
    String bound;
    if (found.law().parameter("κ").openHigh()) {
      bound = "the points set no limit to κ, so a peak anywhere is possible";
    } else if (earliest.isEmpty() || earliest.getAsDouble() > farthest) {
      bound =
          "a peak below %s %s is excluded (%s), of one beyond nothing is said"
              .formatted(
                  Figures.plain(farthest), what, Figures.percent(found.options().confidence()));
    } else {
      double from = Math.max(found.smallestN(), earliest.getAsDouble());
      bound =
          "κ may be up to %s, so a peak anywhere from %s %s on is possible; measure %s to %s %s to find it"
              .formatted(
                  Figures.plain(kappa.high()),
                  Figures.plain(Math.floor(from)),
                  what,
                  Figures.plain(Math.ceil(Math.max(from, largest * 1.25))),
                  Figures.plain(Math.ceil(2 * Math.max(from, largest))),
                  what);
    }
    return finding(
        kappa.low() > 0 || kappa.value() == 0 ? Severity.INFO : Severity.NOTICE,
        lead + "; " + bound + ".",
        parameters(found.law()));
  }

  private Finding outlying(OutlyingPoint outlier) {
    return Finding.warning(
        Kind.OUTLYING_RUN,
        "At %s %s %s was measured where every model fitted to the other points expects about %s or farther off (studentised residual %s, %s): repeat that trial; it was not left out, and what is said of a peak may rest on it."
            .formatted(
                Figures.plain(outlier.point().n()),
                what,
                amount(outlier.point().throughput()),
                amount(outlier.expected()),
                Figures.plain(outlier.studentised()).replace('-', '−'),
                Figures.p(outlier.p())),
        "A repeat of that trial that gives the same, or points next to it.");
  }

  private Finding nearOne(Estimate sigma) {
    return finding(
        Severity.NOTICE,
        "σ lies between %s and %s, so the points do not tell whether more %s gain anything or lose."
            .formatted(Figures.plain(sigma.low()), Figures.plain(sigma.high()), what),
        parameters(found.law()));
  }

  /** The law as a sum of service times, for σ above 1: λ/(1+h(1−1/N)+κ(N−1)) with h = σ−1. */
  private Finding hop(Estimate sigma) {
    Estimate kappa = found.law().parameter("κ").estimate();
    Estimate lambda = found.law().parameter("λ").estimate();
    String sentence =
        ("σ = %s is above 1, where the law has no maximum but is the same curve as a hop: a request"
                + " costs %s more when its key lives on another node, and %s more for each further"
                + " one of the %s; so throughput is largest at N = 1.")
            .formatted(
                Figures.plain(sigma.value()),
                Figures.percent(sigma.value() - 1),
                Figures.percent(kappa.value()),
                what);
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    estimates.put("h = σ−1", like(sigma, sigma.value() - 1, sigma.low() - 1, sigma.high() - 1));
    estimates.put("κ", kappa);
    double least = Math.max(lambda.low(), 1e-9 * lambda.value());
    estimates.put("1/λ", like(lambda, 1 / lambda.value(), 1 / lambda.high(), 1 / least));
    return new Finding(
        Kind.SCALABILITY,
        Severity.WARNING,
        sentence,
        estimates,
        "A load that grows with the number of "
            + what
            + ": with one closed-loop client this is the time of one request, not the capacity.");
  }

  private static Estimate like(Estimate source, double value, double low, double high) {
    return new Estimate(value, low, high, source.confidence(), source.replicates(), "");
  }

  private Finding peak(Peak peak) {
    boolean reached = peak.n().value() <= found.largestN();
    String sentence = peak.n().value() < 1 ? fromTheFirst(peak) : beyondTheFirst(peak, reached);
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    estimates.put("N*", peak.n());
    estimates.put("X(N*)", peak.throughput());
    estimates.put("knee", peak.knee());
    return finding(reached ? Severity.INFO : Severity.NOTICE, sentence, estimates);
  }

  private String beyondTheFirst(Peak peak, boolean reached) {
    return ("Throughput peaks at about %s %s (%s) with %s%s; beyond about %s each further one"
            + " costs more than it gives.")
        .formatted(
            Figures.plain(peak.n().value()),
            what,
            interval(peak.n()),
            amount(peak.throughput().value()),
            reached ? "" : ", which is extrapolated",
            Figures.plain(Math.max(1, peak.knee().value())));
  }

  /** The law's maximum lies where there is nothing. */
  private String fromTheFirst(Peak peak) {
    return "Throughput is largest at N = 1 and falls with each further one of the %s (the law's maximum would lie at N = %s, %s)."
        .formatted(what, Figures.plain(peak.n().value()), interval(peak.n()));
  }

  private static String interval(Estimate n) {
    return n.high() > MOST_TO_TELL * n.low()
        ? "the points do not say how exactly"
        : "%s to %s".formatted(Figures.plain(n.low()), Figures.plain(n.high()));
  }

  private Finding winner() {
    List<LawFit> rivals = found.rivals();
    String others =
        rivals.stream()
            .filter(fit -> fit.model() != found.chosen().model())
            .map(fit -> fit.model().label())
            .collect(Collectors.joining(", "));
    String lead =
        "Of %d models the one that explains the points best is %s, X(N) = %s, with a residual spread of %s"
            .formatted(
                found.fits().size(),
                found.chosen().model().label(),
                found.chosen().model().formula(),
                spread());
    String tail =
        others.isEmpty() ? "; every other model is ruled out." : "; not ruled out: " + others + ".";
    return finding(Severity.INFO, lead + tail, parameters(found.chosen()));
  }

  private String spread() {
    return found.options().scale() == ResponseScale.LN
        ? Figures.percent(found.chosen().residualSd())
        : amount(found.chosen().residualSd());
  }

  private void addCaveats(List<Finding> findings) {
    if (found.chosen().misfits()) {
      findings.add(
          Finding.warning(
              Kind.SCALABILITY,
              "The means at each number of %s lie farther from the %s model than the replicates explain (lack of fit, %s): do not interpret its parameters or what it predicts beyond the measured."
                  .formatted(
                      what,
                      found.chosen().model().label(),
                      Figures.p(found.chosen().lackOfFit().orElse(1))),
              "Measurements at further numbers of " + what + "."));
    }
    if (!found.enough()) {
      findings.add(
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
    found
        .noExtrapolation()
        .ifPresent(
            why ->
                findings.add(
                    Finding.notice(
                        Kind.NOT_ENOUGH_RUNS,
                        why + ".",
                        "Measurements at further numbers of " + what + ".")));
    if (found.law().condition() > Scalability.WORST_CONDITION) {
      findings.add(
          finding(
              Severity.WARNING,
              "The points do not determine λ, σ and κ separately (condition %s): another triple fits as well."
                  .formatted(Figures.plain(found.law().condition())),
              parameters(found.law())));
    }
    String open =
        found.law().parameters().stream()
            .filter(LawFit.Parameter::openHigh)
            .map(LawFit.Parameter::name)
            .collect(Collectors.joining(", "));
    if (!open.isEmpty()) {
      findings.add(
          finding(
              Severity.WARNING,
              "The points set no upper end to the interval of " + open + ".",
              parameters(found.law())));
    }
  }

  private static Map<String, Estimate> parameters(LawFit fit) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    fit.parameters().forEach(p -> estimates.put(p.name(), p.estimate()));
    return estimates;
  }

  private Finding finding(Severity severity, String sentence, Map<String, Estimate> estimates) {
    return new Finding(
        Kind.SCALABILITY,
        severity,
        sentence,
        estimates,
        "Measurements at further numbers of " + what + ", above all beyond the largest.");
  }

  private String amount(double throughput) {
    String unit = found.options().unit();
    return Figures.plain(throughput) + (unit.isEmpty() ? "" : " " + unit);
  }
}
