package io.pyrometer.results.ranking;

import io.pyrometer.experiment.design.Labels;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.DataFacts;
import io.pyrometer.protocol.Guarantee;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.ProbeResult;
import io.pyrometer.protocol.ProbeResult.ProbeCounts;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.results.RunRecord;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of the probes of one treatment, against what its path claims. Any stale or lost key
 * refutes a claim; none of fewer than {@value ProbeCounts#MIN_CHECKED} keys does not count as
 * tested.
 *
 * @param asked the probes that the experiment asks for; none of a path that claims nothing
 */
public record TreatmentProbes(List<ProbeKind> asked, List<ProbeResult> probes) {
  private static final String NOT_TESTED = "not tested";

  /** Probes of a trial's treatment in a run. */
  static TreatmentProbes of(RunRecord run, TrialRecord trial) {
    return new TreatmentProbes(
        claimed(run, trial).isPresent() ? run.experiment().probes() : List.of(),
        run.probes().stream().filter(p -> p.levels().equals(trial.levels())).toList());
  }

  /** Guarantee that the path of a trial claims of its writes; empty if it does not write. */
  static Optional<Guarantee> claimed(RunRecord run, TrialRecord trial) {
    return run.plan().driver(trial.settings()).guarantee(trial.settings());
  }

  /** The probes that refuted what the path of a trial claims. */
  public static List<ProbeKind> refuted(RunRecord run, TrialRecord trial) {
    return claimed(run, trial).map(of(run, trial)::refutedBy).orElse(List.of());
  }

  /** Guarantees of a trial's treatment by declaration. */
  static Set<Requirement> declared(RunRecord run, TrialRecord trial) {
    return Requirement.of(claimed(run, trial), data(run, trial), servers(trial));
  }

  private static DataFacts data(RunRecord run, TrialRecord trial) {
    return run.plan().driver(trial.settings()).data(trial.settings());
  }

  private static int servers(TrialRecord trial) {
    return Optional.ofNullable(trial.configuration().get(Answer.Prepared.SERVERS))
        .map(Integer::valueOf)
        .or(() -> trial.settings().find(CoreSettings.NODES))
        .orElse(0);
  }

  /** Returns whether too few servers store the data for all copies that are asked for. */
  static boolean hasFewerCopies(RunRecord run, TrialRecord trial) {
    DataFacts data = data(run, trial);
    int servers = servers(trial);
    return servers > 0 && data.copiesOn(servers) < data.copies();
  }

  /**
   * Returns whether the treatment of a trial is not to be recommended: it lacks what the experiment
   * requires, or a probe refuted what it claims.
   */
  public static boolean isExcluded(RunRecord run, TrialRecord trial) {
    Set<Requirement> left = of(run, trial).left(declared(run, trial));
    return !left.containsAll(run.experiment().require()) || !refuted(run, trial).isEmpty();
  }

  Optional<ProbeCounts> found(ProbeKind kind) {
    return probes.stream()
        .filter(probe -> probe.probe() == kind)
        .flatMap(probe -> probe.found().stream())
        .findFirst();
  }

  /** Returns whether no write was lost or undone in a probe that ended a server. */
  boolean outlivedAServer() {
    return Stream.of(ProbeKind.KILL, ProbeKind.STOP)
            .anyMatch(kind -> found(kind).filter(ProbeCounts::tested).isPresent())
        && Stream.of(ProbeKind.KILL, ProbeKind.STOP).noneMatch(this::refutes);
  }

  private boolean refutes(ProbeKind kind) {
    return found(kind).filter(found -> found.staleOrLost() > 0).isPresent();
  }

  /**
   * Guarantees that are left of declared ones after the probes. One that held is no proof, so that
   * nothing is added.
   */
  public Set<Requirement> left(Set<Requirement> declared) {
    return declared.stream()
        .filter(each -> each.probes().stream().noneMatch(this::refutes))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** For a column of a table: {@code 26 of 2,000}, empty where the probe was not asked for. */
  public String staleOrLost(ProbeKind kind) {
    return found(kind)
        .map(
            found ->
                judged(found) ? figures(found) : "%s (%s)".formatted(NOT_TESTED, figures(found)))
        .orElse(asked.contains(kind) ? NOT_TESTED : "");
  }

  private static boolean judged(ProbeCounts found) {
    return found.tested() || found.staleOrLost() > 0;
  }

  private static String figures(ProbeCounts found) {
    return String.format(Locale.ROOT, "%,d of %,d", found.staleOrLost(), found.checked());
  }

  /**
   * The probes that refuted a treatment, for which it is not recommended: its claims, and reads
   * that see what was acknowledged, claimed or not, where the probe was asked for.
   */
  public List<ProbeKind> refutedBy(Guarantee claimed) {
    return Stream.of(ProbeKind.values())
        .filter(
            kind ->
                switch (kind) {
                  case ORDER -> claimed.ordered();
                  case READ -> true;
                  case KILL, STOP -> claimed.durable();
                })
        .filter(this::refutes)
        .toList();
  }

  /** One probe in a sentence. */
  public static String sentence(ProbeResult probe) {
    String what = Labels.of(probe.levels(), probe.path());
    if (probe.found().isEmpty()) {
      return "probe %s: %s: not made: %s"
          .formatted(probe.probe().id(), what, probe.why().orElse("no reason given."));
    }
    ProbeCounts found = probe.found().get();
    return "probe %s: %s: %s %s stale or lost%s"
        .formatted(
            probe.probe().id(),
            what,
            figures(found),
            probe.probe() == ProbeKind.READ ? "reads" : "keys",
            probe.probe().endsServer() ? ", worst stall " + found.worstStall() : "");
  }
}
