package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Figures;
import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.FrameCategory.Remedy;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.HealthReport.Unjudged;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Numbers;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.TreatmentNotes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks of what the trials of a run show and no look at its grid does: CPU time that a setting of
 * the experiment causes, which needs profiles; and writes that were skipped because their keys
 * existed, which needs the count of the stored keys.
 */
public final class RunChecks {
  private static final String SKIPPED = "skipped-keys";
  private static final String GUARANTEES = "docs/experiments.md";

  private final RunRecord run;
  private final List<Diagnosis> diagnoses = new ArrayList<>();
  private final List<String> healthy = new ArrayList<>();
  private final Map<String, Unjudged> unjudged = new TreeMap<>();

  private RunChecks(RunRecord run) {
    this.run = run;
  }

  /** Makes the checks; empty where the run has nothing that any of them looks at. */
  public static Optional<HealthReport> make(RunRecord run) {
    RunChecks checks = new RunChecks(run);
    checks.skippedKeys();
    checks.costlyCategories();
    return checks.diagnoses.isEmpty() && checks.healthy.isEmpty()
        ? Optional.empty()
        : Optional.of(checks.report());
  }

  private HealthReport report() {
    diagnoses.sort(Diagnosis.MOST_URGENT);
    int trials = run.counting().size();
    return new HealthReport(
        Figures.count(trials, "trial") + " of the run",
        0,
        0,
        List.of(),
        diagnoses,
        healthy,
        unjudged);
  }

  /** A risk, because what a benchmark's keys lose says nothing of the application's. */
  private void skippedKeys() {
    if (run.counting().stream().allMatch(t -> t.value(Metric.DISTINCT_KEYS).isEmpty())) {
      unjudged.put(SKIPPED, new Unjudged("uncounted-keys", Map.of()));
      return;
    }
    Map<String, Double> skipped = TreatmentNotes.skipped(run);
    skipped.forEach(
        (treatment, share) ->
            diagnoses.add(
                new Diagnosis(
                    Diagnosis.id(SKIPPED, "trials"),
                    Severity.RISK,
                    Map.of("treatment", Value.name(treatment), "share", Value.share(share)),
                    share,
                    List.of(new Evidence("records not stored", Figures.percent(share), treatment)),
                    List.of(),
                    Needs.CLIENTS,
                    Comparison.NONE,
                    GUARANTEES,
                    Optional.empty())));
    if (skipped.isEmpty()) {
      healthy.add(SKIPPED);
    }
  }

  private void costlyCategories() {
    List<CpuProfile> profiles = CpuProfile.of(run);
    List<TrialRecord> all = CpuProfile.profiled(run).toList();
    for (TrialRecord trial : run.counting()) {
      for (FrameCategory each : run.plan().driver(trial.settings()).frameCategories()) {
        if (each.remedy().isPresent() && profiles.isEmpty()) {
          unjudged.put(each.name(), new Unjudged("unprofiled-trials", Map.of()));
        }
      }
    }
    Set<String> judged = new TreeSet<>();
    for (CpuProfile profile : profiles) {
      TrialRecord trial =
          all.stream().filter(t -> t.label().equals(profile.label())).findFirst().orElseThrow();
      for (FrameCategory category : run.plan().driver(trial.settings()).frameCategories()) {
        category.remedy().ifPresent(remedy -> judge(profile, trial, category.name(), remedy));
        category.remedy().ifPresent(remedy -> judged.add(category.name()));
      }
    }
    diagnoses.forEach(found -> judged.remove(found.check()));
    healthy.addAll(judged);
  }

  private void judge(CpuProfile profile, TrialRecord trial, String category, Remedy remedy) {
    String value = String.valueOf(trial.settings().values().get(remedy.setting()));
    for (String role : List.of(CpuProfile.CLIENTS, CpuProfile.SERVERS)) {
      double share = profile.shares(role).getOrDefault(category, 0.0);
      if (share >= remedy.from() && remedy.causing().contains(value)) {
        diagnoses.add(diagnosis(profile, role, share, category, remedy, value));
      }
    }
  }

  private static Diagnosis diagnosis(
      CpuProfile profile, String role, double share, String category, Remedy remedy, String value) {
    double micros = profile.micros().getOrDefault(role, Map.of()).getOrDefault(category, 0.0);
    String where = role + ", " + profile.label();
    return new Diagnosis(
        Diagnosis.id(category),
        Severity.PROBLEM,
        Map.of(
            "role", Value.name(role),
            "treatment", Value.name(profile.label()),
            "share", Value.share(share),
            "cost", Value.micros(micros)),
        share,
        List.of(
            new Evidence(category + " [µs/record]", Value.shorten(micros), where),
            new Evidence("share of the CPU time", share(profile, role, category), where),
            new Evidence("samples", "" + profile.samples().get(role), where),
            new Evidence(remedy.setting(), value, profile.label())),
        List.of(new Change(remedy.setting(), value, remedy.instead())),
        Needs.CLIENTS,
        new Comparison(Map.of(remedy.setting(), value), Map.of(remedy.setting(), remedy.instead())),
        remedy.source(),
        Optional.empty());
  }

  private static String share(CpuProfile profile, String role, String category) {
    return Numbers.estimateWithUnit(
        profile
            .over(
                role,
                parts ->
                    100
                        * parts.getOrDefault(category, 0.0)
                        / (CpuProfile.sum(parts)
                            - parts.getOrDefault(StackCategories.JIT, 0.0)
                            - parts.getOrDefault(StackCategories.GC, 0.0)))
            .map(percent -> percent, "%"));
  }
}
