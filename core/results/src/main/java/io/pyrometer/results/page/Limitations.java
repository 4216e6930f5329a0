package io.pyrometer.results.page;

import io.pyrometer.analysis.Estimate;
import io.pyrometer.experiment.model.Threshold;
import io.pyrometer.journal.Check;
import io.pyrometer.journal.CpuScope;
import io.pyrometer.journal.Metric;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.message.Value;
import io.pyrometer.report.Finding;
import io.pyrometer.results.KindReport;
import io.pyrometer.results.Phrases;
import io.pyrometer.results.RunRecord;
import io.pyrometer.results.ranking.Mark;
import io.pyrometer.results.ranking.Ranking;
import io.pyrometer.results.ranking.TreatmentNotes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Limits of an answer: code that was not warm, disturbed trials, trials that never settled. */
public final class Limitations {
  private final RunRecord run;
  private final List<TrialRecord> trials;
  private final List<Finding> findings = new ArrayList<>();

  private Limitations(RunRecord run) {
    this.run = run;
    this.trials = run.counting();
  }

  /** Limits of all figures of a run; empty where there are none. */
  public static List<Finding> of(RunRecord run) {
    Limitations limits = new Limitations(run);
    limits.code();
    // Where nothing is ranked, no answer says that intervals are missing.
    if (run.blocksSeen() == 1 && !run.ranks()) {
      limits.findings.add(Finding.notice("validity.one-block"));
    }
    limits.terms();
    limits.lateStarts();
    limits.serversWithoutCpuTime();
    limits.disturbed();
    limits.settling();
    return limits.findings;
  }

  /** Trials with a property, of all that count, as two counts of the finding. */
  private Finding counted(Finding finding, List<TrialRecord> marked) {
    return finding.with("marked", marked.size()).with("trials", trials.size());
  }

  private static double largest(String check, List<TrialRecord> marked) {
    return marked.stream()
        .flatMap(trial -> trial.validity().stream())
        .filter(each -> each.name().equals(check))
        .mapToDouble(Check::value)
        .max()
        .orElse(0);
  }

  private void code() {
    List<TrialRecord> marked = trials.stream().filter(TrialRecord::notWarm).toList();
    if (!marked.isEmpty()) {
      findings.add(
          counted(Finding.warning("validity.not-warm"), marked)
              .with("compilers", Value.share(largest(Check.JIT_COMPILERS, marked) / 100)));
    }
    if (run.compiledByC1()) {
      findings.add(Finding.notice("validity.compiled-by-c1"));
    }
  }

  private void terms() {
    int unequal = TreatmentNotes.unequal(run.plan()).size();
    if (unequal > 0 && run.plan().drivers().size() > 1) {
      findings.add(Finding.notice("validity.unequal-terms").with("terms", unequal));
    }
  }

  /** Trials whose p99 is in part the lateness of the load generator. */
  private void lateStarts() {
    List<TrialRecord> late =
        trials.stream().filter(trial -> Mark.failed(trial, Check.SCHEDULE_SLIP)).toList();
    if (late.isEmpty()) {
      return;
    }
    int threads =
        late.stream()
            .map(TrialRecord::settings)
            .mapToInt(
                of -> Math.max(CoreSettings.openLoopThreads(of), 2 * of.get(CoreSettings.THREADS)))
            .max()
            .orElse(1);
    findings.add(
        counted(Finding.notice("validity.late-starts"), late)
            .with("share", Value.share(largest(Check.SCHEDULE_SLIP, late) / 100))
            .with("threads", String.valueOf(threads)));
  }

  /** Trials on servers of others whose CPU time is not known. */
  private void serversWithoutCpuTime() {
    List<TrialRecord> alone =
        trials.stream()
            .filter(t -> t.value(Metric.CPU).isPresent())
            .filter(t -> t.value(Metric.DEMAND_OF_SERVERS + Metric.DEMAND_CPU).isEmpty())
            .toList();
    if (run.plan().testbed().attach().isPresent() && !alone.isEmpty()) {
      String id = "validity.cpu-of-agents";
      boolean all =
          trials.stream().filter(t -> t.value(Metric.CPU).isPresent()).count() == alone.size();
      findings.add(
          counted(all ? Finding.notice(id) : Finding.warning(id), alone)
              .with(
                  "why",
                  alone.stream()
                      .flatMap(t -> Stream.ofNullable(t.configuration().get(CpuScope.KEY)))
                      .filter(text -> text.startsWith(CpuScope.AGENTS_ALONE))
                      .map(text -> text.substring(CpuScope.AGENTS_ALONE.length()))
                      .map(text -> Value.name(text.replaceFirst("\\.$", "")))
                      .findFirst()));
    }
  }

