package io.pyrometer.results.analyses;

import io.pyrometer.analysis.Figures;
import io.pyrometer.protocol.FrameCategory;
import io.pyrometer.protocol.FrameCategory.Remedy;
import io.pyrometer.protocol.HealthReport;
import io.pyrometer.protocol.HealthReport.Change;
import io.pyrometer.protocol.HealthReport.Comparison;
import io.pyrometer.protocol.HealthReport.Diagnosis;
import io.pyrometer.protocol.HealthReport.Evidence;
import io.pyrometer.protocol.HealthReport.Needs;
import io.pyrometer.protocol.HealthReport.Severity;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.results.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks of what the profiles of a run show and no look at its grid does: CPU time that a setting
 * of the experiment causes.
 */
public final class RunChecks {
  private RunChecks() {}

  /** Makes the checks; empty where the run has no profiles that any of them looks at. */
  public static Optional<HealthReport> make(RunRecord run) {
    List<Diagnosis> diagnoses = new ArrayList<>();
    Set<String> healthy = new TreeSet<>();
    for (CpuProfile profile : CpuProfile.of(run)) {
      Settings settings = profile.row().trial().settings();
      for (FrameCategory category : run.plan().driver(settings).frameCategories()) {
        if (category.remedy().isPresent()) {
          healthy.add(category.name());
          diagnoses.addAll(judge(profile, category.name(), category.remedy().get()));
        }
      }
    }
    diagnoses.sort(Diagnosis.MOST_URGENT);
    diagnoses.forEach(found -> healthy.remove(found.check()));
    String subject = Figures.count(run.counting().size(), "trial") + " of the run";
    return diagnoses.isEmpty() && healthy.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new HealthReport(
                subject, 0, 0, List.of(), diagnoses, List.copyOf(healthy), Map.of(), List.of()));
  }

  private static List<Diagnosis> judge(CpuProfile profile, String category, Remedy remedy) {
    Object value = profile.row().trial().settings().values().get(remedy.setting());
    return CpuProfile.ROLES.stream()
        .filter(role -> remedy.causing().contains(String.valueOf(value)))
        .filter(role -> profile.shares(role).getOrDefault(category, 0.0) >= remedy.from())
        .map(role -> diagnosis(profile, role, category, remedy, String.valueOf(value)))
        .toList();
  }

  private static Diagnosis diagnosis(
      CpuProfile profile, String role, String category, Remedy remedy, String value) {
    Map<String, Double> shares = profile.shares(role);
    double share = shares.getOrDefault(category, 0.0);
    double micros = CpuProfile.parts(profile.row(), role, shares).getOrDefault(category, 0.0);
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
            new Evidence("share of the CPU time", Value.share(share).text(), where),
            new Evidence("samples", "" + profile.count(role), where),
            new Evidence(remedy.setting(), value, profile.label())),
        List.of(new Change(remedy.setting(), value, remedy.instead())),
        Needs.CLIENTS,
        new Comparison(Map.of(remedy.setting(), value), Map.of(remedy.setting(), remedy.instead())),
        remedy.source(),
        Optional.empty());
  }
}
