package io.pyrometer.results.ranking;

import io.pyrometer.experiment.Labels;
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

/** The results of the probes of one treatment, against what its path claims. */
public record TreatmentProbes(List<ProbeResult> probes) {

  public TreatmentProbes {
    probes = List.copyOf(probes);
  }

  public static TreatmentProbes of(RunRecord run, Map<String, String> levels) {
    return new TreatmentProbes(
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
    return probes.stream()
        .filter(probe -> probe.probe() == kind)
        .findFirst()
        .map(probe -> probe.found().map(TreatmentProbes::staleOrLost).orElse("not probed"))
        .orElse("");
  }

  private static String staleOrLost(ProbeCounts found) {
    return count(found.staleOrLost()) + " of " + count(found.checked());
  }

  /** Each claim that a probe tried, and how it fared. */
  public List<String> verdicts(Guarantee claimed) {
    List<String> verdicts = new ArrayList<>();
    found(ProbeKind.ORDER)
        .ifPresent(h -> verdicts.add("order per key " + fared(claimed.ordered(), h, "keys")));
    found(ProbeKind.READ)
        .ifPresent(
            h -> verdicts.add("reads that see what was acknowledged " + fared(true, h, "reads")));
    found(ProbeKind.KILL)
        .ifPresent(h -> verdicts.add("outliving a node " + fared(claimed.durable(), h, "keys")));
    probes.forEach(
        probe ->
            probe
                .why()
                .ifPresent(why -> verdicts.add(word(probe.probe()) + " not probed: " + why)));
    return verdicts;
  }

  private static String fared(boolean claimed, ProbeCounts found, String what) {
    String figures =
        "(%s of %s %s stale or lost)"
            .formatted(count(found.staleOrLost()), count(found.checked()), what);
    if (found.staleOrLost() == 0) {
      return (claimed ? "claimed, held in the probe " : "not claimed, kept in the probe ")
          + figures;
    }
    return (claimed ? "claimed, refuted by the probe " : "not claimed, not kept ") + figures;
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