  private void disturbed() {
    List<TrialRecord> disturbed = trials.stream().filter(TrialRecord::disturbed).toList();
    if (!disturbed.isEmpty()) {
      String id = "validity.disturbed";
      boolean most = 2 * disturbed.size() > trials.size();
      findings.add(
          counted(most ? Finding.warning(id) : Finding.notice(id), disturbed)
              .with(
                  "causes",
                  trials.stream()
                      .flatMap(trial -> trial.validity().stream())
                      .filter(check -> check.disturbed() && check.fromOutside())
                      .map(Check::words)
                      .distinct()
                      .toList()));
    }
  }

  private void settling() {
    List<TrialRecord> valid = trials.stream().filter(TrialRecord::valid).toList();
    valid.stream()
        .map(TrialRecord::job)
        .distinct()
        .flatMap(job -> KindReport.of(job).flatMap(KindReport::steadinessNotJudged).stream())
        .forEach(findings::add);
    List<TrialRecord> steady =
        valid.stream()
            .filter(trial -> !trial.openLoop() || trial.steadinessJudged())
            .filter(trial -> !CoreSettings.loadsOnce(trial.settings()))
            .filter(
                trial ->
                    KindReport.of(trial.job()).flatMap(KindReport::steadinessNotJudged).isEmpty())
            .toList();
    add("validity.too-short", steady, trial -> !trial.steadinessJudged());
    add(
        "validity.unsettled",
        steady,
        trial -> trial.steadinessJudged() && !trial.timeline().warmUp().settled());
  }

  private void add(String id, List<TrialRecord> among, Predicate<TrialRecord> which) {
    List<TrialRecord> marked = among.stream().filter(which).toList();
    if (!marked.isEmpty()) {
      findings.add(counted(Finding.notice(id), marked));
    }
  }

  /**
   * Judges a run's thresholds, of latencies by the percentiles that its tables show: of all calls
   * together. Other metrics, and those of treatments without a rank, by the geometric mean of
   * blocks.
   */
  static final class ThresholdFindings {
    private final RunRecord run;
    private final List<Ranking> rankings;

    private ThresholdFindings(RunRecord run, List<Ranking> rankings) {
      this.run = run;
      this.rankings = rankings;
    }

    /** Judgements of each threshold, a warning where it is missed or nothing has its metric. */
    static List<Finding> of(RunRecord run, List<Ranking> rankings) {
      ThresholdFindings findings = new ThresholdFindings(run, rankings);
      return run.experiment().thresholds().stream()
          .flatMap(threshold -> findings.judged(threshold).stream())
          .toList();
    }

    private static boolean isOpen(Threshold threshold, Estimate estimate) {
      return threshold.keptBy(estimate.low()) != threshold.keptBy(estimate.high());
    }

    private List<Finding> judged(Threshold threshold) {
      Map<String, Estimate> estimates = new LinkedHashMap<>();
      List<Map<String, String>> treatments = List.copyOf(run.byTreatment().keySet());
      for (Map<String, String> levels : treatments) {
        String label = Phrases.differing(levels, treatments);
        estimate(levels, threshold.metric())
            .ifPresent(e -> estimates.put(label.isEmpty() ? "the only treatment" : label, e));
      }
      Value text = Value.name(threshold.text());
      if (estimates.isEmpty()) {
        return List.of(
            Finding.warning("threshold.not-judged")
                .with("threshold", text)
                .with("metric", threshold.metric()));
      }
      List<String> missed = named(estimates, each -> !threshold.keptBy(each.value()));
      List<String> open = named(estimates, each -> each.hasInterval() && isOpen(threshold, each));
      List<Finding> findings = new ArrayList<>();
      findings.add(
          missed.isEmpty()
              ? Finding.info("threshold.kept").with("treatments", estimates.size())
              : Finding.warning("threshold.missed").with("treatments", missed));
      Finding.info("threshold.open").naming("treatments", open).ifPresent(findings::add);
      return findings.stream().map(each -> each.with("threshold", text).with(estimates)).toList();
    }

    private Optional<Estimate> estimate(Map<String, String> levels, String metric) {
      return rankings.stream()
          .flatMap(ranking -> ranking.rows().stream())
          .filter(row -> row.levels().equals(levels))
          .findFirst()
          .map(row -> row.estimate(metric, run))
          .orElseGet(() -> run.mean(levels, metric, ""));
    }

    private static List<String> named(Map<String, Estimate> estimates, Predicate<Estimate> which) {
      return estimates.entrySet().stream()
          .filter(each -> which.test(each.getValue()))
          .map(Map.Entry::getKey)
          .toList();
    }
  }
}
