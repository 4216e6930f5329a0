package io.pyrometer.results.ranking;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The results of the probes of one treatment, against what its path claims. Any stale or lost key
 * refutes a claim; none of fewer than {@value ProbeCounts#MIN_CHECKED} keys does not count as
 * tested.
 *
 * @param asked the probes that the experiment asks for; none of a path that claims nothing
 */
public record TreatmentProbes(List<ProbeKind> asked, List<ProbeResult> probes) {
  private static final String NOT_TESTED = "not tested";

  public TreatmentProbes {
    asked = List.copyOf(asked);
    probes = List.copyOf(probes);
  }

  /** Those of a treatment in a run. */
  public static TreatmentProbes of(
      RunRecord run, Map<String, String> levels, Optional<Guarantee> claimed) {
    return new TreatmentProbes(
        claimed.isPresent() ? run.plan().experiment().probes() : List.of(),
        run.probes().stream().filter(p -> p.levels().equals(levels)).toList());
  }

  /** What became of acknowledged writes; empty where the probe was not made or could not be. */
  public Optional<ProbeCounts> found(ProbeKind kind) {
    return probes.stream()
        .filter(probe -> probe.probe() == kind)
        .flatMap(probe -> probe.found().stream())
        .findFirst();
  }

  private boolean refutes(ProbeKind kind) {
    return found(kind).filter(found -> found.staleOrLost() > 0).isPresent();
  }

  /**
   * What is left of a claim after the probes. One that held is no proof, so that nothing is added.
   */
  public Optional<Guarantee> left(Optional<Guarantee> claimed) {
    return claimed.map(
        claim ->
            new Guarantee(
                claim.overwrites(),
                claim.ordered() && !refutes(ProbeKind.ORDER),
                claim.durable() && !refutes(ProbeKind.KILL),
                claim.atomic()));
  }

  /** For a column of a table: {@code 26 of 2,000}, empty where the probe was not asked for. */
  public String staleOrLost(ProbeKind kind) {
    return found(kind)
        .map(found -> judged(found) ? staleOrLost(found) : untested(found))
        .orElse(asked.contains(kind) ? NOT_TESTED : "");
  }

  private static boolean judged(ProbeCounts found) {
    return found.tested() || found.staleOrLost() > 0;
  }

  private static String untested(ProbeCounts found) {
    return NOT_TESTED + " (" + staleOrLost(found) + ")";
  }

  /** The probes that were made and say nothing, such as {@code order: 0 of 54}. */
  public List<String> untested() {
    return probes.stream()
        .filter(probe -> probe.found().filter(TreatmentProbes::judged).isEmpty())
        .map(
            probe ->
                word(probe.probe())
                    + probe.found().map(found -> ": " + staleOrLost(found)).orElse(" failed"))
        .toList();
  }

  private static String staleOrLost(ProbeCounts found) {
    return count(found.staleOrLost()) + " of " + count(found.checked());
  }

  private record Claim(ProbeKind probe, String words, boolean made, String unit) {

    String fared(ProbeCounts found) {
      String figures =
          "(%s %s stale or lost%s)"
              .formatted(
                  TreatmentProbes.staleOrLost(found),
                  unit,
                  judged(found) ? "" : "; a verdict takes " + ProbeCounts.MIN_CHECKED);
      String verdict;
      if (!judged(found)) {
        verdict = NOT_TESTED;
      } else if (found.staleOrLost() == 0) {
        verdict = made ? "claimed, held in the probe" : "not claimed, kept in the probe";
      } else {
        verdict = made ? "claimed, refuted by the probe" : "not claimed, not kept";
      }
      return "%s %s %s".formatted(words, verdict, figures);
    }
  }

  private static List<Claim> claims(Guarantee claimed) {
    return List.of(
        new Claim(ProbeKind.ORDER, "order per key", claimed.ordered(), "keys"),
        new Claim(ProbeKind.READ, "reads that see what was acknowledged", true, "reads"),
        new Claim(ProbeKind.KILL, "outliving a node", claimed.durable(), "keys"));
  }

  /** Each claim that a probe tried, and how it fared. */
  public List<String> verdicts(Guarantee claimed) {
    List<String> verdicts = new ArrayList<>();
    for (Claim claim : claims(claimed)) {
      found(claim.probe()).ifPresent(found -> verdicts.add(claim.fared(found)));
    }
    probes.forEach(
        probe ->
            probe
                .why()
                .ifPresent(
                    why -> verdicts.add(word(probe.probe()) + " " + NOT_TESTED + ": " + why)));
    return verdicts;
  }

  /** The verdicts on claims that a probe refuted, for which a treatment is not recommended. */
  public List<String> refuted(Guarantee claimed) {
    return claims(claimed).stream()
        .filter(claim -> claim.made() && refutes(claim.probe()))
        .map(claim -> claim.fared(found(claim.probe()).orElseThrow()))
        .toList();
  }

  /** One probe in a sentence. */
  public static String sentence(ProbeResult probe) {
    String what = Labels.of(probe.levels(), probe.path());
    if (probe.found().isEmpty()) {
      return "probe %s: %s: not made: %s"
          .formatted(word(probe.probe()), what, probe.why().orElse("no reason given."));
    }
    return "probe %s: %s: %s"
        .formatted(word(probe.probe()), what, figures(probe.probe(), probe.found().get()));
  }

  private static String figures(ProbeKind kind, ProbeCounts found) {
    String unit = kind == ProbeKind.READ ? "reads" : "keys";
    String failed =
        found.failedCalls() == 0
            ? ""
            : ", %s calls failed (%s)"
                .formatted(count(found.failedCalls()), String.join("; ", found.errors()));
    String stall =
        kind == ProbeKind.KILL
            ? String.format(Locale.ROOT, ", worst stall %.1f s", found.worstStallSeconds())
            : "";
    return "%s stale and %s lost of %s %s after %s writes%s%s"
        .formatted(
            count(found.stale()),
            count(found.lost()),
            count(found.checked()),
            unit,
            count(found.writes()),
            stall,
            failed);
  }

  private static String word(ProbeKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
